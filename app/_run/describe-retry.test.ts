import { expect, it } from "vitest";
import { sampleTrace } from "@/lib/core/trace/testing/trace.samples";
import { describeRetry } from "./describe-retry";

const describeAfter = (...finished: string[]) => {
  const trace = sampleTrace([
    { start: 0, end: 90, status: "FAILED" },
    ...finished.map((name, index) => ({ start: index, end: index + 1, name })),
    { start: 20, end: 90, name: "critic", path: "critic", status: "FAILED" as const },
  ]);
  trace.setRun({ status: "FAILED", error: { code: "server", message: "It is on fire." } });
  return describeRetry(trace);
};

it("names the step, and what is reused", () => {
  expect(describeAfter()).toEqual({ label: "Retry from critic", reuse: "" });
  expect(describeAfter("planner", "writer")).toEqual({
    label: "Retry from critic",
    reuse: "Reuses planner and writer at no cost.",
  });
  expect(describeAfter("a", "b", "c", "d").reuse).toBe("Reuses a, b and 2 more agents at no cost.");
});
