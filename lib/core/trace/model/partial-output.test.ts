import { describe, expect, test } from "vitest";
import { runFlow } from "../../run/run-flow";
import { type Script, ScriptedModels } from "../../run/testing/scripted-model";
import { readSource } from "../../source/read-source";
import { emptyRunState, foldEvents } from "./fold-events";
import { findPartialOutputSteps, partialOutputSeparator } from "./partial-output";
import type { RunState } from "./run-state";

const agents = ["a", "b", "c", "d"].map((name) => `  ${name}: { model: "test:x" }`).join("\n");
const sourceOf = (flow: string, more = ""): string =>
  `name: T\nagents:\n${agents}\n${more}swarm: { type: workflow, flow: ${flow} }\n`;

/** Runs until `isReached`, and leaves the run there, as a process that is killed does. */
async function stateAt(source: string, script: Script, isReached: (state: RunState) => boolean): Promise<RunState> {
  const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      setTimeout(resolve, ms);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
  const { flow } = readSource(source);
  const context = {
    models: new ScriptedModels(script, sleep),
    tools: { find: () => null },
    now: Date.now,
    random: () => 0,
    sleep,
    signal: new AbortController().signal,
  };
  let state = emptyRunState;
  for await (const event of runFlow(flow, "go", context)) {
    state = foldEvents(state, [event]);
    if (isReached(state)) break;
  }
  return state;
}

const textOf = (state: RunState, path: string): string | undefined =>
  state.nodes.find((node) => node.path === path)?.output.text;
const keptText = (state: RunState, of: number | null = null): string | undefined =>
  findPartialOutputSteps(state)
    .get(of)
    ?.map(({ output }) => output.text)
    .join(partialOutputSeparator);
const endless = { text: ["half of", " it"], paceMs: 60_000 };
const silent = { text: "never", delayMs: 60_000 };

describe("the output that an interrupted run keeps", () => {
  test("of one agent under way is its partial text", async () => {
    const state = await stateAt(sourceOf("a"), { a: [endless] }, (now) => textOf(now, "a") === "half of");
    expect(keptText(state)).toBe("half of");
  });

  test("of a chain is the last output: of the step under way, or while that has none, of the one before", async () => {
    const started = await stateAt(
      sourceOf("a >> b >> c"),
      { a: [{ text: "A" }], b: [{ text: "B" }], c: [silent] },
      (now) => now.nodes.some(({ path }) => path === "c#llm-1"),
    );
    expect(keptText(started)).toBe("B");
    const speaking = await stateAt(
      sourceOf("a >> b"),
      { a: [{ text: "A" }], b: [endless] },
      (now) => textOf(now, "b") === "half of",
    );
    expect(keptText(speaking)).toBe("half of");
  });

  test.each([
    ["inline", sourceOf("a >> (b | c | d)")],
    ["named", sourceOf("a >> desk", "groups:\n  desk: { type: parallel, flow: b | c | d }\n")],
  ])("of parallel members is what all of them produced, in order (%s)", async (_, source) => {
    const script: Script = { a: [{ text: "A" }], b: [endless], c: [silent], d: [{ text: "D", delayMs: 5 }] };
    const isReached = (now: RunState): boolean =>
      now.nodes.some(({ name, status }) => name === "d" && status === "SUCCESS");
    expect(keptText(await stateAt(source, script, isReached))).toBe("half of\n\nD");
  });

  test("of a chain beside another agent is the last of the chain and the other's", async () => {
    const script: Script = { a: [{ text: "A" }], b: [{ text: "B" }], c: [{ text: "C", delayMs: 5 }], d: [silent] };
    const state = await stateAt(sourceOf("(a >> b | c) >> d"), script, (now) =>
      now.nodes.some(({ path }) => path === "d#llm-1"),
    );
    expect(keptText(state)).toBe("B\n\nC");
  });

  test("of a nested swarm is its own, also for its own step", async () => {
    const source = sourceOf("a >> inner", "swarms:\n  inner: { type: workflow, flow: b >> c }\n");
    const script: Script = { a: [{ text: "A" }], b: [{ text: "B" }], c: [silent] };
    const state = await stateAt(source, script, (now) => now.nodes.some(({ name }) => name === "c"));
    const inner = state.nodes.find(({ name }) => name === "inner");
    expect([keptText(state, inner?.id), keptText(state)]).toEqual(["B", "B"]);
  });

  test("of a run that has produced nothing is empty", async () => {
    const state = await stateAt(sourceOf("a"), { a: [silent] }, (now) =>
      now.nodes.some(({ path }) => path === "a#llm-1"),
    );
    expect(keptText(state)).toBe("");
    expect(keptText(emptyRunState)).toBe("");
  });
});
