import { setTimeout as sleepFor } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { type Script, ScriptedModels } from "@/lib/core/run/testing/scripted-model";
import { payloadLimit } from "@/lib/core/trace/model/step-texts";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { toolPort } from "../../tools/registry";
import { exportRunFile } from "../read/export-run";
import { getRun } from "../read/queries";
import { newRow } from "../testing/insert-runs";
import { endUnfinished } from "./end-unfinished";
import { stuck } from "./endings";
import { Executor } from "./executor";

let db: Db;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});

const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleepFor(ms, undefined, { signal });
};
const sourceOf = (flow: string): string => `name: T
agents:
  a: { model: "compatible:x" }
  b: { model: "compatible:x" }
  c: { model: "compatible:x" }
swarm: { type: workflow, flow: ${flow} }
`;
const halfway = { text: ["half of", " it"], paceMs: 60_000 };

/** Drives a flow until these outputs of steps are stored. */
async function driveUntil(flow: string, script: Script, outputs: Record<string, string>) {
  const executor = new Executor(db, {
    concurrency: 1,
    context: { models: new ScriptedModels(script, sleep), tools: toolPort, now: Date.now, random: () => 0, sleep },
  });
  const { id: flowId, revision: revisionId } = await createFlow(localViewer, { source: sourceOf(flow) });
  const { id } = await db.run.create({ data: { ...newRow(), flowId, revisionId, flowName: "T" } });
  executor.wake();
  for (;;) {
    const { state } = await getRun(localViewer, id);
    const isThere = ([path, text]: [string, string]): boolean =>
      state.nodes.some((node) => node.path === path && node.output.text === text.slice(0, payloadLimit));
    if (Object.entries(outputs).every(isThere)) return { id, executor };
    await sleepFor(5);
  }
}

async function ended(id: string) {
  for (;;) {
    const run = await getRun(localViewer, id);
    if (isTerminal(run.status)) return run;
    await sleepFor(5);
  }
}

const long = "word ".repeat(10_000);
const cases: [what: string, flow: string, script: Script, reached: Record<string, string>, output: string][] = [
  ["one agent: its partial text", "a", { a: [halfway] }, { a: "half of" }, "half of"],
  [
    "a chain whose last step has no text yet: the output before it",
    "a >> b",
    { a: [{ text: "A" }], b: [{ text: "never", delayMs: 60_000 }] },
    { a: "A", b: "" },
    "A",
  ],
  [
    "a chain: the partial text of the step under way",
    "a >> b",
    { a: [{ text: "A" }], b: [halfway] },
    { b: "half of" },
    "half of",
  ],
  [
    "parallel agents: what all of them produced",
    "(a | b | c)",
    { a: [halfway], b: [{ text: "never", delayMs: 60_000 }], c: [{ text: "C" }] },
    { a: "half of", c: "C" },
    "half of\n\nC",
  ],
  [
    "a large output before the step under way: the whole of it",
    "a >> b",
    { a: [{ text: long }], b: [{ text: "never", delayMs: 60_000 }] },
    { a: long, b: "" },
    long,
  ],
];

/** The whole output, as its file has it. */
async function wholeOutput(id: string): Promise<string> {
  let file = "";
  for await (const piece of (await exportRunFile(localViewer, id)).pieces) file += piece;
  return JSON.parse(file).run.output.text;
}

describe("the output of a run", () => {
  test.each(cases)("that was interrupted: %s", async (_, flow, script, reached, output) => {
    const { id, executor } = await driveUntil(flow, script, reached);
    const { owner, epoch } = await db.run.findUniqueOrThrow({ where: { id } });
    await endUnfinished(db, { runId: id, from: ["RUNNING"], lease: { owner, epoch }, ...stuck });
    const run = await ended(id);
    expect(run).toMatchObject({ status: "FAILED", error: { code: "interrupted" } });
    expect(run.output.text).toBe(output.slice(0, payloadLimit));
    expect(await wholeOutput(id)).toBe(output);
    expect((await db.run.findUniqueOrThrow({ where: { id } })).search).toContain(output.toLowerCase().trim());
    const root = run.state.nodes.find(({ path }) => path === "/");
    expect(root?.output).toEqual(run.output);
    await executor.shutDown();
  });

  test.each(cases)("that was cancelled: %s", async (_, flow, script, reached, output) => {
    const { id, executor } = await driveUntil(flow, script, reached);
    await executor.cancel(id);
    const run = await ended(id);
    expect([run.status, await wholeOutput(id)]).toEqual(["CANCELLED", output]);
    await executor.shutDown();
  });
});
