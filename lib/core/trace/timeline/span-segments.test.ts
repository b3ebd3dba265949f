import { describe, expect, test } from "vitest";
import { sampleTrace } from "../testing/trace.samples";
import { toBarSegments, toSegments } from "./span-segments";
import { toTimeScale } from "./time-scale";

const openCall = () => sampleTrace([{ start: 0 }, { kind: "llm_call", start: 100 }]);
const segmentsOf = (trace: ReturnType<typeof openCall>, now = 200) =>
  toSegments(trace, 1, now).map(({ type, from: start, to: end }) => `${type} ${start}-${end}`);

describe("segments of a model call", () => {
  test("queue, failed attempts, the first token and generating, in this order", () => {
    const trace = openCall();
    trace.addQueueTime(1, 10);
    trace.addAttempt(1, { at: 120, code: "network", waitMs: 5 });
    trace.addAttempt(1, { at: 140, code: "network", waitMs: 10 });
    trace.markFirstToken(1, 170);
    expect(segmentsOf(trace)).toEqual([
      "queue 100-110",
      "attempt 110-120",
      "wait 120-125",
      "attempt 125-140",
      "wait 140-150",
      "first-token 150-170",
      "generate 170-200",
    ]);
  });

  test("a failed attempt comes before the turn that the next one waited for", () => {
    const trace = openCall();
    trace.addQueueTime(1, 10);
    trace.addAttempt(1, { at: 120, code: "rate_limit", waitMs: 5 });
    trace.addQueueTime(1, 25);
    trace.addAttempt(1, { at: 160, code: "network", waitMs: 0, queuedMs: 15 });
    expect(trace.queued.get(1)).toBe(50);
    expect(segmentsOf(trace)).toEqual([
      ...["queue 100-110", "attempt 110-120", "wait 120-125", "queue 125-150"],
      ...["attempt 150-160", "queue 160-175", "first-token 175-200"],
    ]);
  });

  test("without a token all of it waits for the first one", () => {
    expect(segmentsOf(openCall())).toEqual(["first-token 100-200"]);
  });

  test("after the last failed attempt nothing is waited for", () => {
    const trace = openCall();
    trace.addAttempt(1, { at: 150, code: "network" });
    expect(segmentsOf(trace, 150)).toEqual(["attempt 100-150"]);
  });

  test("a wait longer than the call is cut to it, and times out of order never go back", () => {
    const trace = openCall();
    trace.addQueueTime(1, 5000);
    trace.markFirstToken(1, 90);
    expect(segmentsOf(trace)).toEqual(["queue 100-200"]);
  });

  test("a call without length has one segment", () =>
    expect(segmentsOf(openCall(), 100)).toEqual(["generate 100-100"]));
});

test.each([
  ["tool_call", "tool"],
  ["agent", "work"],
  ["approval", "work"],
] as const)("a step of the kind %s is all %s", (kind, type) => {
  const trace = sampleTrace([{ kind, start: 5, end: 9 }]);
  expect(toSegments(trace, 0, 99)).toEqual([{ type, from: 5, to: 9 }]);
});

describe("a bar", () => {
  const trace = sampleTrace([{ start: 0 }, { kind: "agent", start: 100, end: 200 }]);

  test("lies in the box by the scale", () => {
    expect(toBarSegments(trace, 1, toTimeScale({ start: 0, end: 400 }), 0, 80)).toEqual([
      { type: "work", x: 20, width: 20 },
    ]);
  });

  test.each([
    ["before", { start: 201, end: 300 }],
    ["after", { start: 0, end: 99 }],
  ])("of a step %s the visible range is none", (_, range) => {
    expect(toBarSegments(trace, 1, toTimeScale(range), 0, 80)).toBeNull();
  });

  test("that only touches the range is drawn", () => {
    expect(toBarSegments(trace, 1, toTimeScale({ start: 200, end: 300 }), 0, 80)).not.toBeNull();
  });
});
