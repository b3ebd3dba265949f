import { expect, test } from "vitest";
import { readSource } from "../../source/read-source";
import { emptyRunState, foldEvents } from "../../trace/model/fold-events";
import type { RunEvent } from "../events/events";
import { continueRun, type RunSketch } from "../testing/killed-run";
import { expectValid, Outside } from "../testing/run-shapes";
import { forkEvents } from "./fork-events";

const toSource = (flow: string, { declared = "", names = ["a", "b", "c", "e"], limit = 1 } = {}): string =>
  `agents:\n${names.map((name) => `  ${name}: { model: "scripted:m", tools: [note]${name === "b" ? `, max_steps: ${limit}` : ""} }\n`).join("")}${declared}swarm: { flow: ${flow} }\n`;

/** A retry, with another flow, of a run in which `b` failed after its first call. Agents call a tool, then answer. */
async function retry(before: string, after: string) {
  const sketch = (source: string): RunSketch & { outside: Outside } => {
    const outside = new Outside();
    return { source, script: outside.script, tools: [outside.tool], outside };
  };
  const parent = await continueRun(sketch(before));
  expect(parent.at(-1)).toMatchObject({ status: "FAILED", error: { code: "step-limit" } });
  const flows = { before: readFlow(before), after: readFlow(after) };
  const { events } = forkEvents(parent, { node: null, now: 9_000, flows });
  const next = sketch(after);
  const all = await continueRun(next, events);
  expectValid(all);
  return { all, state: foldEvents(emptyRunState, all), asked: next.outside.modelCalls.map(toAgent) };
}

const readFlow = (source: string) => readSource(source, { tools: ["note"] }).flow;
const toAgent = (request: string): string => JSON.parse(request)[0];
const agentsOf = (events: readonly RunEvent[]): string[] =>
  events.flatMap((event) => (event.type === "node.started" && event.kind === "agent" ? [event.path] : []));

test("an agent that failed and is the same goes on with what it had done", async () => {
  const { all, asked } = await retry(toSource("a >> b >> c"), toSource("a >> b >> c", { limit: 5 }));
  expect(all.at(-1)).toMatchObject({ status: "SUCCESS" });
  expect([agentsOf(all), asked]).toEqual([
    ["a", "b", "c"],
    ["b", "c"],
  ]);
});

test("an agent that failed and that the flow has no more is not shown", async () => {
  for (const flow of ["a >> e >> c", "a >> c"]) {
    const { all, state } = await retry(toSource("a >> b >> c"), toSource(flow, { limit: 5 }));
    expect(all.at(-1)).toMatchObject({ status: "SUCCESS" });
    expect(agentsOf(all)).toEqual(flow.split(" >> "));
    expect(state.nodes.filter(({ path }) => path.startsWith("b"))).toEqual([]);
    expect(state.nodes.find(({ path }) => path === "a")?.metadata.reused).toBe(true);
  }
});

test("an agent that gets another one before it starts anew, after that one, with its answer", async () => {
  const { state, asked } = await retry(toSource("a >> b >> c"), toSource("a >> e >> b >> c", { limit: 5 }));
  const [extra, failed] = ["e", "b"].map((path) => state.nodes.find((node) => node.path === path));
  expect(failed?.startedAt).toBeGreaterThanOrEqual(extra?.endedAt ?? Number.POSITIVE_INFINITY);
  expect(failed?.input).toEqual(extra?.output);
  expect(asked).toEqual(["e", "e", "b", "b", "c"]);
});

test.each([
  ["of what ran at once", "(a | e) >> b", "(a | c) >> b", ["a"]],
  ["an agent before that is gone", "a >> e >> b", "a >> b", ["a"]],
  ["one after another instead of at once", "(a | e) >> b", "a >> e >> b", ["a"]],
  ["the other way round", "a >> e >> b", "e >> a >> b", []],
  ["in a group that contains others", "g >> b", "g >> b", ["g/a"]],
  ["a group instead of an agent", "a >> b", "g >> b", []],
  ["in the second round of a loop", "l", "l", ["l#1/a"]],
])("%s: only what has the same before it is reused", async (name, from, to, reused) => {
  const toDeclared = (flow: string): string =>
    `groups: { g: { type: serial, flow: ${flow} } }\nloops: { l: { body: ${flow}, count: 2 } }\n`;
  const isLoop = name.includes("loop");
  const before = toSource(from, { declared: toDeclared(isLoop ? "a >> b" : "a >> e") });
  const after = toSource(to, { declared: toDeclared(isLoop ? "a >> e >> b" : "a >> c"), limit: 5 });
  const { all, state } = await retry(before, after);
  expect(all.at(-1)).toMatchObject({ status: "SUCCESS" });
  const agents = state.nodes.filter(({ kind, metadata }) => kind === "agent" && metadata.reused === true);
  expect(agents.map(({ path }) => path)).toEqual(reused);
});
