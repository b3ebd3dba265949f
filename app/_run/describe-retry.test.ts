import { expect, it } from "vitest";
import type { Flow } from "@/lib/core/flow/flow";
import { fingerprintAgent } from "@/lib/core/kinds/fingerprint-agent";
import { readSource } from "@/lib/core/source/read-source";
import { sampleTrace } from "@/lib/core/trace/testing/trace.samples";
import { describeRetry } from "./describe-retry";

const failAfter = (...finished: string[]) => {
  const trace = sampleTrace([
    { start: 0, end: 90, status: "FAILED" },
    ...finished.map((name, index) => ({ start: index, end: index + 1, name })),
    { start: 20, end: 90, name: "critic", path: "critic", status: "FAILED" as const },
  ]);
  trace.setRun({ status: "FAILED", error: { code: "server", message: "It is on fire." } });
  return trace;
};
const describeAfter = (...finished: string[]) => describeRetry(failAfter(...finished));

const readAgents = (agents: Record<string, string>): Flow =>
  readSource(
    Object.entries(agents).reduce(
      (text, [name, instructions]) => `${text}  ${name}: { model: "demo:x", instructions: "${instructions}" }\n`,
      "agents:\n",
    ),
  ).flow;

it("names the step, and what is reused", () => {
  expect(describeAfter()).toEqual({ label: "Retry from critic", reuse: "" });
  expect(describeAfter("planner", "writer")).toEqual({
    label: "Retry from critic",
    reuse: "Reuses planner and writer at no cost.",
  });
  expect(describeAfter("a", "b", "c", "d").reuse).toBe("Reuses a, b and 2 more agents at no cost.");
});

it("tells which of the reused agents were changed since, and names none that the flow has no more", () => {
  const names = ["a", "planner", "gone"];
  const before = readAgents({ a: "A", planner: "Plan it.", gone: "G", critic: "C" });
  const trace = failAfter(...names);
  trace.setRun({ settings: Object.fromEntries(names.map((name) => [name, fingerprintAgent(before, name) ?? ""])) });
  const describeWith = (agents: Record<string, string>) => describeRetry(trace, readAgents(agents)).reuse;
  expect(describeRetry(trace).reuse).toBe("Reuses a, planner and gone at no cost.");
  expect(describeWith({ a: "A", planner: "Plan it.", critic: "Other." })).toBe("Reuses a and planner at no cost.");
  expect(describeWith({ a: "A", planner: "Changed." })).toBe(
    "Reuses a at no cost. Reuses planner as it was; it was changed since.",
  );
  expect(describeWith({ a: "B", planner: "Changed." })).toBe(
    "Reuses a and planner as they were; they were changed since.",
  );
});
