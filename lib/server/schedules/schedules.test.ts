import { beforeAll, beforeEach, expect, test } from "vitest";
import { localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { createFlow, saveFlow } from "../flows/commands";
import { restoreFlow, trashFlow } from "../flows/trash";
import { startServices } from "../start";
import { createSchedule, deleteSchedule, saveSchedule } from "./commands";
import { getSchedule, listSchedules } from "./queries";
import type { ScheduleSetting } from "./schedule-setting";
import { runDueSchedules, toRunId } from "./scheduler";

const minute = 60_000;
const hour = 60 * minute;
const stranger = toTeamViewer({ id: "eve", name: "Eve" }, { teamId: "elsewhere", role: "owner" });
const source = 'name: T\nagents:\n  a: { model: "demo:a" }\nswarm: { flow: a }\n';
let db: Db;
let flow: { id: string; revision: string };
let hourly: ScheduleSetting;

beforeAll(async () => {
  db = await startServices();
  await globalThis.swarmloomServices?.endRuns();
});
beforeEach(async () => {
  await db.run.deleteMany();
  await db.schedule.deleteMany();
  flow = await createFlow(localViewer, { source });
  hourly = {
    flow: flow.id,
    name: "Hourly",
    cron: "0 * * * *",
    timeZone: "UTC",
    input: "Go.",
    missed: "once",
    overlap: true,
    enabled: true,
  };
});

const listRuns = () => db.run.findMany({ orderBy: { id: "asc" } });
async function add(setting: Partial<ScheduleSetting> = {}) {
  const { id, nextAt } = await createSchedule(localViewer, { ...hourly, ...setting });
  return { id, time: nextAt ?? 0 };
}

test("starts one run at its time, with its input, name and a priority behind people's runs, and none before", async () => {
  const { id, time } = await add();
  expect(time % hour).toBe(0);
  await runDueSchedules(db, time - 1);
  expect(await listRuns()).toEqual([]);
  await runDueSchedules(db, time);
  await runDueSchedules(db, time + minute);
  expect(await listRuns()).toMatchObject([
    { id: toRunId(id, time), flowId: flow.id, input: "Go.", priority: 10, startedById: `schedule:${id}` },
  ]);
  expect(await getSchedule(localViewer, id)).toMatchObject({
    nextAt: time + hour,
    lastAt: time,
    lastRun: { id: toRunId(id, time), status: "INIT" },
    lastProblem: null,
  });
});

test("starts one run when several processes look at the same moment, and after a crash before the time was ticked off", async () => {
  const { id, time } = await add();
  await Promise.all([1, 2, 3, 4].map(() => runDueSchedules(db, time)));
  expect(await listRuns()).toHaveLength(1);
  await db.schedule.update({ where: { id }, data: { nextAt: new Date(time), lastRunId: null } });
  await runDueSchedules(db, time);
  expect(await listRuns()).toHaveLength(1);
  expect(await getSchedule(localViewer, id)).toMatchObject({ nextAt: time + hour, lastRun: { status: "INIT" } });
});

test.each([
  ["skip", 0],
  ["once", 1],
  ["each", 3],
] as const)("after three times without a server, %s starts %i runs", async (missed, count) => {
  const { id, time } = await add({ missed });
  await runDueSchedules(db, time + 2 * hour + 5 * minute);
  expect(await listRuns()).toHaveLength(count);
  expect(await getSchedule(localViewer, id)).toMatchObject({
    nextAt: time + 3 * hour,
    lastAt: time + 2 * hour,
    lastProblem: count === 0 ? "The server was not running at that time." : null,
  });
});

test("holds back while the run before is under way, unless they may overlap", async () => {
  const { id, time } = await add({ overlap: false });
  await runDueSchedules(db, time);
  await runDueSchedules(db, time + hour);
  expect(await listRuns()).toHaveLength(1);
  expect((await getSchedule(localViewer, id)).lastProblem).toBe("The run before was still under way.");
  await db.run.updateMany({ data: { status: "SUCCESS" } });
  await runDueSchedules(db, time + 2 * hour);
  expect(await listRuns()).toHaveLength(2);
});

test("says why it started none, and starts the next one again", async () => {
  const broken = await saveFlow(localViewer, flow.id, {
    source: source.replace("flow: a", "flow: a >> nobody"),
    baseRevision: flow.revision,
  });
  const { id, time } = await add();
  await runDueSchedules(db, time);
  expect(await listRuns()).toEqual([]);
  expect((await getSchedule(localViewer, id)).lastProblem).toMatch(/cannot run yet/);
  await saveFlow(localViewer, flow.id, { source, baseRevision: broken.revision });
  await runDueSchedules(db, time + hour);
  expect(await getSchedule(localViewer, id)).toMatchObject({ lastProblem: null, lastRun: { status: "INIT" } });
});

test("rests while its flow is in the trash, or while it is switched off", async () => {
  const { time } = await add();
  await add({ enabled: false });
  await trashFlow(localViewer, flow.id);
  await runDueSchedules(db, time);
  expect([await listRuns(), await listSchedules(localViewer)]).toEqual([[], []]);
  await restoreFlow(localViewer, flow.id);
  await runDueSchedules(db, time);
  expect(await listRuns()).toHaveLength(1);
  expect(await listSchedules(localViewer)).toHaveLength(2);
});

test("belongs to its team: others neither see, change nor delete it, nor schedule a flow of it", async () => {
  const { id } = await add();
  expect(await listSchedules(stranger)).toEqual([]);
  await expect(saveSchedule(stranger, id, hourly)).rejects.toMatchObject({ code: "not_found" });
  await expect(deleteSchedule(stranger, id)).rejects.toMatchObject({ code: "not_found" });
  await expect(createSchedule(stranger, hourly)).rejects.toMatchObject({ code: "not_found" });
  await saveSchedule(localViewer, id, { ...hourly, cron: "30 9 * * 1-5", timeZone: "Asia/Kolkata" });
  expect(await getSchedule(localViewer, id)).toMatchObject({ description: "At 09:30, Monday through Friday" });
  await deleteSchedule(localViewer, id);
  expect(await listSchedules(localViewer)).toEqual([]);
});
