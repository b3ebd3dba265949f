import { expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import type { RunEvent } from "../events/events";
import type { Usage } from "../events/usage";
import type { ModelEvent, ModelRequest } from "../ports/model";
import { continueRun, type RunSketch } from "../testing/killed-run";
import { expectValid } from "../testing/run-shapes";
import type { ScriptedTurn } from "../testing/scripted-model";
import { runScripted } from "../testing/scripted-run";

const agents = (...names: string[]): string =>
  `agents:\n${names.map((name) => `  ${name}: { model: "scripted:m" }\n`).join("")}`;

const indexOfStart = (events: readonly RunEvent[], path: string): number =>
  events.findIndex((event) => event.type === "node.started" && event.path === path);
const usageOf = (events: readonly RunEvent[]): Partial<Usage> => {
  const last = events.at(-1);
  return last?.type === "run.finished" ? last.usage : {};
};

test("calls inside a failed group count against the budget of a resumed run", async () => {
  const source = `${agents("a", "b", "c", "d")}groups:
  x: { type: serial, flow: a >> b }
  g: { on_error: continue, flow: x | d }
limits: { max_tokens: 2000 }
swarm: { flow: g >> c }
`;
  const script = ({ agent }: ModelRequest): ScriptedTurn => {
    if (agent === "b") return { end: { class: "invalid-request", message: "no", status: 400 } };
    return { text: agent, usage: { output: agent === "d" ? 0 : 1200 } };
  };
  const whole = await continueRun({ source, script });
  expect(whole.at(-1)).toMatchObject({ status: "FAILED", error: { code: "limit" } });
  const index = indexOfStart(whole, "c#llm-1");
  expect(index).toBeGreaterThan(0);
  const resumed = await continueRun({ source, script }, whole.slice(0, index + 1));
  expectValid(resumed);
  expect(resumed.at(-1)).toMatchObject({ status: "FAILED", error: { code: "limit" } });
  expect(usageOf(resumed)).toEqual(usageOf(whole));
});

test("an interrupted attempt counts against the budget of a resumed run", async () => {
  const source = `${agents("a")}limits: { max_tokens: 300 }\nswarm: { flow: a }\n`;
  let calls = 0;
  const script = (): ScriptedTurn =>
    calls++ === 0 ? { text: "x".repeat(800), end: "never" } : { text: "done", usage: { input: 150 } };
  const first = await continueRun({ source, script }, [], (events) => events.at(-1)?.type === "text.appended");
  const resumed = await continueRun({ source, script }, first);
  expect(resumed.at(-1)).toMatchObject({ status: "FAILED", error: { code: "limit" } });
});

test("attempts that failed before a crash are in the usage of their call", async () => {
  const source = `${agents("a")}swarm: { flow: a }\n`;
  const script = (calls: { count: number }) => (): ScriptedTurn =>
    calls.count++ === 0 ? { end: { class: "network", message: "gone" } } : { text: "done", usage: { input: 7 } };
  const whole = await continueRun({ source, script: script({ count: 0 }) });
  expect(usageOf(whole)).toMatchObject({ calls: 2, estimated: true });
  const calls = { count: 0 };
  const isRetrying = (events: readonly RunEvent[]): boolean => events.at(-1)?.type === "attempt.failed";
  let events = await continueRun({ source, script: script(calls) }, [], isRetrying);
  const sent = (all: readonly RunEvent[]): boolean => all.at(-1)?.type === "request.sent";
  const slow: RunSketch = { source, script: () => ({ end: "never" }) };
  events = await continueRun(slow, events, sent);
  events = await continueRun({ source, script: script(calls) }, events);
  expectValid(events);
  const { input = 0 } = usageOf(whole);
  expect(usageOf(events)).toMatchObject({ calls: 3, input: 7 + 2 * (input - 7) });
});

test("a call that was stopped before it was sent costs nothing", async () => {
  const { flow } = readSource(`${agents("a")}swarm: { flow: a }\n`);
  async function* stream({ signal }: ModelRequest): AsyncGenerator<ModelEvent> {
    await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  }
  const ran = await runScripted(flow, {
    script: {},
    wrapModels: () => ({ find: () => ({ model: { stream }, name: "m", provider: "p" }) }),
    onEvent: (event, { abort }) => {
      if (event.type === "node.started" && event.kind === "llm_call") setImmediate(() => abort.abort());
    },
  });
  expect(ran.last).toMatchObject({ status: "CANCELLED", usage: { calls: 0, cost: 0 } });
});

test("a run that is stopped before it goes on leaves no step open", async () => {
  const source = `${agents("a", "b")}swarm: { flow: (a | b) }\n`;
  const script = (): ScriptedTurn => ({ end: "never" });
  const first = await continueRun({ source, script }, [], (events) => events.length > 6);
  const abort = new AbortController();
  abort.abort();
  const all = await continueRun({ source, script, context: () => ({ signal: abort.signal }) }, first);
  expectValid(all);
  expect(all.at(-1)).toMatchObject({ status: "CANCELLED" });
});

test("the open call of a run that is stopped before it goes on is in its usage, its cost unknown", async () => {
  const source = `${agents("a", "b")}swarm: { flow: (a | b) }\n`;
  const script = ({ agent }: ModelRequest): ScriptedTurn =>
    agent === "a" ? { text: "x".repeat(400), end: "never" } : { text: "b", usage: { input: 5, output: 1, cost: 0.5 } };
  const isCut = (events: readonly RunEvent[]): boolean =>
    events.filter(({ type }) => type === "text.appended").length === 2 &&
    events.filter(({ type }) => type === "node.finished").length === 2;
  const first = await continueRun({ source, script }, [], isCut);
  expect(first.at(-1)?.type).not.toBe("run.finished");
  const abort = new AbortController();
  abort.abort();
  const resumed = await continueRun({ source, script, context: () => ({ signal: abort.signal }) }, first);
  expectValid(resumed);
  const usage = usageOf(resumed);
  expect(usage).toMatchObject({ cost: 0.5, isCostPartial: true, estimated: true });
  expect(usage.calls).toBeGreaterThan(0);
  expect(usage.output).toBeGreaterThan(50);
  expect(usage.input).toBeGreaterThan(5);
  const call = first.find((event) => event.type === "node.started" && event.path === "a#llm-1");
  const ended = resumed.find(
    (event) => event.type === "node.finished" && event.id === (call && "id" in call && call.id),
  );
  expect(ended).toMatchObject({ usage: { calls: 1, cost: null, estimated: true } });
});

test("the finished calls of a run that is stopped before it goes on are in its usage", async () => {
  const source = `${agents("a", "b", "c")}loops:\n  again: { body: b, count: 3 }\nswarm: { flow: a >> again >> c }\n`;
  const usages: Readonly<Record<string, ScriptedTurn>> = {
    a: { text: "a", usage: { input: 5, output: 1, cost: 0.5 } },
    b: { text: "b", usage: { input: 7, output: 2, cost: 0.25 } },
  };
  const script = ({ agent }: ModelRequest): ScriptedTurn => usages[agent] ?? { text: "c", end: "never" };
  const hasBegun = (events: readonly RunEvent[]): boolean =>
    events.some((event) => event.type === "node.started" && event.path === "c");
  const first = await continueRun({ source, script }, [], hasBegun);
  const abort = new AbortController();
  abort.abort();
  const resumed = await continueRun({ source, script, context: () => ({ signal: abort.signal }) }, first);
  expectValid(resumed);
  // With the call of c, whose input is estimated, and whose cost is not known.
  expect(resumed.at(-1)).toMatchObject({
    status: "CANCELLED",
    usage: { calls: 5, output: 8, cost: 1.25, isCostPartial: true },
  });
  expect(usageOf(resumed).input).toBeGreaterThan(26);
});
