import { setTimeout as sleepFor } from "node:timers/promises";
import { afterEach, beforeAll, expect, test } from "vitest";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { type Script, ScriptedModels } from "@/lib/core/run/testing/scripted-model";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { toolPort } from "../../tools/registry";
import { Executor } from "../drive/executor";
import { newRow } from "../testing/insert-runs";
import { exportRuns } from "./export-csv";
import { listRuns } from "./list-runs";
import { getRun } from "./queries";
import { getTraceSnapshot } from "./trace-queries";

const source = `name: Chain
agents:
  a: { model: "compatible:x", max_tokens: 5 }
  b: { model: "compatible:x" }
swarm: { flow: a >> b }
`;

let db: Db;
beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});

const executors: Executor[] = [];
afterEach(() => {
  for (const executor of executors.splice(0)) {
    executor.takesRuns = false;
    executor.stop();
  }
});

const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleepFor(ms, undefined, { signal });
};

function makeExecutor(script: Script, leaseMs = 10_000): Executor {
  const context = { models: new ScriptedModels(script, sleep), tools: toolPort, now: Date.now, random: () => 0, sleep };
  const executor = new Executor(db, { concurrency: 4, leaseMs, context });
  executors.push(executor);
  return executor;
}

async function insertRun(): Promise<{ id: string; flow: string }> {
  const { id: flow, revision } = await createFlow(localViewer, { source });
  const data = { ...newRow(), flowId: flow, revisionId: revision, flowName: "T", input: "go" };
  return { id: (await db.run.create({ data })).id, flow };
}

async function waitForEnd(id: string) {
  for (;;) {
    const run = await getRun(localViewer, id);
    if (isTerminal(run.status)) return run;
    await sleepFor(5);
  }
}

const countOf = async (id: string): Promise<number> =>
  (await db.run.findUniqueOrThrow({ where: { id }, select: { warnings: true } })).warnings;

test("a run with a cut and a filtered answer succeeds, and has both as warnings: the run, its row of lists, its CSV line, its timeline", async () => {
  const { id, flow } = await insertRun();
  makeExecutor({
    a: [{ text: "Once upon", finishReason: "length", notes: [{ code: "provider-deviation", message: "No id." }] }],
    b: [{ text: "", finishReason: "content-filter" }],
  }).wake();
  const run = await waitForEnd(id);
  expect(run.status).toBe("SUCCESS");
  expect(run.warnings).toEqual([
    { code: "answer-cut", message: expect.stringContaining("max_tokens"), node: 3, path: "a#llm-1" },
    { code: "content-filtered", message: expect.stringContaining("content"), node: 5, path: "b#llm-1" },
  ]);
  expect((await listRuns(localViewer, { flow })).runs).toMatchObject([{ id, status: "SUCCESS", warnings: 2 }]);
  const [head, line] = (await new Response(await exportRuns(localViewer, { flow })).text()).split("\r\n");
  expect(line?.split(",")[head?.split(",").indexOf("warnings") ?? -1]).toBe("2");
  const { warnings, agents } = await getTraceSnapshot(localViewer, id);
  expect(agents).toEqual(["a", "b"]);
  expect(warnings.map(([span, [first]]) => [span, first?.code])).toEqual([
    [2, "answer-cut"],
    [4, "content-filtered"],
  ]);
});

test("a run that goes on counts its warnings as they come, and keeps them when it is interrupted", async () => {
  const { id, flow } = await insertRun();
  makeExecutor({ a: [{ finishReason: "length" }], b: [{ text: ["Some", " words"], paceMs: 10_000 }] }).wake();
  await expect.poll(() => countOf(id)).toBe(1);
  expect((await listRuns(localViewer, { flow })).runs).toMatchObject([{ status: "RUNNING", warnings: 1 }]);
  await db.run.update({ where: { id }, data: { warnings: 0 } });
  const observer = makeExecutor({}, 200);
  const readStatus = () =>
    observer
      .beat()
      .then(() => getRun(localViewer, id))
      .then(({ status }) => status);
  await expect.poll(readStatus, { interval: 50, timeout: 5_000 }).toBe("FAILED");
  expect(await waitForEnd(id)).toMatchObject({ status: "FAILED", warnings: [{ code: "answer-cut" }] });
  expect(await countOf(id)).toBe(1);
});

test("a run without warnings has none", async () => {
  const { id, flow } = await insertRun();
  makeExecutor({ a: [{ text: "A" }], b: [{ text: "B" }] }).wake();
  expect((await waitForEnd(id)).warnings).toEqual([]);
  expect((await listRuns(localViewer, { flow })).runs).toMatchObject([{ warnings: 0 }]);
});
