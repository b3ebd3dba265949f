import type { ConversationEntry } from "@/lib/core/trace/conversation/conversation-entries";
import { messageOf } from "../../_ui/loading/fetch-json";
import type { ConversationPage, ConversationQuery, TurnSource } from "../source/turn-source";

/** How often a run that goes on is asked for what is new. */
const askAgainMs = 1500;

/** The part of a conversation that is here: some turns, without a gap. Replaced, never changed. */
export interface FeedState {
  turns: readonly ConversationEntry[];
  /** What the part was opened with, another object each time; null: nothing has come yet. */
  opened: ConversationQuery | null;
  /** There may be earlier turns, and there are more that can be asked for. */
  hasEarlier: boolean;
  hasMore: boolean;
  isLoading: boolean;
  /** Why the last page did not come. */
  problem: string | null;
}

/** Reads a conversation page by page, to both sides, one page at a time, each turn once. */
export class TurnFeed {
  #state: FeedState = { turns: [], opened: null, hasEarlier: false, hasMore: true, isLoading: true, problem: null };
  /** The places before and behind what is here. */
  #previous = 0;
  #next = 0;
  #controller: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #live = false;
  /** What was asked for last, and whether it came. */
  #again: () => Promise<void>;
  #came = false;
  readonly #listeners = new Set<() => void>();

  constructor(
    readonly source: TurnSource,
    firstQuery: ConversationQuery,
  ) {
    this.#again = () => this.#open(firstQuery);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): FeedState => this.#state;

  /** Shows another part instead, once it has come. */
  open(query: ConversationQuery): void {
    this.#forget();
    void this.#open(query);
  }

  /** Shows the part in which a step speaks, if it is not here and there is anything else. */
  show(node: number): void {
    const { turns, hasEarlier, hasMore } = this.#state;
    if ((hasEarlier || hasMore) && !turns.some((turn) => turn.node === node)) this.open({ node });
  }

  /** Asks for the page behind what is here, unless one is under way. */
  readonly load = (): void => this.#unlessBusy(() => this.#ask({ after: this.#next }, (page) => this.#append(page)));

  /** Asks for the page before what is here, unless one is under way. */
  readonly loadEarlier = (): void =>
    this.#unlessBusy(() => this.#ask({ before: this.#previous }, (page) => this.#prepend(page)));

  /** Asks for the next page, or once more for what did not come. */
  readonly resume = (): void => (this.#came ? this.load() : this.#unlessBusy(this.#again));

  /** Begins, or goes on from what is here; while `live` what is new comes by itself whenever everything is here. */
  follow(live: boolean): void {
    this.#live = live;
    this.resume();
  }

  /** Forgets what is under way; `follow` goes on from what is here. */
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

  #append({ turns, next, more }: ConversationPage): Partial<FeedState> {
    this.#next = next;
    return { ...(turns.length > 0 && { turns: [...this.#state.turns, ...turns] }), hasMore: more };
  }

  #prepend({ turns, previous, earlier }: ConversationPage): Partial<FeedState> {
    this.#previous = previous;
    return { ...(turns.length > 0 && { turns: [...turns, ...this.#state.turns] }), hasEarlier: earlier };
  }

  async #ask(query: ConversationQuery, take: (page: ConversationPage) => Partial<FeedState>): Promise<void> {
    const controller = new AbortController();
    this.#controller = controller;
    this.#again = () => this.#ask(query, take);
    this.#came = false;
    this.#set({ isLoading: true, problem: null });
    try {
      const page = await this.source.turns(query, controller.signal);
      if (controller.signal.aborted) return;
      this.#came = true;
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
