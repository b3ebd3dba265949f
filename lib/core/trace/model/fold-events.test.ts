import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RunEvent } from "../../run/events/events";
import { isTerminal } from "../../run/events/run-status";
import { noUsage, type Usage } from "../../run/events/usage";
import { dropEndedNodes, emptyRunState, findNode, foldEvents } from "./fold-events";
import type { RunState } from "./run-state";

const usage: Usage = { ...noUsage, input: 10, output: 5, calls: 1, cost: null };

/** `a` thinks, fails once, speaks in two pieces; then `b` is cut off. */
const events: readonly RunEvent[] = [
  { seq: 1, at: 100, type: "run.started", input: { text: "hello" }, flow: "Article" },
  { seq: 2, at: 101, type: "node.started", id: 1, path: "/", kind: "swarm", name: "Article", input: { text: "hello" } },
  {
    seq: 3,
    at: 102,
    type: "node.started",
    id: 2,
    parent: 1,
    path: "a",
    kind: "agent",
    name: "a",
    input: { text: "x" },
  },
  {
    seq: 4,
    at: 103,
    type: "node.started",
    id: 3,
    parent: 2,
    path: "a#llm-1",
    kind: "llm_call",
    name: "m",
    input: { text: "[]" },
  },
  { seq: 5, at: 104, type: "request.sent", id: 3, provider: "p", url: "http://x", body: { text: "{}" } },
  {
    seq: 6,
    at: 105,
    type: "attempt.failed",
    id: 3,
    attempt: 1,
    error: { code: "network", message: "reset" },
    waitMs: 1000,
  },
  { seq: 7, at: 1105, type: "reasoning.appended", id: 3, text: "hm" },
  { seq: 8, at: 1106, type: "text.appended", id: 3, text: "Hel" },
  { seq: 9, at: 1107, type: "text.appended", id: 3, text: "lo" },
  {
    seq: 10,
    at: 1108,
    type: "node.finished",
    id: 3,
    status: "SUCCESS",
    output: { text: "Hello" },
    usage,
    metadata: { finishReason: "stop" },
    simulated: true,
  },
  { seq: 11, at: 1109, type: "node.finished", id: 2, status: "SUCCESS", output: { text: "Hello" }, usage },
  { seq: 12, at: 1110, type: "node.finished", id: 1, status: "SUCCESS", output: { text: "Hello" }, usage },
  {
    seq: 13,
    at: 1111,
    type: "run.finished",
    status: "SUCCESS",
    output: { text: "Hello" },
    usage,
    simulated: true,
  },
];

