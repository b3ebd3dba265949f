import { expect, test } from "vitest";
import type { RunEvent } from "../../run/events/events";
import { emptyRunState, foldEvents } from "./fold-events";
import { toSpanChanges, toSpanRow } from "./span-facts";
import { Trace } from "./trace";
import { applyBatch, applyChanges, toBatch } from "./trace-batch";

const events = (
  [
    { type: "run.started", input: { text: "" }, flow: "F" },
    { type: "node.started", id: 1, path: "a#llm-1", kind: "llm_call", name: "m", input: { text: "" } },
    { type: "attempt.queued", id: 1, waitMs: 10 },
    { type: "attempt.failed", id: 1, attempt: 1, error: { code: "network", message: "" }, waitMs: 5 },
    { type: "attempt.queued", id: 1, waitMs: 20 },
    { type: "attempt.failed", id: 1, attempt: 2, error: { code: "network", message: "" }, waitMs: 0 },
    { type: "attempt.failed", id: 1, attempt: 3, error: { code: "network", message: "" }, waitMs: 0 },
    { type: "attempt.queued", id: 1, waitMs: 40 },
  ] as const
).map((event, index): RunEvent => ({ ...event, seq: index + 1, at: index }));

const waits = (trace: Trace): unknown[] => [
  trace.queued.get(0),
  trace.attempts.get(0)?.map(({ queuedMs }) => queuedMs ?? 0),
];

test.each([1, 2, 3, 5, 8])("each wait for a turn belongs to the attempt before it: %i events at once", (size) => {
  const trace = new Trace({});
  for (let from = 0; from < events.length; from += size) {
    const batch = toBatch(events.slice(from, from + size));
    if (batch) applyBatch(trace, batch);
  }
  expect(waits(trace)).toEqual([70, [20, 0, 40]]);
});

test("a stored step has them too", () => {
  const [node] = foldEvents(emptyRunState, events).nodes;
  if (!node) throw new Error("the run has no step");
  const trace = new Trace({});
  applyChanges(trace, toSpanChanges(toSpanRow(node)));
  expect(waits(trace)).toEqual([70, [20, 0, 40]]);
});
