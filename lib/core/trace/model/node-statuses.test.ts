import { describe, expect, it } from "vitest";
import { noUsage } from "../../run/events/usage";
import { type NodeStatuses, SpanKeys, toNodeStatuses } from "./node-statuses";
import { Trace } from "./trace";

const at = 1_000;
const none: NodeStatuses = new Map();

function startedTrace(): Trace {
  const trace = new Trace();
  trace.start({ id: 1, at, path: "", kind: "swarm", name: "Test" });
  trace.start({ id: 2, parent: 1, at, path: "review/ann", kind: "agent", name: "ann" });
  trace.start({ id: 3, parent: 2, at, path: "review/ann#llm-1", kind: "llm_call", name: "x" });
  return trace;
}

const started = { elapsedMs: 0, runningSince: at, tokens: 0, cost: 0 };
const end = { at: 2_000, status: "SUCCESS", usage: noUsage } as const;

describe("toNodeStatuses", () => {
  it("keeps what belongs on the canvas, by node key", () => {
    expect([...toNodeStatuses(startedTrace(), null, new SpanKeys(), none)]).toEqual([
      ["", { status: "RUNNING", simulated: false, runs: 1, ...started }],
      ["review/ann", { status: "RUNNING", simulated: false, runs: 1, ...started }],
    ]);
    expect(toNodeStatuses(new Trace(), null, new SpanKeys(), none).size).toBe(0);
  });

  it("an agent whose tool asks a person waits, and its time goes on", () => {
    const trace = startedTrace();
    trace.start({ id: 4, parent: 2, at, path: "review/ann#tool-1", kind: "tool_call", name: "ask_human" });
    trace.setQuestion(3, { type: "question", message: "Go on?", at, number: 5 });
    const shown = toNodeStatuses(trace, null, new SpanKeys(), none).get("review/ann");
    expect(shown).toMatchObject({ status: "WAITING", runningSince: at });
  });

  it("counts how often a node ran, with the status of the last time", () => {
    const trace = startedTrace();
    trace.end(2, { ...end, simulated: true });
    trace.end(1, end);
    trace.start({ id: 4, parent: 1, at: 3_000, path: "review/ann#2", kind: "agent", name: "ann" });
    expect(toNodeStatuses(trace, null, new SpanKeys(), none).get("review/ann")).toEqual({
      status: "RUNNING",
      simulated: false,
      runs: 2,
      elapsedMs: 1_000,
      runningSince: 3_000,
      tokens: 0,
      cost: 0,
    });
    expect(toNodeStatuses(trace, 2_500, new SpanKeys(), none).get("review/ann")).toEqual({
      status: "SUCCESS",
      simulated: true,
      runs: 1,
      elapsedMs: 1_000,
      runningSince: null,
      tokens: 0,
      cost: 0,
    });
  });

  it("counts the copies that an agent spawned on its own card, whose status stays its own", () => {
    const trace = new Trace();
    trace.start({ id: 1, at, path: "", kind: "swarm", name: "Test" });
    trace.start({ id: 2, parent: 1, at, path: "lead", kind: "agent", name: "lead" });
    for (const [id, path, name] of [
      [3, "lead#spawn-1", "lead"],
      [4, "lead#spawn-2", "lead"],
      [5, "scout#spawn-3", "scout"],
    ] as const)
      trace.start({ id, parent: 1, at, path, kind: "agent", name });
    trace.end(3, end);
    const statuses = toNodeStatuses(trace, null, new SpanKeys(), none);
    expect(statuses.get("lead")).toEqual({ status: "RUNNING", simulated: false, runs: 1, ...started, spawned: 2 });
    expect(statuses.get("scout")).toEqual({ status: "RUNNING", simulated: false, runs: 1, ...started });
  });

  it("adds up the time, tokens and cost of all runs; beside an unknown cost the known part stays", () => {
    const trace = startedTrace();
    const keys = new SpanKeys();
    const usage = { ...noUsage, input: 40, output: 2, calls: 1, cost: 0.5 };
    trace.end(2, { ...end, usage });
    trace.end(1, { ...end, usage });
    expect(toNodeStatuses(trace, null, keys, none).get("review/ann")).toMatchObject({
      elapsedMs: 1_000,
      tokens: 42,
      cost: 0.5,
    });
    trace.start({ id: 4, parent: 1, at: 3_000, path: "review/ann#2", kind: "agent", name: "ann" });
    trace.start({ id: 5, parent: 4, at: 3_000, path: "review/ann#2#llm-1", kind: "llm_call", name: "x" });
    trace.end(4, { ...end, at: 3_250, usage: { ...usage, cost: null } });
    trace.end(3, { ...end, at: 3_250 });
    const twice = toNodeStatuses(trace, null, keys, none).get("review/ann");
    expect(twice).toMatchObject({ elapsedMs: 1_250, tokens: 84, cost: 0.5, isCostPartial: true });
    expect(toNodeStatuses(trace, 3_100, keys, none).get("review/ann")).toMatchObject({
      status: "RUNNING",
      elapsedMs: 1_100,
      runningSince: null,
      tokens: 42,
    });
  });

  it.each([
    ["of the root swarm", "/#handoff-1", "ann//ben"],
    ["of a nested swarm", "desk#handoff-1", "desk/ann//desk/ben"],
  ])("counts a handoff %s on its link, once it has ended", (_, path, link) => {
    const trace = startedTrace();
    const keys = new SpanKeys();
    trace.start({ id: 4, parent: 1, at, path, kind: "handoff", name: "ann → ben" });
    expect(toNodeStatuses(trace, null, keys, none).get(link)).toBeUndefined();
    trace.end(3, { ...end, link: ["ann", "ben"] });
    expect(toNodeStatuses(trace, null, keys, none).get(link)?.runs).toBe(1);
  });

  it("is identical while only text arrives, and keeps the objects of unchanged nodes", () => {
    const trace = startedTrace();
    const keys = new SpanKeys();
    const before = toNodeStatuses(trace, null, keys, none);
    trace.appendText(2, at, { text: "hello" });
    expect(toNodeStatuses(trace, null, keys, before)).toBe(before);
    trace.end(2, end);
    trace.end(1, end);
    const after = toNodeStatuses(trace, null, keys, before);
    expect(after).not.toBe(before);
    expect(after.get("")).toBe(before.get(""));
    expect(after.get("review/ann")?.status).toBe("SUCCESS");
  });

  it("is a new map when a node has gone, also when all others are the same", () => {
    const trace = startedTrace();
    const keys = new SpanKeys();
    const now = toNodeStatuses(trace, null, keys, none);
    expect(toNodeStatuses(trace, at - 1, keys, now).size).toBe(0);
  });
});
