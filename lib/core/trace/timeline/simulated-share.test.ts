import { expect, test } from "vitest";
import { noUsage } from "../../run/events/usage";
import { sampleTrace } from "../testing/trace.samples";
import { countSimulatedAgents, isPartlySimulated } from "./simulated-share";

test("agents count by their own calls, each once, while a call is running, too", () => {
  const trace = sampleTrace([
    { start: 0 },
    { start: 0, end: 10, path: "planner" },
    { start: 1, end: 2, parent: 1, path: "planner#llm-1", kind: "llm_call", name: "demo:planner" },
    { start: 3, end: 4, parent: 1, path: "planner#llm-2", kind: "llm_call", name: "demo:planner" },
    { start: 10, end: 20, path: "critic" },
    { start: 11, end: 12, parent: 4, path: "critic#llm-1", kind: "llm_call", name: "compatible:llama" },
    { start: 20, path: "writer" },
    { start: 21, parent: 6, path: "writer#llm-1", kind: "llm_call", name: "openai:gpt-5" },
    { start: 22, path: "editor" },
  ]);
  expect(countSimulatedAgents(trace)).toEqual({ simulated: 1, agents: 3 });
  trace.end(7, { at: 30, status: "SUCCESS", usage: noUsage, simulated: true });
  expect(countSimulatedAgents(trace)).toEqual({ simulated: 2, agents: 3 });
  expect(countSimulatedAgents(sampleTrace([{ start: 0 }]))).toEqual({ simulated: 0, agents: 0 });
});

test("a run is partly simulated that asked real models, too", () => {
  expect(isPartlySimulated(["demo:a", "compatible:x"])).toBe(true);
  expect(isPartlySimulated(["demo:a"])).toBe(false);
  expect(isPartlySimulated(["gpt-5"])).toBe(false);
  expect(isPartlySimulated([])).toBe(false);
});
