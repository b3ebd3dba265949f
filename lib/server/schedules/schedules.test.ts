import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { localTeamId, localViewer, toTeamViewer } from "../auth/viewer";
import type { Db } from "../db";
import { getDatabaseLocation } from "../env";
import { createFlow, saveFlow } from "../flows/commands";
import { restoreFlow, trashFlow } from "../flows/trash";
import { logger } from "../log/logger";
import * as runs from "../runs/commands";
import { startServices } from "../start";
import { createSchedule, deleteSchedule, saveSchedule } from "./commands";
import { getSchedule, listSchedules } from "./queries";
import type { ScheduleSetting } from "./schedule-setting";
import { runDueSchedules, Scheduler, toRunId } from "./scheduler";

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

test("a look leaves a schedule alone that was changed meanwhile, also where its next time is the same", async () => {
  const { id, time } = await add();
  const { startRun } = runs;
  vi.spyOn(runs, "startRun").mockImplementationOnce(async (...args) => {
    await db.schedule.update({ where: { id }, data: { cron: "0 9 1 1 *", updatedAt: new Date(0) } });
    return startRun(...args);
  });
  await runDueSchedules(db, time);
  expect(await getSchedule(localViewer, id)).toMatchObject({ cron: "0 9 1 1 *", nextAt: time, lastAt: null });
  vi.restoreAllMocks();
  // The next look deals with it: with the run that is there, and by the new times.
  await runDueSchedules(db, time);
  expect(await listRuns()).toHaveLength(1);
  expect((await getSchedule(localViewer, id)).nextAt).toBeGreaterThan(time + hour);
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
    lastProblem: count === 0 ? "No server could start it within a minute of that time." : null,
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

test("starts the runs of more schedules than are dealt with at once, though their turn comes late", async () => {
  const { id, time } = await add({ missed: "skip" });
  const row = await db.schedule.findUniqueOrThrow({ where: { id } });
  await db.schedule.createMany({ data: Array.from({ length: 160 }, (_, index) => ({ ...row, id: `many-${index}` })) });
  await runDueSchedules(db, time + 5 * minute, time - hour);
  expect(await listRuns()).toHaveLength(161);
  expect(await db.schedule.count({ where: { lastProblem: { not: null } } })).toBe(0);
});

test("a team at its limit does not keep the schedules of another from running", async () => {
  const { id, time } = await add();
  const row = await db.schedule.findUniqueOrThrow({ where: { id } });
  await db.schedule.createMany({ data: Array.from({ length: 120 }, (_, index) => ({ ...row, id: `full-${index}` })) });
  await db.teamSetting.create({ data: { teamId: localTeamId, maxRunsPerDay: 1 } });
  const other = await createFlow(stranger, { source });
  const { id: otherId } = await createSchedule(stranger, { ...hourly, flow: other.id });
  await db.schedule.update({ where: { id: otherId }, data: { nextAt: new Date(time + 1) } });
  await db.schedule.update({ where: { id: otherId }, data: { cron: "* * * * *" } });
  await runDueSchedules(db, time + minute);
  const runs = await listRuns();
  expect(runs.filter(({ teamId }) => teamId === "elsewhere")).toHaveLength(1);
  expect(runs.filter(({ teamId }) => teamId === localTeamId)).toHaveLength(1);
  // The others of the full team are still due.
  expect(await db.schedule.count({ where: { nextAt: new Date(time) } })).toBe(120);
  await db.teamSetting.deleteMany();
  await runDueSchedules(db, time + 2 * minute);
  expect((await listRuns()).filter(({ teamId }) => teamId === localTeamId)).toHaveLength(121);
});

test("a team at its limit is asked for no more runs by the schedules that follow, and the log says so once a look", async () => {
  const { id, time } = await add();
  const row = await db.schedule.findUniqueOrThrow({ where: { id } });
  await db.schedule.createMany({ data: Array.from({ length: 99 }, (_, index) => ({ ...row, id: `full-${index}` })) });
  await db.teamSetting.create({ data: { teamId: localTeamId, maxRunsPerDay: 1 } });
  const [started, reported] = [vi.spyOn(runs, "startRun"), vi.spyOn(logger, "warn")];
  await runDueSchedules(db, time);
  expect(await listRuns()).toHaveLength(1);
  // Those that are dealt with at the same time do not know of each other.
  expect(started.mock.calls.length).toBeLessThanOrEqual(25);
  expect(reported.mock.calls).toEqual([
    [{ team: localTeamId }, expect.stringMatching(/^schedules wait .*: This team may start 1 run a day/)],
  ]);
  vi.restoreAllMocks();
  await db.teamSetting.deleteMany();
  // The next look asks again.
  await runDueSchedules(db, time);
  expect(await listRuns()).toHaveLength(100);
});

test("a run that its team's limit refused for over a minute is left out by `skip`, with that reason", async () => {
  const { id, time } = await add({ missed: "skip" });
  await runDueSchedules(db, time, time - hour);
  await db.teamSetting.create({ data: { teamId: localTeamId, maxRunsPerDay: 1 } });
  await runDueSchedules(db, time + hour + minute, time - hour);
  expect((await getSchedule(localViewer, id)).nextAt).toBe(time + hour);
  await runDueSchedules(db, time + hour + minute + 1, time - hour);
  expect(await getSchedule(localViewer, id)).toMatchObject({
    nextAt: time + 2 * hour,
    lastProblem: expect.stringMatching(/within a minute of that time\. This team may start 1 run a day/),
  });
  await db.teamSetting.deleteMany();
});

test("each missed time gets its run after the one before has ended, unless they may overlap", async () => {
  const { id, time } = await add({ missed: "each", overlap: false });
  const now = time + 2 * hour + 5 * minute;
  const started: string[] = [];
  for (let look = 0; look < 4; look++) {
    await runDueSchedules(db, now);
    await runDueSchedules(db, now);
    const waiting = await db.run.findMany({ where: { status: "INIT" } });
    started.push(...waiting.map((run) => run.id));
    await db.run.updateMany({ data: { status: "SUCCESS" } });
  }
  expect(started).toEqual([time, time + hour, time + 2 * hour].map((each) => toRunId(id, each)));
  expect(await getSchedule(localViewer, id)).toMatchObject({ nextAt: time + 3 * hour, lastProblem: null });
});

test("a scheduler that looked all the time misses nothing; one that was suspended missed what passed meanwhile", async () => {
  const { id, time } = await add({ missed: "skip" });
  let now = time - 2 * minute;
  const scheduler = new Scheduler(db, { now: () => now });
  await scheduler.look();
  now = time - minute;
  await scheduler.look();
  await trashFlow(localViewer, flow.id);
  now = time;
  await scheduler.look();
  now = time + minute;
  await scheduler.look();
  await restoreFlow(localViewer, flow.id);
  now = time + 2 * minute;
  await scheduler.look();
  expect((await listRuns()).map((run) => run.id)).toEqual([toRunId(id, time)]);
  now = time + hour + 2 * minute;
  await scheduler.look();
  expect(await listRuns()).toHaveLength(1);
  expect((await getSchedule(localViewer, id)).lastProblem).toBe(
    "No server could start it within a minute of that time.",
  );
});

test.each(["once", "skip", "each"] as const)(
  "goes on when the clock was an hour ahead for a moment, and no time gets two runs: %s",
  async (missed) => {
    const { id, time } = await add({ cron: "* * * * *", missed });
    let now = time;
    const scheduler = new Scheduler(db, { now: () => now });
    const lookAt = async (moment: number): Promise<void> => {
      now = moment;
      await scheduler.look();
    };
    await lookAt(time);
    await lookAt(time + hour);
    const ahead = await listRuns();
    expect(await getSchedule(localViewer, id)).toMatchObject({ nextAt: time + hour + minute });
    await lookAt(time + minute);
    expect(await getSchedule(localViewer, id)).toMatchObject({ nextAt: time + 2 * minute });
    for (const passed of [2, 3]) await lookAt(time + passed * minute);
    const ids = (await listRuns()).map((run) => run.id);
    expect(ids).toEqual(expect.arrayContaining([2, 3].map((passed) => toRunId(id, time + passed * minute))));
    expect(ids).toHaveLength(ahead.length + (missed === "each" ? 0 : 2));
  },
);

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

describe("one schedule whose stored row cannot be read", () => {
  test.each([
    ["its time zone", { timeZone: "Mars/Base" }, /^`timeZone`: .* found "Mars\/Base"\.$/],
    ["its times", { cron: "every now and then" }, /^`cron`: Expected minute, hour/],
  ])("%s: is listed with the reason and without a next time, and can be deleted", async (_, data, reason) => {
    const [damaged, healthy] = [await add(), await add({ name: "Healthy" })];
    await db.schedule.update({ where: { id: damaged.id }, data });
    const schedules = await listSchedules(localViewer);
    expect(schedules.find(({ id }) => id === damaged.id)).toMatchObject({
      problem: expect.stringMatching(reason),
      nextAt: null,
    });
    expect(schedules.find(({ id }) => id === healthy.id)).toMatchObject({ problem: null, nextAt: healthy.time });
    await deleteSchedule(localViewer, damaged.id);
    expect(await db.schedule.count()).toBe(1);
  });

  test.each([
    ["its time zone", { timeZone: "Mars/Base" }],
    ["its times", { cron: "every now and then" }],
  ])("%s: starts nothing, and the others start", async (_, data) => {
    const [damaged, healthy] = [await add({ missed: "each" }), await add()];
    await db.schedule.update({ where: { id: damaged.id }, data });
    await runDueSchedules(db, healthy.time);
    expect(await listRuns()).toMatchObject([{ startedById: `schedule:${healthy.id}` }]);
  });

  test.runIf(getDatabaseLocation().type === "sqlite")("its next time: the same", async () => {
    const healthy = await add();
    const damaged: string[] = [];
    // More than one page of them, which come before every other.
    for (let index = 0; index < 26; index++) damaged.push((await add({ missed: "each" })).id);
    for (const id of damaged) await db.$executeRaw`UPDATE "Schedule" SET "nextAt" = '' WHERE "id" = ${id}`;
    const schedules = await listSchedules(localViewer);
    expect(schedules).toHaveLength(27);
    expect(schedules.find(({ id }) => id === damaged[0])).toMatchObject({
      problem: expect.stringContaining("next time"),
      nextAt: null,
    });
    await runDueSchedules(db, healthy.time);
    expect(await listRuns()).toMatchObject([{ startedById: `schedule:${healthy.id}` }]);
  });
});
