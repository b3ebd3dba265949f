/** Measures two workers on the PostgreSQL database of DATABASE_URL, and sends the figures to its parent. */
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Executor, getExecutor } from "@/lib/server/runs/drive/executor";
import { getRunQueue } from "@/lib/server/runs/queue/run-queue";
import { startServices } from "@/lib/server/start";
import { measure, quantile } from "../server/measure";
import { chainContext, concurrentRuns, prepareRuns, stepsOfRun } from "./chain-runs";
import { startProgram } from "./start-program";

const [workerCount, rounds] = [2, 5];

/** Runs a second of two workers, and of plain jobs that insert the same rows. */
export interface WorkerFigures {
  runsPerSecond: number;
  floor: number;
}

const db = await startServices("worker");
getExecutor().stop();
const insertRuns = await prepareRuns(db);
const rowsFile = path.join(os.tmpdir(), `swarmloom-rows-${process.pid}.json`);

/** The rows of a run, in as many parts as it has steps. */
async function writeRows(): Promise<void> {
  const [runId = ""] = await insertRuns(1);
  const executor = new Executor(db, { concurrency: 1, context: chainContext });
  await executor.take();
  executor.stop();
  const events = await db.runEvent.findMany({ where: { runId }, orderBy: { seq: "asc" } });
  const nodes = await db.runNode.findMany({ where: { runId }, orderBy: { nodeId: "asc" } });
  const slice = <T>(rows: readonly T[], step: number): T[] =>
    rows.slice(Math.floor((rows.length * step) / stepsOfRun), Math.floor((rows.length * (step + 1)) / stepsOfRun));
  const steps = Array.from({ length: stepsOfRun }, (_, step) =>
    [events, nodes].map((rows) => JSON.stringify(slice<object>(rows, step))),
  );
  writeFileSync(rowsFile, JSON.stringify(steps));
}

async function measureRound(): Promise<number> {
  const ids = await insertRuns(concurrentRuns);
  const ms = await measure(async () => {
    await db.$transaction(
      getRunQueue().add(
        db,
        ids.map((id) => ({ id, priority: 0 })),
      ),
    );
    while ((await db.run.count({ where: { id: { in: ids }, status: "SUCCESS" } })) < ids.length) await sleep(20);
  });
  return (concurrentRuns * 1000) / ms;
}

async function measureWorkers(program: string, args: readonly string[] = []): Promise<number> {
  const workers = Array.from({ length: workerCount }, () => startProgram(program, args));
  for (const worker of workers) await once(worker, "message");
  const rates: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const rate = await measureRound();
    if (round >= 0) rates.push(rate);
  }
  for (const worker of workers) {
    worker.disconnect();
    await once(worker, "exit");
  }
  return quantile(rates, 0.5);
}

await globalThis.swarmloomServices?.endRuns();
await writeRows();
const figures: WorkerFigures = {
  floor: await measureWorkers("plain-job-process.ts", [rowsFile]),
  runsPerSecond: await measureWorkers("worker-process.ts"),
};
rmSync(rowsFile);
process.send?.(figures, () => process.exit());
