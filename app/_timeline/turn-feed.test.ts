import { describe, expect, test, vi } from "vitest";
import type { Turn } from "@/lib/core/trace/turns";
import { TurnFeed } from "./turn-feed";
import { type TurnPage, turnsOfNodes } from "./turn-source";

const turn = (id: number): Turn => ({
  id,
  node: id,
  type: "answer",
  at: id,
  agent: { path: "a", name: "a" },
  about: "",
  text: `${id}`,
});

/** A source that answers when it is told to. */
class Held {
  readonly asked: { after: number | null; signal: AbortSignal }[] = [];
  #answer: { resolve(page: TurnPage): void; reject(error: Error): void } | null = null;

  turns(after: number | null, signal: AbortSignal): Promise<TurnPage> {
    this.asked.push({ after, signal });
    return new Promise((resolve, reject) => {
      this.#answer = { resolve, reject };
    });
  }
  async give(page: TurnPage): Promise<void> {
    this.#answer?.resolve(page);
    await Promise.resolve().then(() => {});
  }
  async fail(error: Error): Promise<void> {
    this.#answer?.reject(error);
    await Promise.resolve().then(() => {});
  }
}

describe("TurnFeed", () => {
  test("reads on behind what it has, one page at a time", async () => {
    const source = new Held();
    const feed = new TurnFeed(source);
    let told = 0;
    feed.subscribe(() => told++);
    feed.load();
    expect(feed.getState()).toMatchObject({ turns: [], isLoading: true });
    await source.give({ turns: [turn(1), turn(2)], next: 7, more: true });
    expect(feed.getState()).toMatchObject({ turns: [turn(1), turn(2)], isLoading: false, more: true });
    feed.load();
    await source.give({ turns: [turn(8)], next: 9, more: false });
    expect(source.asked.map(({ after }) => after)).toEqual([null, 7]);
    expect(feed.getState()).toMatchObject({ turns: [turn(1), turn(2), turn(8)], more: false });
    expect(told).toBe(4);
  });

  test("asked while a page is under way it asks for no other", async () => {
    const source = new Held();
    const feed = new TurnFeed(source);
    feed.load();
    feed.load();
    await source.give({ turns: [], next: 3, more: false });
    expect(source.asked.length).toBe(1);
    feed.load();
    expect(source.asked.map(({ after }) => after)).toEqual([null, 3]);
  });

  test("a failure is told, and trying again goes on from there", async () => {
    const source = new Held();
    const feed = new TurnFeed(source);
    feed.load();
    await source.give({ turns: [turn(1)], next: 1, more: true });
    feed.load();
    await source.fail(new Error("no line"));
    expect(feed.getState()).toMatchObject({ turns: [turn(1)], isLoading: false, problem: "no line" });
    feed.load();
    expect(feed.getState().problem).toBeNull();
    expect(source.asked.map(({ after }) => after)).toEqual([null, 1, 1]);
  });

  test("while a run goes on what is new comes by itself, also after a failure, until it is stopped", async () => {
    vi.useFakeTimers();
    const source = new Held();
    const feed = new TurnFeed(source);
    feed.follow(true);
    await source.give({ turns: [turn(1)], next: 1, more: false });
    await vi.advanceTimersByTimeAsync(2000);
    await source.fail(new Error("no line"));
    await vi.advanceTimersByTimeAsync(2000);
    await source.give({ turns: [turn(2)], next: 2, more: false });
    expect(source.asked.map(({ after }) => after)).toEqual([null, 1, 1]);
    expect(feed.getState()).toMatchObject({ turns: [turn(1), turn(2)], problem: null });
    feed.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    feed.follow(false);
    await source.give({ turns: [], next: 2, more: false });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(source.asked.length).toBe(4);
    vi.useRealTimers();
  });

  test("stopped, nothing that still comes counts, and it can be taken up again", async () => {
    const source = new Held();
    const feed = new TurnFeed(source);
    feed.load();
    feed.stop();
    expect(source.asked[0]?.signal.aborted).toBe(true);
    await source.give({ turns: [turn(1)], next: 1, more: false });
    expect(feed.getState().turns).toEqual([]);
    feed.load();
    await source.give({ turns: [turn(1)], next: 1, more: false });
    expect(feed.getState().turns).toEqual([turn(1)]);
  });
});

test("the turns of steps that are here come in pages too", async () => {
  const nodes = Array.from({ length: 250 }, (_, index) => ({
    id: index + 1,
    path: `a${index}`,
    kind: "agent" as const,
    name: `a${index}`,
    status: "SUCCESS" as const,
    startedAt: index,
    input: { text: "x" },
    output: { text: "" },
    reasoning: "",
    attempts: [],
    usage: { input: 0, output: 0, cached: 0, reasoning: 0, calls: 0, cost: 0, estimated: false },
    metadata: {},
    simulated: false,
  }));
  const source = turnsOfNodes(nodes);
  const { signal } = new AbortController();
  const first = await source.turns(null, signal);
  expect([first.turns.length, first.more]).toEqual([200, true]);
  const second = await source.turns(first.next, signal);
  expect([second.turns.map(({ node }) => node), second.more]).toEqual([
    Array.from({ length: 50 }, (_, index) => index + 201),
    false,
  ]);
});