describe("foldEvents", () => {
  test("a whole run", () => {
    const state = foldEvents(emptyRunState, events);
    expect(state).toMatchObject({
      status: "SUCCESS",
      seq: 13,
      flow: "Article",
      startedAt: 100,
      endedAt: 1111,
      output: { text: "Hello" },
      usage,
      simulated: true,
    });
    expect(state.nodes.map((node) => [node.id, node.status, node.output.text])).toEqual([
      [1, "SUCCESS", "Hello"],
      [2, "SUCCESS", "Hello"],
      [3, "SUCCESS", "Hello"],
    ]);
    expect(state.nodes[2]).toMatchObject({
      reasoning: "hm",
      firstTokenAt: 1105,
      endedAt: 1108,
      request: { provider: "p", url: "http://x", body: { text: "{}" } },
      attempts: [{ attempt: 1, at: 105, error: { code: "network", message: "reset" }, waitMs: 1000 }],
      metadata: { finishReason: "stop" },
      simulated: true,
    });
  });

  test("streamed text shows on the call and on its agent, not above", () => {
    const state = foldEvents(emptyRunState, events.slice(0, 9));
    expect(state.nodes.map((node) => node.output.text)).toEqual(["", "Hello", "Hello"]);
    expect(state.nodes.map((node) => node.firstTokenAt)).toEqual([undefined, 1105, 1105]);
  });

  test("a second model call takes over the agent's text", () => {
    const running = foldEvents(emptyRunState, events.slice(0, 10));
    const state = foldEvents(running, [
      {
        seq: 11,
        at: 1,
        type: "node.started",
        id: 4,
        parent: 2,
        path: "a#llm-2",
        kind: "llm_call",
        name: "m",
        input: { text: "[]" },
      },
      { seq: 12, at: 1, type: "text.appended", id: 4, text: "fin" },
    ]);
    expect(findNode(state, 2)?.output).toEqual({ text: "fin" });
    expect(findNode(state, 3)?.output).toEqual({ text: "Hello" });
  });

  test("usage of the run, and of all above that runs, grows with every model call", () => {
    const before = foldEvents(emptyRunState, events.slice(0, 9));
    expect([before.usage, ...before.nodes.map((node) => node.usage)]).toEqual(Array(4).fill(noUsage));
    const after = foldEvents(before, events.slice(9, 10));
    expect([after.usage, ...after.nodes.map((node) => node.usage)]).toEqual(Array(4).fill(usage));
    expect([after.simulated, ...after.nodes.map((node) => node.simulated)]).toEqual(Array(4).fill(true));
    const ended = foldEvents(after, events.slice(10, 12));
    expect([ended.usage, ...ended.nodes.map((node) => node.usage)]).toEqual(Array(4).fill(usage));
  });

  test("parents in a ring do no harm", () => {
    const swarm = { at: 1, type: "node.started", kind: "llm_call", name: "x", input: { text: "" } } as const;
    const state = foldEvents(emptyRunState, [
      { ...swarm, seq: 1, id: 1, parent: 2, path: "a" },
      { ...swarm, seq: 2, id: 2, parent: 1, path: "b" },
      { ...swarm, seq: 3, id: 3, parent: 3, path: "c" },
      { seq: 4, at: 1, type: "node.finished", id: 3, status: "SUCCESS", output: { text: "" }, usage },
      { seq: 5, at: 1, type: "node.finished", id: 2, status: "SUCCESS", output: { text: "" }, usage },
    ]);
    expect(state.nodes.map((node) => node.usage.calls)).toEqual([1, 1, 1]);
  });

  test("nothing new gives the very same state", () => {
    const state = foldEvents(emptyRunState, events);
    expect(foldEvents(state, events)).toBe(state);
    expect(foldEvents(state, [])).toBe(state);
  });

  test("only what changed is replaced, and the old state stays as it was", () => {
    const before = foldEvents(emptyRunState, events.slice(0, 8));
    const copy = structuredClone(before);
    const after = foldEvents(before, events.slice(8, 9));
    expect(before).toEqual(copy);
    expect(after.nodes[0]).toBe(before.nodes[0]);
    expect(after.nodes[2]).not.toBe(before.nodes[2]);
  });

  test("what has ended stays as it ended", () => {
    const state = foldEvents(emptyRunState, [
      ...events,
      { seq: 14, at: 2000, type: "text.appended", id: 3, text: "late" },
      { seq: 15, at: 2000, type: "run.finished", status: "FAILED", output: { text: "" }, usage: noUsage },
    ]);
    expect(state).toMatchObject({ seq: 15, status: "SUCCESS", endedAt: 1111 });
    expect(state.nodes[2]?.output.text).toBe("Hello");
  });

  test("unknown ids, gaps in ids and a node told twice are tolerated", () => {
    const state = foldEvents(emptyRunState, [
      { seq: 3, at: 1, type: "text.appended", id: 99, text: "?" },
      { seq: 5, at: 1, type: "node.started", id: 7, path: "b", kind: "agent", name: "b", input: { text: "" } },
      { seq: 6, at: 1, type: "node.started", id: 4, path: "a", kind: "agent", name: "a", input: { text: "" } },
      { seq: 7, at: 1, type: "node.started", id: 7, path: "b", kind: "agent", name: "other", input: { text: "" } },
      { seq: 8, at: 2, type: "node.finished", id: 7, status: "FAILED", output: { text: "part" }, usage: noUsage },
    ]);
    expect(state.nodes.map((node) => [node.id, node.name, node.status])).toEqual([
      [4, "a", "RUNNING"],
      [7, "b", "FAILED"],
    ]);
    expect(findNode(state, 5)).toBeUndefined();
    expect(findNode(state, 7)?.output.text).toBe("part");
  });

  test("property: any cut into batches, with replays, gives the same state", () => {
    const whole = foldEvents(emptyRunState, events);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(events.length), fc.nat(events.length))), (cuts) => {
        let state: RunState = emptyRunState;
        for (const [from, length] of cuts) {
          const start = Math.min(from, state.seq);
          state = foldEvents(state, events.slice(start, start + length));
        }
        expect(foldEvents(state, events)).toEqual(whole);
      }),
    );
  });

  test("property: dropping what has ended after each batch changes neither the run nor how a node ends", () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 30 }), { maxLength: 8 }), (cuts) => {
        let state = emptyRunState;
        const ended: RunState["nodes"][number][] = [];
        const bounds = [...new Set([...cuts, events.length])].sort((a, b) => a - b);
        for (const [index, end] of bounds.entries()) {
          const folded = foldEvents(state, events.slice(bounds[index - 1] ?? 0, end));
          ended.push(...folded.nodes.filter(({ status }) => isTerminal(status)));
          state = dropEndedNodes(folded);
        }
        const { nodes, ...whole } = foldEvents(emptyRunState, events);
        expect(state).toEqual({ ...whole, nodes: nodes.filter(({ status }) => !isTerminal(status)) });
        expect(ended.sort((a, b) => a.id - b.id)).toEqual(nodes.filter(({ status }) => isTerminal(status)));
      }),
    );
  });

  test("a long stream folded event by event is not quadratic", () => {
    let state = foldEvents(emptyRunState, events.slice(0, 4));
    for (let i = 0; i < 50_000; i++)
      state = foldEvents(state, [{ seq: 5 + i, at: 1, type: "text.appended", id: 3, text: "word " }]);
    expect(findNode(state, 3)?.output.text.length).toBe(250_000);
  });
});
