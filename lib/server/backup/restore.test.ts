import { setTimeout as sleepFor } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { ScriptedModels } from "@/lib/core/run/testing/scripted-model";
import { localViewer } from "../auth/viewer";
import type { Db } from "../db";
import { getDataFolder } from "../env";
import { createFlow } from "../flows/commands";
import { runWorld } from "../run-world";
import { Executor, getExecutor } from "../runs/drive/executor";
import { newRow } from "../runs/testing/insert-runs";
import { startServices } from "../start";
import { backUp, restore } from "./backup";

/** As if the process had ended. */
async function closeServices(): Promise<void> {
  getExecutor().stop();
  await globalThis.swarmloomServices?.endRuns();
  await globalThis.swarmloomServices?.closeDatabase();
  globalThis.swarmloomIsStopping = undefined;
  globalThis.swarmloomDb = undefined;
  globalThis.swarmloomExecutor = undefined;
}
afterAll(closeServices);

async function insertRuns(db: Db): Promise<void> {
  const source = 'agents: { a: { model: "compatible:x" } }\nswarm: { flow: a }\n';
  const { id: flowId, revision: revisionId } = await createFlow(localViewer, { source });
  const base = { flowId, revisionId, flowName: "T" };
  const lease = { owner: "of the time of the backup", epoch: 1, leaseUntil: new Date(0), startedAt: new Date(0) };
  const rows = [
    { status: "INIT" },
    { status: "RUNNING", ...lease },
    { status: "WAITING", ...lease },
    { status: "SUCCESS" },
  ];
  for (const row of rows) await db.run.create({ data: { ...newRow(), ...base, ...row } });
}

test("a restored database cancels the runs that had not ended, and asks no model for them", async () => {
  const before = await startServices();
  getExecutor().stop();
  await insertRuns(before);
  const backup = `${getDataFolder()}/backup.db`;
  await backUp(backup, { overwrite: false });
  await closeServices();
  expect(await restore(backup)).toMatchObject({ runs: 4, unfinished: 3 });

  const db = await startServices();
  getExecutor().stop();
  const models = new ScriptedModels({}, async () => {});
  let seconds = 0;
  const context = { ...runWorld, models };
  const executor = new Executor(db, { concurrency: 4, context, monotonicNow: () => seconds * 1000 });
  for (; seconds <= 10; seconds += 5) await executor.beat();
  const readStatuses = async () => (await db.run.findMany({ select: { status: true } })).map(({ status }) => status);
  while ((await readStatuses()).some((status) => !["SUCCESS", "CANCELLED"].includes(status))) await sleepFor(5);
  executor.stop();
  expect((await readStatuses()).sort()).toEqual(["CANCELLED", "CANCELLED", "CANCELLED", "SUCCESS"]);
  expect(models.requests).toEqual([]);
});
