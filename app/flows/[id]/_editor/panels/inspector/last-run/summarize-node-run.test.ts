import { describe, expect, it } from "vitest";
import { noUsage } from "@/lib/core/run/events/usage";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { sampleNode } from "@/lib/core/trace/testing/run.samples";
import { summarizeNodeRun } from "./summarize-node-run";

const used = { ...noUsage, input: 100, output: 20, calls: 1, cost: 0.01 };
const nodes = [
  sampleNode(1, "swarm", { path: "/" }),
  sampleNode(2, "agent", { path: "writer", name: "writer", parent: 1, startedAt: 0, endedAt: 40 }),
  sampleNode(3, "llm_call", { path: "writer#llm-1", parent: 2, usage: used }),
  sampleNode(4, "tool_call", { path: "writer#llm-1#tool-1", parent: 3 }),
  sampleNode(5, "agent", { path: "critic", name: "critic", parent: 1 }),
  sampleNode(6, "llm_call", { path: "critic#llm-1", parent: 5, usage: used }),
  sampleNode(7, "agent", {
    path: "writer#2",
    name: "writer",
    parent: 1,
    startedAt: 50,
    endedAt: 60,
    status: "FAILED",
    error: { code: "provider", message: "No answer." },
  }),
  sampleNode(8, "llm_call", { path: "writer#2#llm-1", parent: 7, usage: { ...used, cost: null } }),
];
const run: RunState = {
  status: "FAILED",
  seq: 1,
  flow: "f",
  input: { text: "" },
  output: { text: "" },
  usage: noUsage,
  simulated: false,
  waiting: 0,
  warnings: 0,
  nodes,
};

describe("the last run of a node", () => {
  it("adds up its rounds, and the calls that are its own", () => {
    expect(summarizeNodeRun(run, "writer")).toMatchObject({
      nodeId: 7,
      status: "FAILED",
      rounds: 2,
      durationMs: 50,
      modelCalls: 2,
      toolCalls: 1,
      usage: { input: 200, output: 40, calls: 2, cost: 0.01, isCostPartial: true },
      error: "No answer.",
    });
    expect(summarizeNodeRun(run, "critic")).toMatchObject({ rounds: 1, modelCalls: 1, toolCalls: 0, error: null });
  });

  it("is nothing for a node that the run did not reach", () => {
    expect(summarizeNodeRun(run, "editor")).toBeNull();
  });
});
