import { describe, expect, test, vi } from "vitest";
import type { ConversationEntry, ConversationPage } from "@/lib/core/trace/conversation/conversation-entries";
import { sampleNode } from "@/lib/core/trace/testing/run.samples";
import { type ConversationQuery, fromBeginning, fromEnd, turnsOfNodes } from "../source/turn-source";
import { TurnFeed } from "./turn-feed";

const turn = (id: number): ConversationEntry => ({
  id,
  node: id,
  type: "answer",
  at: id,
  agent: { path: "a", name: "a" },
  about: "",
  text: `${id}`,
});

/** A page with these turns, the only one unless `rest` overrides it. */
const pageOf = (ids: readonly number[], rest: Partial<ConversationPage> = {}): ConversationPage => ({
  turns: ids.map(turn),
  previous: (ids[0] ?? 1) - 1,
  next: ids.at(-1) ?? 0,
  earlier: false,
  more: false,
  ...rest,
});

/** A source that answers when it is told to. */
class Held {
  readonly asked: ConversationQuery[] = [];
  signal = new AbortController().signal;
  #answer: { resolve(page: ConversationPage): void; reject(error: Error): void } | null = null;

  turns(query: ConversationQuery, signal: AbortSignal): Promise<ConversationPage> {
    this.asked.push(query);
    this.signal = signal;
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
    });
  }
  async give(page: ConversationPage): Promise<void> {
    this.#answer?.resolve(page);
    await Promise.resolve().then(() => {});
  }
  async fail(error: Error): Promise<void> {
    this.#answer?.reject(error);
    await Promise.resolve().then(() => {});
  }
}

/** A feed that asks a held source, and the numbers of the turns that it has. */
function begin(first: ConversationQuery = fromBeginning) {
  const source = new Held();
  const feed = new TurnFeed(source, first);
  feed.follow(false);
  return { source, feed, ids: () => feed.getState().turns.map(({ id }) => id) };
}

