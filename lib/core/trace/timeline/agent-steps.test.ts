import { describe, expect, it } from "vitest";
import { noUsage, type Usage } from "../../run/events/usage";
import { Trace } from "../model/trace";
import { findFailingAgentStep, layOutBars, listAgentSteps, listLiveSteps, listToolCalls } from "./agent-steps";

const used = (tokens: number, cost: number | null): Usage => ({ ...noUsage, input: tokens, calls: 1, cost });

/** A lead that calls a worker in a tool call, then a router; the worker runs twice. */
function sampleTrace(): Trace {
  const trace = new Trace();
  let id = 0;
  const start = (parent: number | undefined, path: string, kind: Parameters<Trace["start"]>[0]["kind"], at: number) => {
    id++;
    trace.start({ id, parent, path, kind, name: path, at });
    return id;
  };
  const finish = (node: number, at: number, usage: Usage = noUsage): void =>
    trace.end(node - 1, { at, status: "SUCCESS", usage });
  trace.setRun({ status: "RUNNING", startedAt: 1000 });
  const root = start(undefined, "/", "swarm", 1000);
  const lead = start(root, "lead", "agent", 1000);
  finish(start(lead, "lead#llm-1", "llm_call", 1000), 1100, used(10, 0.01));
  const tool = start(lead, "lead#llm-1#tool-1", "tool_call", 1100);
  const worker = start(tool, "worker#call-1-1", "agent", 1100);
  finish(start(worker, "worker#call-1-1#llm-1", "llm_call", 1100), 1500, used(100, 0.1));
  finish(worker, 1500);
  finish(tool, 1500);
  const again = start(lead, "worker#call-2-1", "agent", 1500);
  finish(start(again, "worker#call-2-1#llm-1", "llm_call", 1500), 1600, used(7, 0.02));
  finish(again, 1600);
  finish(start(lead, "lead#llm-2", "llm_call", 1600), 1700, used(20, 0.02));
  finish(lead, 1700);
  const router = start(root, "desk", "router", 1700);
  finish(start(router, "desk#llm-1", "llm_call", 1700), 1800, used(5, 0));
  start(root, "last", "agent", 1800);
  return trace;
}

describe("listLiveSteps", () => {
  const listLive = (status: "RUNNING" | "PAUSED" | "WAITING"): string[] => {
    const trace = new Trace();
    const start = (id: number, path: string, kind: "swarm" | "agent" | "llm_call" | "tool_call", parent?: number) =>
      trace.start({ id, path, kind, name: path, at: 0, ...(parent !== undefined && { parent }) });
    start(1, "/", "swarm");
    for (const [index, name] of ["written", "silent", "asking", "ended"].entries()) start(index + 2, name, "agent", 1);
    start(6, "written#llm-1", "llm_call", 2);
    start(7, "asking#llm-1", "llm_call", 4);
    start(8, "asking#llm-1#tool-1", "tool_call", 4);
    start(9, "ended#llm-1", "llm_call", 5);
    for (const id of [6, 7, 9]) trace.appendText(id - 1, 1, { text: "Half" });
    trace.end(4, { at: 2, status: "SUCCESS", usage: noUsage });
    if (status === "WAITING") trace.setQuestion(7, { type: "tool", message: "Go on?", at: 2, number: 1 });
    trace.setRun({ status, startedAt: 0 });
    const view = trace.view();
    return listLiveSteps(view, listAgentSteps(view)).map(({ key }) => key);
  };

  it("has what is running, and what wrote something before it waited or was paused", () => {
    expect(listLive("RUNNING")).toEqual(["written", "silent", "asking"]);
    expect(listLive("WAITING")).toEqual(["written", "silent", "asking"]);
    expect(listLive("PAUSED")).toEqual(["written", "asking"]);
  });
});

describe("listAgentSteps", () => {
  it("gives each step what it used itself, so that the steps add up to the run", () => {
    const trace = sampleTrace().view();
    const steps = listAgentSteps(trace);
    expect(steps.map(({ key, round, rounds, calls, usage }) => [key, round, rounds, calls, usage.input])).toEqual([
      ["lead", 1, 1, 2, 30],
      ["worker", 1, 2, 1, 100],
      ["worker", 2, 2, 1, 7],
      ["desk", 1, 1, 1, 5],
      ["last", 1, 1, 0, 0],
    ]);
    const sum = (pick: (usage: Usage) => number): number => steps.reduce((total, step) => total + pick(step.usage), 0);
    expect(sum(({ input }) => input)).toBe(trace.usageOf(0).input);
    expect(sum(({ cost }) => cost ?? 0)).toBeCloseTo(trace.usageOf(0).cost ?? 0, 10);
  });

  it("does not take an unknown cost for nothing", () => {
    const trace = new Trace();
    trace.start({ id: 1, path: "a", kind: "agent", name: "a", at: 0 });
    trace.start({ id: 2, parent: 1, path: "a#llm-1", kind: "llm_call", name: "x", at: 0 });
    trace.end(1, { at: 1, status: "SUCCESS", usage: used(1, null) });
    expect(listAgentSteps(trace.view())[0]?.usage.cost).toBeNull();
  });
});

it("lists the tool calls of a step without those of the agents that it called", () => {
  const trace = sampleTrace().view();
  expect(listToolCalls(trace, 1).map((span) => trace.pathOf(span))).toEqual(["lead#llm-1#tool-1"]);
  expect(listToolCalls(trace, 4)).toEqual([]);
});

describe("layOutBars", () => {
  it("puts steps that overlap in lanes of their own, as fractions of the time so far", () => {
    const trace = sampleTrace().view();
    const { bars, lanes } = layOutBars(trace, listAgentSteps(trace), 2000, 4);
    expect(lanes).toBe(2);
    expect(bars.map(({ start, end, lane }) => [start, end, lane])).toEqual([
      [0, 0.7, 0],
      [0.1, 0.5, 1],
      [0.5, 0.6, 1],
      [0.7, 1, 0],
      [0.8, 1, 1],
    ]);
  });

  it("leaves out what does not fit", () => {
    const trace = sampleTrace().view();
    expect(layOutBars(trace, listAgentSteps(trace), 2000, 1).bars.map(({ lane }) => lane)).toEqual([0, 0]);
  });
});

describe("findFailingAgentStep", () => {
  const error = { code: "PROVIDER_ERROR", message: "The loom is broken." } as const;

  it("finds the agent whose call failed first, and none where the run has not failed or failed outside of agents", () => {
    const trace = new Trace();
    trace.setRun({ status: "RUNNING", startedAt: 0 });
    trace.start({ id: 1, path: "/", kind: "swarm", name: "/", at: 0 });
    trace.start({ id: 2, parent: 1, path: "good", kind: "agent", name: "good", at: 0 });
    trace.end(1, { at: 1, status: "SUCCESS", usage: noUsage });
    trace.start({ id: 3, parent: 1, path: "bad", kind: "agent", name: "bad", at: 1 });
    trace.start({ id: 4, parent: 3, path: "bad#llm-1", kind: "llm_call", name: "model", at: 1 });
    const before = trace.view();
    expect(findFailingAgentStep(before, listAgentSteps(before))).toBeUndefined();
    for (const span of [3, 2, 0]) trace.end(span, { at: 2, status: "FAILED", usage: noUsage, code: error.code });
    trace.setRun({ status: "FAILED", error });
    const failed = trace.view();
    const steps = listAgentSteps(failed);
    expect(findFailingAgentStep(failed, steps)?.key).toBe("bad");
    expect(findFailingAgentStep(failed, [])).toBeUndefined();
  });
});
