import { describe, expect, test } from "vitest";
import { type SampleSpan, sampleTrace } from "../testing/trace.samples";
import { findParallelSteps, isParallelGroup } from "./parallel-steps";

/** The groups of steps below a swarm, as texts. */
function groupsOf(spans: readonly SampleSpan[]): string[] {
  const found = findParallelSteps(sampleTrace([{ start: 0, end: 900 }, ...spans]));
  return [...new Set(found.values())].map(({ members, lanes }) => `${lanes}: ${members.join(" ")}`);
}

describe("steps that ran at once", () => {
  test("are siblings of which one starts before another has ended", () => {
    const before = { start: 0, end: 100 };
    const after = { start: 300, end: 400 };
    const both = [
      { start: 100, end: 300 },
      { start: 100, end: 200 },
    ];
    expect(groupsOf([before, ...both, after])).toEqual(["2: 2 3"]);
  });

  test("are none where each starts when the one before has ended", () => {
    expect(
      groupsOf([
        { start: 0, end: 100 },
        { start: 100, end: 100 },
        { start: 100, end: 200 },
      ]),
    ).toEqual([]);
  });

  test("count as many lanes as there were at one moment", () => {
    const [long, first, second] = [
      { start: 0, end: 300 },
      { start: 0, end: 100 },
      { start: 100, end: 300 },
    ];
    expect(groupsOf([long, first, second])).toEqual(["2: 1 2 3"]);
  });

  test("are those that ran so before a fork took them over", () => {
    expect(
      groupsOf([
        { start: 500, end: 500, ran: [0, 100] },
        { start: 500, end: 500, ran: [100, 300] },
        { start: 500, end: 500, ran: [110, 200] },
        { start: 500, end: 800 },
      ]),
    ).toEqual(["2: 2 3"]);
  });

  test("also while they run, and stay the same when they end", () => {
    expect(groupsOf([{ start: 0 }, { start: 5 }])).toEqual(["2: 1 2"]);
    expect(groupsOf([{ start: 0, end: 9 }, { start: 5 }])).toEqual(["2: 1 2"]);
  });

  test("are those of a swarm, not calls of an agent and not the members of a named group", () => {
    expect(
      groupsOf([
        { start: 0, end: 100 },
        { start: 10, end: 50, parent: 1, kind: "tool_call" },
        { start: 10, end: 50, parent: 1, kind: "tool_call" },
        { start: 100, end: 200, kind: "group" },
        { start: 100, end: 200, parent: 4 },
        { start: 100, end: 200, parent: 4 },
      ]),
    ).toEqual([]);
  });
});

describe("a named parallel group", () => {
  const isParallel = (...members: readonly SampleSpan[]): boolean =>
    isParallelGroup(sampleTrace([{ start: 0, kind: "group" }, ...members.map((span) => ({ ...span, parent: 0 }))]), 0);

  test("has members that run at the same time, also while they run", () => {
    expect(isParallel({ start: 0, end: 100 }, { start: 0, end: 50 })).toBe(true);
    expect(isParallel({ start: 0 }, { start: 5 })).toBe(true);
  });

  test("is none whose members follow each other, or that has one member", () => {
    expect(isParallel({ start: 0, end: 100 }, { start: 100, end: 150 })).toBe(false);
    expect(isParallel({ start: 0 })).toBe(false);
  });

  test("is a group, and not an agent whose tools run at the same time", () => {
    const tool = { start: 0, end: 9, parent: 0, kind: "tool_call" } as const;
    expect(isParallelGroup(sampleTrace([{ start: 0, end: 9, kind: "agent" }, tool, tool]), 0)).toBe(false);
  });
});
