/**
 * `npm run bench:runs`: what storing adds to a step, and how many runs one process carries, on a new SQLite database in a
 * temporary folder. The model answers at once, in this process.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { noUsage } from "@/lib/core/run/events/usage";
import type { ModelEvent, ModelPort } from "@/lib/core/run/ports/model";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { localViewer } from "@/lib/server/auth/viewer";
import { createFlow } from "@/lib/server/flows/commands";
import { runWorld } from "@/lib/server/run-world";
import { Executor, getExecutor } from "@/lib/server/runs/drive/executor";
import { newRow } from "@/lib/server/runs/testing/insert-runs";
import { startServices } from "@/lib/server/start";
import { formatTable } from "./write-figures";

const [stepsOfRun, rounds, concurrentRuns] = [100, 9, 60];
const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-bench-"));
process.env.SWARMLOOM_DATA = folder;
process.env.DATABASE_URL = `file:${path.join(folder, "bench.db")}`;

const names = Array.from({ length: stepsOfRun }, (_, index) => `a${index}`);
const source = `name: Chain
agents:
${names.map((name) => `  ${name}: { model: "compatible:instant" }`).join("\n")}
swarm: { flow: ${names.join(" >> ")} }
`;

async function* answer(): AsyncGenerator<ModelEvent> {
  yield { type: "sent", provider: "compatible", url: "instant:", body: "{}" };
  yield { type: "text", text: "An answer." };
  const usage = { ...noUsage, input: 10, output: 5, calls: 1, cost: 0 };
  yield { type: "done", message: { role: "assistant", content: "An answer." }, finishReason: "stop", usage };
}

const models: ModelPort = { find: () => ({ model: { stream: answer }, name: "instant", provider: "compatible" }) };
const context = { ...runWorld, models };

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function measure(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function driveDirectly(): Promise<void> {
  const { flow } = readSource(source);
  for await (const _ of runFlow(flow, "go", { ...context, signal: new AbortController().signal }));
}

const db = await startServices();
getExecutor().stop();
const executor = new Executor(db, { concurrency: concurrentRuns, context });
const flow = await createFlow(localViewer, { source });

async function insertRun(): Promise<string> {
  const row = { ...newRow(), flowId: flow.id, revisionId: flow.revision, flowName: "Chain", input: "go" };
  return (await db.run.create({ data: row })).id;
}

async function driveStored(ids: readonly string[]): Promise<void> {
  executor.wake();
  const unfinished = { id: { in: [...ids] }, status: { in: ["INIT", "RUNNING", "WAITING"] } };
  while ((await db.run.count({ where: unfinished })) > 0) await sleep(2);
}

const [direct, stored]: [number[], number[]] = [[], []];
for (let round = -2; round < rounds; round++) {
  const id = await insertRun();
  const [directMs, storedMs] = [await measure(driveDirectly), await measure(() => driveStored([id]))];
  if (round < 0) continue;
  direct.push(directMs / stepsOfRun);
  stored.push(storedMs / stepsOfRun);
}
const ids: string[] = [];
for (let run = 0; run < concurrentRuns; run++) ids.push(await insertRun());
const seconds = (await measure(() => driveStored(ids))) / 1000;
const added = median(stored.map((value, round) => value - (direct[round] ?? 0)));
console.log(
  formatTable(
    ["figure", "value"],
    [
      ["a step without a store, ms", median(direct).toPrecision(2)],
      ["a stored step, ms", median(stored).toPrecision(2)],
      ["what storing adds to a step, ms", added.toPrecision(2)],
      [`runs of ${stepsOfRun} steps a second, ${concurrentRuns} at once`, (concurrentRuns / seconds).toFixed(1)],
    ],
  ),
);
await globalThis.swarmloomServices?.closeDatabase();
rmSync(folder, { recursive: true, force: true });
process.exit(0);
