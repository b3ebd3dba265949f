/** Measures one process on the database of DATABASE_URL, and sends its figures to its parent. */
import { setTimeout as sleep } from "node:timers/promises";
import { runFlow } from "@/lib/core/run/run-flow";
import { readSource } from "@/lib/core/source/read-source";
import { Executor, getExecutor } from "@/lib/server/runs/drive/executor";
import { startServices } from "@/lib/server/start";
import { measure, quantile } from "../server/measure";
import { chainContext, chainSource, concurrentRuns, prepareRuns, stepsOfRun } from "./chain-runs";

/** Medians of so many rounds. */
const [stepRounds, runRounds] = [15, 5];

/** Figures of one process, in milliseconds a step and in runs a second. */
export interface ProcessFigures {
  direct: number;
  stored: number;
  added: number;
  runsPerSecond: number;
}

async function driveDirectly(): Promise<void> {
  const { flow } = readSource(chainSource);
  for await (const _ of runFlow(flow, "go", { ...chainContext, signal: new AbortController().signal }));
}

const db = await startServices();
getExecutor().stop();
const executor = new Executor(db, { concurrency: concurrentRuns, context: chainContext });
const insertRuns = await prepareRuns(db);
async function driveStored(ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map(() => executor.take()));
}

const [direct, stored]: [number[], number[]] = [[], []];
for (let round = -3; round < stepRounds; round++) {
  // The look that follows the end of a run would claim the next one before its turn.
  await sleep(20);
  const ids = await insertRuns(1);
  const [directMs, storedMs] = [await measure(driveDirectly), await measure(() => driveStored(ids))];
  if (round < 0) continue;
  direct.push(directMs / stepsOfRun);
  stored.push(storedMs / stepsOfRun);
}
const rates: number[] = [];
for (let round = 0; round < runRounds; round++) {
  await sleep(20);
  const ids = await insertRuns(concurrentRuns);
  rates.push((concurrentRuns * 1000) / (await measure(() => driveStored(ids))));
  const succeeded = await db.run.count({ where: { id: { in: ids }, status: "SUCCESS" } });
  if (succeeded !== concurrentRuns) throw new Error(`${concurrentRuns - succeeded} runs did not succeed`);
}
const figures: ProcessFigures = {
  direct: quantile(direct, 0.5),
  stored: quantile(stored, 0.5),
  added: quantile(
    stored.map((value, round) => value - (direct[round] ?? 0)),
    0.5,
  ),
  runsPerSecond: quantile(rates, 0.5),
};
process.send?.(figures, () => process.exit());
