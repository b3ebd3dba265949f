import { expect, it } from "vitest";
import type { HumanInputRequest, RunNodeKind } from "@/lib/core/run/events/events";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import { Trace } from "@/lib/core/trace/model/trace";
import { applyChanges, toBatch } from "@/lib/core/trace/model/trace-batch";
import { describeWaiting } from "./describe-waiting";

interface Step {
  kind: RunNodeKind;
  name: string;
  parent?: number;
  type?: HumanInputRequest["type"];
}

function toTrace(steps: readonly Step[], status: RunStatus = "WAITING"): Trace {
  const trace = new Trace({ agents: [] });
  const started = steps.map(({ kind, name, parent }, index) => ({
    ...{ type: "node.started" as const, seq: index + 1, at: index, id: index + 1, kind, name, path: `p${index}` },
    ...(parent !== undefined && { parent }),
    input: { text: "" },
  }));
  const batch = toBatch(started);
  if (batch) applyChanges(trace, batch);
  steps.forEach(({ type }, index) => {
    if (type) trace.setQuestion(index, { type, message: "Go on?", at: 0, number: 9 });
  });
  trace.setRun({ ...trace.run, status });
  return trace;
}

const root: Step = { kind: "swarm", name: "main" };

it.each<[Step["type"], RunNodeKind, string]>([
  ["approval", "approval", "Waiting for a person to approve “ok”."],
  ["tool", "tool_call", "Waiting for a person to approve the tool call “ok”."],
  ["question", "tool_call", "Waiting for a person to answer “ok”."],
])("a run that waits for an answer (%s) tells for what", (type, kind, expected) => {
  const step = { kind, name: "ok", parent: 1, ...(type && { type }) };
  expect(describeWaiting(toTrace([root, step]), 0)).toBe(expected);
});

it("several questions are counted, and only those below the step", () => {
  const steps: Step[] = [
    root,
    { kind: "group", name: "g", parent: 1 },
    { kind: "approval", name: "one", parent: 2, type: "approval" },
    { kind: "approval", name: "two", parent: 1, type: "approval" },
  ];
  const trace = toTrace(steps);
  expect(describeWaiting(trace, 0)).toBe("Waiting for a person to decide about “one” and “two”.");
  expect(describeWaiting(trace, 1)).toContain("approve “one”");
});

it.each<[RunNodeKind, string]>([
  ["group", "Waiting for the next agent…"],
  ["agent", "Waiting for output…"],
  ["router", "Waiting for a decision…"],
  ["llm_call", "Waiting for the first token…"],
  ["tool_call", "Waiting for the tool…"],
])("a step of the kind %s that waits for no one: %s", (kind, expected) => {
  const call: Step = { kind: "llm_call", name: "m", parent: 2 };
  expect(describeWaiting(toTrace([root, { kind, name: "a", parent: 1 }, call], "RUNNING"), 1)).toBe(expected);
});

it("a run that waits for no one waits for its next agent, and a paused one to be resumed", () => {
  expect(describeWaiting(toTrace([root], "RUNNING"), 0)).toBe("Waiting for the next agent…");
  expect(describeWaiting(toTrace([root], "PAUSED"), 0)).toBe("The run is paused. Resume it to continue.");
});
