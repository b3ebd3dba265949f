import { describe, expect, test } from "vitest";
import { type SampleSpan, sampleTrace } from "../testing/trace.samples";
import { toGroups } from "./span-groups";
import { toTimes } from "./span-times";
import { wallTime } from "./wall-time";

const call = (name: string, start: number, end: number, usage: SampleSpan["usage"] = {}): SampleSpan => ({
  kind: "llm_call",
  name,
  start,
  end,
  usage,
});

describe("groups of steps", () => {
  test("sum time, tokens, cost and failures, the longest first", () => {
    const trace = sampleTrace([
      { start: 0, end: 100 },
      call("m1", 0, 10, { input: 5, output: 2, cost: 0.25 }),
      call("m2", 0, 50, { input: 1, output: 1, cost: 1 }),
      { ...call("m1", 10, 30, { input: 3, output: 1, cost: 0.5 }), status: "FAILED" },
    ]);
    const groups = toGroups(trace, "model", 100).map(({ number: _, ...group }) => group);
    expect(groups).toEqual([
      { name: "m2", spans: [2], tokens: 2, cost: 1, time: 50, failed: 0 },
      { name: "m1", spans: [1, 3], tokens: 11, cost: 0.75, time: 30, failed: 1 },
    ]);
  });

  test("beside an unknown cost its group keeps the known part, and other groups are whole", () => {
    const trace = sampleTrace([
      { start: 0 },
      call("a", 0, 1, { cost: null }),
      call("a", 0, 1, { cost: 1 }),
      call("b", 0, 1, { cost: 2 }),
    ]);
    expect(toGroups(trace, "model", 9).map(({ name, cost, isCostPartial }) => [name, cost, isCostPartial])).toEqual([
      ["a", 1, true],
      ["b", 2, undefined],
    ]);
  });

  test("each grouping takes steps of its kind only; of equally long ones the first by name comes first", () => {
    const trace = sampleTrace([
      { start: 0, end: 9 },
      { kind: "agent", name: "zoe", start: 0, end: 5 },
      { kind: "agent", name: "ann", start: 0, end: 5 },
      { kind: "tool_call", name: "search", start: 0, end: 5 },
      call("m", 0, 5),
    ]);
    const namesOf = (grouping: Parameters<typeof toGroups>[1]) => toGroups(trace, grouping, 9).map(({ name }) => name);
    expect([namesOf("agent"), namesOf("tool"), namesOf("model")]).toEqual([["ann", "zoe"], ["search"], ["m"]]);
  });

  /** A lead that works 10 ms, waits for two agents at once, works 5 ms, and leaves one behind that goes on. */
  const delegated = sampleTrace([
    { start: 0, end: 100 },
    { kind: "agent", name: "lead", parent: 0, start: 0, end: 60 },
    { ...call("m", 0, 10, { input: 10, cost: 1 }), parent: 1 },
    { kind: "tool_call", name: "ask", parent: 1, start: 10, end: 50 },
    { kind: "agent", name: "worker", parent: 3, start: 10, end: 40, usage: { input: 100, cost: 2 } },
    { ...call("m", 10, 40, { input: 100, cost: 2 }), parent: 4 },
    { kind: "tool_call", name: "ask", parent: 1, start: 10, end: 50 },
    { kind: "agent", name: "worker", parent: 6, start: 20, end: 50 },
    { ...call("m", 20, 50, { input: 7, cost: 0 }), parent: 7 },
    { kind: "tool_call", name: "spawn_agent", parent: 1, start: 50, end: 55 },
    { kind: "agent", name: "late", parent: 9, start: 52, end: 100 },
    { ...call("m", 55, 100, { input: 3, cost: 0 }), parent: 10 },
  ]);
  delegated.queued.set(2, 4);
  delegated.queued.set(5, 6);

  test("of agents have what each did itself, so that they add up to the run", () => {
    const groups = toGroups(delegated, "agent", 100);
    expect(groups.map(({ name, tokens, cost, time }) => [name, tokens, cost, time])).toEqual([
      ["worker", 107, 2, 60],
      ["late", 3, 0, 48],
      ["lead", 10, 1, 17],
    ]);
  });

  test("have the time that is asked for: what waited for a turn, or worked", () => {
    const timesOf = (grouping: Parameters<typeof toGroups>[1], meaning: "queue" | "work") =>
      Object.fromEntries(toGroups(delegated, grouping, 100, meaning).map(({ name, time }) => [name, time]));
    expect(timesOf("agent", "queue")).toEqual({ lead: 4, worker: 6, late: 0 });
    expect(timesOf("model", "queue")).toEqual({ m: 10 });
    expect(timesOf("model", "work")).toEqual({ m: 105 });
    expect(timesOf("agent", "work")).toEqual({ lead: 28, worker: 54, late: 45 });
    expect(toTimes(delegated, "work", 100)[0]).toBe(28 + 54 + 45);
  });

  test("what still runs counts until now", () => {
    expect(toGroups(sampleTrace([{ start: 0 }, { start: 10 }]), "agent", 35)[0]?.time).toBe(25);
  });
});

describe("times of steps", () => {
  const trace = sampleTrace([
    { start: 0, end: 100 },
    { start: 0, end: 60 },
    { ...call("m", 10, 40), parent: 1 },
    { kind: "tool_call", parent: 1, start: 40, end: 55 },
    { start: 60, end: 100 },
    { ...call("m", 70, 80), parent: 4 },
  ]);
  trace.queued.set(2, 12);
  trace.queued.set(5, 99);

  test.each([
    ["queue", [111, 12, 12, 0, 99, 99]],
    ["work", [33, 33, 18, 15, 0, 0]],
  ] as const)("%s: %j", (meaning, expected) => expect([...toTimes(trace, meaning, 100)]).toEqual(expected));

  test("wall: from the start of each step to its end", () => {
    const times = Array.from({ length: trace.length }, (_, span) => wallTime(trace, span, 100));
    expect(times).toEqual([100, 60, 30, 15, 40, 10]);
  });

  test("a step that began after now took no time", () => {
    expect(wallTime(sampleTrace([{ start: 50 }]), 0, 20)).toBe(0);
    expect([...toTimes(sampleTrace([]), "work", 5)]).toEqual([]);
  });
});
