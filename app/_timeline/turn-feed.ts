import type { Turn } from "@/lib/core/trace/turns";
import { messageOf } from "../_ui/fetch-json";
import type { Cursor, TurnSource } from "./turn-source";

/** How often a run that goes on is asked for what is new. */
const askAgainMs = 1500;

/** What is here of a conversation. Replaced, never changed. */
export interface FeedState {
  turns: readonly Turn[];
  /** There is more that can be asked for. */
  more: boolean;
  isLoading: boolean;
  /** Why the last page did not come. */
  problem: string | null;
}

/** Reads a conversation page by page, one page at a time, each turn once. */
export class TurnFeed {
  #state: FeedState = { turns: [], more: true, isLoading: true, problem: null };
  #cursor: Cursor | null = null;
  #controller: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #live = false;
  readonly #listeners = new Set<() => void>();

  constructor(readonly source: TurnSource) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): FeedState => this.#state;

  /** Asks for the next page, unless one is under way. */
  load(): void {
    if (!this.#controller) void this.#load();
  }

  /** Asks for the next page, and while `live` for what is new whenever everything is here. */
  follow(live: boolean): void {
    this.#live = live;
    this.load();
  }

  /** Forgets what is under way; `load` and `follow` go on from what is here. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#live = false;
    this.#controller?.abort();
    this.#controller = null;
  }

  async #load(): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    this.#set({ isLoading: true, problem: null });
    try {
      const { turns, next, more } = await this.source.turns(this.#cursor, controller.signal);
      if (controller.signal.aborted) return;
      this.#cursor = next;
      this.#set({ ...(turns.length > 0 && { turns: [...this.#state.turns, ...turns] }), more, isLoading: false });
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#set({ isLoading: false, problem: messageOf(error) });
    }
    this.#controller = null;
    clearTimeout(this.#timer);
    if (this.#live && !this.#state.more) this.#timer = setTimeout(() => this.load(), askAgainMs);
  }

  #set(change: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
