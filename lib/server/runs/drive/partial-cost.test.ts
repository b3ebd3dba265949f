import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { localViewer } from "../../auth/viewer";
import type { Db } from "../../db";
import { createFlow } from "../../flows/commands";
import { startServices } from "../../start";
import { getTeamLimits, noTeamLimits, saveTeamLimits } from "../../teams/team-limits";
import { startRun } from "../commands";
import { chain, insertWaitingRun, OwnExecutors, waitForEnd } from "../testing/own-executors";

let db: Db;
let executors: OwnExecutors;
beforeAll(async () => {
  vi.stubEnv("COMPATIBLE_BASE_URL", "http://127.0.0.1:9/v1");
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
  executors = new OwnExecutors(db);
});
afterAll(async () => {
  await executors.stop();
  vi.unstubAllEnvs();
});

test("one call of unknown cost leaves what the others cost in the limits of the team", async () => {
  await saveTeamLimits(localViewer, { ...noTeamLimits, maxCostPerDay: 1 });
  const { executor } = executors.make({
    a: [{ text: "A", usage: { cost: 1.5 } }],
    b: [{ text: "B", usage: { cost: null } }],
  });
  const id = await insertWaitingRun(chain);
  executor.wake();
  expect((await waitForEnd(id)).usage).toMatchObject({ calls: 2, cost: 1.5, isCostPartial: true });
  expect(await db.run.findUnique({ where: { id }, select: { cost: true } })).toEqual({ cost: 1.5 });
  expect((await getTeamLimits(localViewer)).used).toMatchObject({ costToday: 1.5, isCostTodayPartial: true });
  const source = 'name: T\nagents: { a: { model: "demo:a" } }\nswarm: { flow: a }\n';
  const flow = await createFlow(localViewer, { source });
  await expect(startRun(localViewer, flow.id, { input: "x" })).rejects.toThrow("have cost what they may in a day ($1)");
});
