import { expect, test } from "vitest";
import { type SampleSpan, sampleTrace } from "../testing/trace.samples";
import { findAnswerSteps } from "./find-answer-steps";

/** The names of the agents that gave the answer of a run with these steps in its first one. */
function authorsOf(...spans: readonly SampleSpan[]): string[] {
  const trace = sampleTrace([{ start: 0, end: 900 }, ...spans]);
  return findAnswerSteps(trace).map((span) => trace.nameOf(span));
}

test("the answer is that of the last agent, also when another ended later or runs below it", () => {
  expect(authorsOf({ name: "plan", start: 0, end: 100 }, { name: "write", start: 100, end: 200 })).toEqual(["write"]);
  const lead = { name: "lead", start: 0, end: 800 };
  const call: SampleSpan = { kind: "tool_call", parent: 1, start: 10, end: 700 };
  expect(authorsOf(lead, call, { name: "worker", parent: 2, start: 10, end: 700 })).toEqual(["lead"]);
  const spawned = { name: "scout", path: "scout#spawn-1", start: 10, end: 850 };
  expect(authorsOf(lead, spawned)).toEqual(["lead"]);
});

test("agents that ran last at the same time gave it together", () => {
  const before = { name: "plan", start: 0, end: 100 };
  const pair = [
    { name: "a", start: 100, end: 150 },
    { name: "b", start: 100, end: 200 },
  ];
  expect(authorsOf(before, ...pair)).toEqual(["a", "b"]);
  expect(authorsOf(before, ...pair, { name: "last", start: 200, end: 300 })).toEqual(["last"]);
});

test("it is looked for in groups and rounds; steps that pass on a text did not write it", () => {
  const loop: SampleSpan = { kind: "loop", start: 0, end: 500 };
  const rounds: SampleSpan[] = [
    { kind: "round", parent: 1, start: 0, end: 200 },
    { name: "first", parent: 2, start: 0, end: 200 },
    { kind: "round", parent: 1, start: 200, end: 400 },
    { name: "second", parent: 4, start: 200, end: 400 },
  ];
  const approval: SampleSpan = { kind: "approval", start: 500, end: 600 };
  const emptyBranch: SampleSpan = { kind: "branch", start: 600, end: 601 };
  expect(authorsOf(loop, ...rounds, approval, emptyBranch)).toEqual(["second"]);
});

test("no agent, no author", () => {
  expect(authorsOf({ kind: "approval", start: 0, end: 1 })).toEqual([]);
  expect(findAnswerSteps(sampleTrace([]))).toEqual([]);
});
