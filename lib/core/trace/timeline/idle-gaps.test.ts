import { describe, expect, test } from "vitest";
import { type SampleSpan, sampleTrace } from "../testing/trace.samples";
import { idleShare, isWork, runRangeOf, toIdleGaps } from "./idle-gaps";

const call = (start: number, end?: number): SampleSpan => ({
  kind: "llm_call",
  start,
  ...(end !== undefined && { end }),
});
const gapsOf = (spans: readonly SampleSpan[], end: number, now = end): [number, number][] =>
  toIdleGaps(sampleTrace([{ start: 0 }, ...spans]), { start: 0, end }, now).map((gap) => [gap.start, gap.end]);

describe("idle gaps", () => {
  test.each<[string, SampleSpan[], number, [number, number][]]>([
    ["between two calls", [call(0, 1000), call(4000, 5000)], 5000, [[1000, 4000]]],
    [
      "before the first call and after the last one",
      [call(2000, 3000)],
      9000,
      [
        [0, 2000],
        [3000, 9000],
      ],
    ],
    [
      "not where a tool works",
      [call(0, 1000), { kind: "tool_call", start: 1000, end: 4000 }, call(4000, 5000)],
      5000,
      [],
    ],
    [
      "where only an agent waits",
      [call(0, 1000), { kind: "agent", start: 0, end: 4000 }, call(4000, 5000)],
      5000,
      [[1000, 4000]],
    ],
    ["not while a longer call of before still works", [call(0, 6000), call(100, 200), call(5000, 7000)], 7000, []],
    ["not where they are shorter than a second", [call(0, 1000), call(1999, 3000)], 3000, []],
    ["from one second on", [call(0, 1000), call(2000, 3000)], 3000, [[1000, 2000]]],
    ["not where they are less than 4 % of the run", [call(0, 50_000), call(53_999, 100_000)], 100_000, []],
    ["from 4 % of the run on", [call(0, 50_000), call(54_000, 100_000)], 100_000, [[50_000, 54_000]]],
    ["the whole run when nothing works in it", [{ kind: "agent", start: 0, end: 5000 }], 5000, [[0, 5000]]],
  ])("are %s", (_, spans, end, expected) => expect(gapsOf(spans, end)).toEqual(expected));

  test("what still runs works until now", () => {
    expect(gapsOf([call(0)], 9000, 4000)).toEqual([[4000, 9000]]);
    expect(gapsOf([call(0)], 9000)).toEqual([]);
  });

  test("only model and tool calls are work", () => {
    const kinds = ["swarm", "agent", "group", "handoff", "approval", "round", "llm_call", "tool_call"] as const;
    const trace = sampleTrace(kinds.map((kind) => ({ kind, start: 0 })));
    expect(kinds.filter((_, span) => isWork(trace, span))).toEqual(["llm_call", "tool_call"]);
  });

  test.each([
    [[], { start: 0, end: 100 }, 0],
    [
      [
        { start: 0, end: 25 },
        { start: 50, end: 75 },
      ],
      { start: 0, end: 100 },
      0.5,
    ],
    [[{ start: 10, end: 20 }], { start: 10, end: 20 }, 1],
    [[{ start: 0, end: 5 }], { start: 7, end: 7 }, 0],
  ])("the share of the gaps %j in the run %j is %d", (gaps, range, share) =>
    expect(idleShare(gaps, range)).toBe(share),
  );
});

describe("the range of a run", () => {
  const rangeOf = (spans: readonly SampleSpan[], run: { startedAt?: number; endedAt?: number }, now: number) => {
    const trace = sampleTrace(spans);
    trace.setRun(run);
    const { start, end } = runRangeOf(trace, now);
    return [start, end];
  };

  test.each<[string, SampleSpan[], { startedAt?: number; endedAt?: number }, number, [number, number]]>([
    [
      "of a run that ended is from its start to its end",
      [{ start: 20, end: 30 }],
      { startedAt: 10, endedAt: 40 },
      99,
      [10, 40],
    ],
    [
      "reaches to steps outside of it, whose clock differs",
      [{ start: 5, end: 50 }],
      { startedAt: 10, endedAt: 40 },
      99,
      [5, 50],
    ],
    ["of a live run ends now", [{ start: 20 }], { startedAt: 10 }, 60, [10, 60]],
    [
      "of a live run has its newest step in it, also when that begins after now",
      [{ start: 20 }, { start: 80 }],
      { startedAt: 10 },
      60,
      [10, 80],
    ],
    [
      "without times of the run is that of its steps",
      [
        { start: 20, end: 70 },
        { start: 30, end: 40 },
      ],
      {},
      60,
      [20, 70],
    ],
    ["of steps alone that ended ends now at the earliest", [{ start: 20, end: 30 }], {}, 60, [20, 60]],
    ["of nothing is a moment that is not empty", [], {}, 60, [60, 61]],
    ["that ended in the millisecond of its start is not empty", [], { startedAt: 10, endedAt: 10 }, 60, [10, 11]],
  ])("%s", (_, spans, run, now, expected) => expect(rangeOf(spans, run, now)).toEqual(expected));
});
