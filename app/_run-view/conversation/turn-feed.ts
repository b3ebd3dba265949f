import type { ConversationEntry, ConversationPage } from "@/lib/core/trace/conversation/conversation-entries";
import { messageOf } from "../../_ui/loading/fetch-json";
import type { ConversationQuery, TurnSource } from "../source/turn-source";

const askAgainMs = 1500;

/** The loaded part of a conversation: turns without a gap. Replaced, never mutated. */
export interface FeedState {
  turns: readonly ConversationEntry[];
  /** Another object each time; null: nothing is loaded yet. */
  opened: ConversationQuery | null;
  hasEarlier: boolean;
  hasMore: boolean;
  isLoading: boolean;
  problem: string | null;
}

export class TurnFeed {
  #state: FeedState = { turns: [], opened: null, hasEarlier: false, hasMore: true, isLoading: true, problem: null };
  #previous = 0;
  #next = 0;
  #controller: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #live = false;
  /** The last request, until its answer arrives. */
  #unanswered: (() => Promise<void>) | null;
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly source: TurnSource,
    firstQuery: ConversationQuery,
  ) {
    this.#unanswered = () => this.#open(firstQuery);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): FeedState => this.#state;

  readonly open = (query: ConversationQuery): void => {
    this.#forget();
    void this.#open(query);
  };

  show(node: number): void {
    const { turns, hasEarlier, hasMore } = this.#state;
    if ((hasEarlier || hasMore) && !turns.some((turn) => turn.node === node)) this.open({ node });
  }

  readonly load = (): void => this.#unlessBusy(() => this.#ask({ after: this.#next }, (page) => this.#append(page)));

  readonly loadEarlier = (): void =>
    this.#unlessBusy(() => this.#ask({ before: this.#previous }, (page) => this.#prepend(page)));

  readonly resume = (): void => (this.#unanswered ? this.#unlessBusy(this.#unanswered) : this.load());

  /** Starts, or continues after the loaded part; while `live` new turns are loaded whenever the part is complete. */
  follow(live: boolean): void {
    this.#live = live;
    this.resume();
  }

  stop(): void {
    this.#live = false;
    this.#forget();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#controller?.abort();
    this.#controller = null;
  }

  #unlessBusy(act: () => Promise<void>): void {
    if (!this.#controller) void act();
  }

  #open(query: ConversationQuery): Promise<void> {
    return this.#ask(query, (page) => {
      this.#previous = page.previous;
      this.#next = page.next;
      return { turns: page.turns, opened: { ...query }, hasEarlier: page.earlier, hasMore: page.more };
    });
  }

  #append({ turns, next, more: hasMore }: ConversationPage): Partial<FeedState> {
    this.#next = next;
    return { ...(turns.length > 0 && { turns: [...this.#state.turns, ...turns] }), hasMore };
  }

  #prepend({ turns, previous, earlier }: ConversationPage): Partial<FeedState> {
    this.#previous = previous;
    return { ...(turns.length > 0 && { turns: [...turns, ...this.#state.turns] }), hasEarlier: earlier };
  }

  async #ask(query: ConversationQuery, take: (page: ConversationPage) => Partial<FeedState>): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    this.#unanswered = () => this.#ask(query, take);
    this.#set({ isLoading: true, problem: null });
    try {
      const page = await this.source.turns(query, controller.signal);
      if (controller.signal.aborted) return;
      this.#unanswered = null;
      this.#set({ ...take(page), isLoading: false });
    } catch (error) {
      if (controller.signal.aborted) return;
      this.#set({ isLoading: false, problem: messageOf(error) });
    }
    this.#controller = null;
    clearTimeout(this.#timer);
    if (this.#live && !this.#state.hasMore) this.#timer = setTimeout(this.resume, askAgainMs);
  }

  #set(change: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}
