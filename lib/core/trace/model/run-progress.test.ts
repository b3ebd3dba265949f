import { expect, test } from "vitest";
import { sampleTrace } from "../testing/trace.samples";
import { findNotReached, toRunProgress } from "./run-progress";

const createTrace = () =>
  sampleTrace([
    { start: 0, end: 90, status: "FAILED" },
    { start: 0, end: 10, name: "planner" },
    { start: 10, end: 20, name: "critic" },
    { start: 20, end: 90, name: "critic", status: "FAILED" },
  ]);

test("a failed run keeps the agents that succeeded, and did not reach those without a step", () => {
  const trace = createTrace();
  trace.setRun({ status: "FAILED", plan: ["planner", "critic", "writer", "editor"] });
  expect(toRunProgress(trace)).toEqual({ finished: ["planner"], notReached: ["writer", "editor"] });
  expect(findNotReached(trace)).toEqual(["writer", "editor"]);
});

test.each(["RUNNING", "SUCCESS"] as const)("of a run that is %s nothing counts as not reached", (status) => {
  const trace = createTrace();
  trace.setRun({ status, plan: ["planner", "writer"] });
  expect(toRunProgress(trace).notReached).toEqual([]);
  expect(findNotReached(trace)).toEqual([]);
});

test("without a plan nothing is known to be missing", () => {
  const trace = createTrace();
  trace.setRun({ status: "FAILED" });
  expect(toRunProgress(trace).notReached).toEqual([]);
});