describe("TurnFeed", () => {
  test("loads the pages after the loaded part, one at a time", async () => {
    const { source, feed, ids } = begin();
    let told = 0;
    feed.subscribe(() => told++);
    expect(feed.getState()).toMatchObject({ turns: [], opened: null, isLoading: true });
    await source.give(pageOf([1, 2], { next: 7, more: true }));
    expect(feed.getState()).toMatchObject({ opened: fromBeginning, isLoading: false, hasMore: true });
    feed.load();
    await source.give(pageOf([8]));
    expect(source.asked).toEqual([{ after: 0 }, { after: 7 }]);
    expect([ids(), feed.getState().hasMore]).toEqual([[1, 2, 8], false]);
    expect(told).toBe(3);
  });

  test("loads the pages before the loaded part, and keeps that part", async () => {
    const { source, feed, ids } = begin({ node: 5 });
    await source.give(pageOf([4, 5, 6], { previous: 3, earlier: true, more: true }));
    const { opened } = feed.getState();
    feed.loadEarlier();
    await source.give(pageOf([2], { previous: 0, more: false }));
    expect(source.asked).toEqual([{ node: 5 }, { before: 3 }]);
    expect([ids(), feed.getState().opened]).toEqual([[2, 4, 5, 6], opened]);
    expect(feed.getState()).toMatchObject({ hasEarlier: false, hasMore: true });
    feed.load();
    expect(source.asked.at(-1)).toEqual({ after: 6 });
  });

  test("another part takes the place of what is here once it has come, whatever was under way", async () => {
    const { source, feed, ids } = begin();
    await source.give(pageOf([1], { more: true }));
    feed.load();
    const { signal } = source;
    feed.open(fromEnd);
    expect([signal.aborted, ids()]).toEqual([true, [1]]);
    await source.give(pageOf([90, 91], { earlier: true }));
    expect([ids(), feed.getState().opened]).toEqual([[90, 91], fromEnd]);
    feed.loadEarlier();
    expect(source.asked.slice(1)).toEqual([{ after: 1 }, fromEnd, { before: 89 }]);
  });

  test("goes to where a step speaks only when that is not here and something is missing", async () => {
    const { source, feed } = begin();
    await source.give(pageOf([1, 2], { more: true }));
    feed.show(2);
    expect(source.asked.length).toBe(1);
    feed.show(7);
    await source.give(pageOf([6, 7, 8]));
    expect(source.asked.at(-1)).toEqual({ node: 7 });
    feed.show(9);
    expect(source.asked.length).toBe(2);
  });

  test("asked while a page is under way it asks for no other", async () => {
    const { source, feed } = begin();
    feed.load();
    feed.loadEarlier();
    await source.give(pageOf([], { next: 3 }));
    expect(source.asked.length).toBe(1);
    feed.load();
    expect(source.asked).toEqual([{ after: 0 }, { after: 3 }]);
  });

  test("a failure is told, and what did not come is asked for again", async () => {
    const { source, feed, ids } = begin();
    await source.give(pageOf([5], { earlier: true, more: true }));
    feed.loadEarlier();
    await source.fail(new Error("no line"));
    expect(feed.getState()).toMatchObject({ isLoading: false, problem: "no line" });
    feed.resume();
    expect(feed.getState().problem).toBeNull();
    await source.give(pageOf([4]));
    expect(source.asked.slice(1)).toEqual([{ before: 4 }, { before: 4 }]);
    expect(ids()).toEqual([4, 5]);
    feed.resume();
    expect(source.asked.at(-1)).toEqual({ after: 5 });
  });

  test("while a run goes on what is new comes by itself, also after a failure, until it is stopped", async () => {
    vi.useFakeTimers();
    const { source, feed, ids } = begin(fromEnd);
    feed.follow(true);
    await source.give(pageOf([1]));
    await vi.advanceTimersByTimeAsync(2000);
    await source.fail(new Error("no line"));
    await vi.advanceTimersByTimeAsync(2000);
    await source.give(pageOf([2]));
    expect(source.asked).toEqual([fromEnd, { after: 1 }, { after: 1 }]);
    expect([ids(), feed.getState().problem]).toEqual([[1, 2], null]);
    feed.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    feed.follow(false);
    await source.give(pageOf([], { next: 2 }));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(source.asked.length).toBe(4);
    vi.useRealTimers();
  });

  test("stopped, nothing that still comes counts, and what was under way is asked for again", async () => {
    const { source, feed, ids } = begin();
    await source.give(pageOf([1], { more: true }));
    feed.open({ node: 9 });
    feed.stop();
    expect(source.signal.aborted).toBe(true);
    await source.give(pageOf([9]));
    expect(ids()).toEqual([1]);
    feed.follow(false);
    await source.give(pageOf([9]));
    expect(source.asked).toEqual([{ after: 0 }, { node: 9 }, { node: 9 }]);
    expect(ids()).toEqual([9]);
  });
});

describe("the turns of steps that are here", () => {
  const nodes = Array.from({ length: 500 }, (_, index) => sampleNode(index + 1, "agent"));
  const source = turnsOfNodes([...nodes, sampleNode(501, "llm_call", { startedAt: 11, endedAt: 2505 })]);
  const { signal } = new AbortController();
  const read = async (query: ConversationQuery): Promise<unknown[]> => {
    const { turns, earlier, more } = await source.turns(query, signal);
    return [turns[0]?.node, turns.at(-1)?.node, turns.length, earlier, more];
  };

  test("come in pages, from both ends", async () => {
    expect(await read(fromBeginning)).toEqual([1, 200, 200, false, true]);
    expect(await read({ after: 400 })).toEqual([400, 500, 101, true, false]);
    expect(await read(fromEnd)).toEqual([301, 500, 200, true, false]);
    expect(await read({ before: 150 })).toEqual([1, 150, 150, false, true]);
  });

  test("come round a step: a model speaks once it has ended", async () => {
    expect(await read({ node: 300 })).toEqual([501, 449, 200, true, true]);
    expect(await read({ node: 3 })).toEqual([1, 200, 200, false, true]);
    expect(await read({ node: 501 })).toEqual([201, 399, 200, true, true]);
    expect(await read({ node: 9999 })).toEqual([451, 500, 50, true, false]);
  });
});
