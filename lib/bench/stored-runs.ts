/**
 * `npm run bench:runs`: what storing adds to a step, and how many runs one process and two workers carry, beside plain jobs
 * of Graphile Worker that insert the same rows. The model answers at once, in the same process. On a new SQLite database in
 * a temporary folder, and on a PostgreSQL server that is started for it, without `fsync`; where there is none, on SQLite
 * alone. Part of a complete `npm run bench`.
 */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { concurrentRuns, stepsOfRun } from "./stored/chain-runs";
import type { ProcessFigures } from "./stored/measure-process";
import type { WorkerFigures } from "./stored/measure-workers";
import { startProgram } from "./stored/start-program";
import { withPostgres } from "./with-postgres";
import { formatTable } from "./write-figures";

const folder = mkdtempSync(path.join(os.tmpdir(), "swarmloom-bench-"));

async function measureOn<Figures>(program: string, databaseUrl: string): Promise<Figures> {
  const child = startProgram(program, [], { SWARMLOOM_DATA: folder, DATABASE_URL: databaseUrl });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${program} ended early`)));
  ended.catch(() => {});
  const [figures] = await Promise.race([once(child, "message"), ended]);
  return figures;
}

const formatStep = (ms: number): string => ms.toPrecision(2);
const runs = `runs of ${stepsOfRun} steps a second, ${concurrentRuns} at once`;

const toRows = (database: string, { direct, added, runsPerSecond }: ProcessFigures, goal: string) => [
  [`a step without a store, ms (${database})`, formatStep(direct), ""],
  [`what storing adds to it, ms (${database})`, formatStep(added), goal],
  [`${runs}: one process (${database})`, runsPerSecond.toFixed(1), ""],
];

async function measurePostgres(url: string): Promise<string[][]> {
  const process = await measureOn<ProcessFigures>("measure-process.ts", url);
  const { floor, runsPerSecond } = await measureOn<WorkerFigures>("measure-workers.ts", url);
  return [
    ...toRows("PostgreSQL", process, "≤ 0.7"),
    [`${runs}: two workers`, runsPerSecond.toFixed(1), "≥ 40"],
    [`${runs}: two workers of plain jobs with the same rows`, floor.toFixed(1), "the floor"],
  ];
}

const rows = toRows(
  "SQLite",
  await measureOn<ProcessFigures>("measure-process.ts", `file:${path.join(folder, "bench.db")}`),
  "≤ 0.5",
);
await withPostgres(async (url) => {
  rows.push(...(await measurePostgres(url)));
});
console.log(formatTable(["figure, median", "value", "goal"], rows));
rmSync(folder, { recursive: true, force: true });
process.exit(0);
