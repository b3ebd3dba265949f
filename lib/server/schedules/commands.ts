import "server-only";
import { randomUUID } from "node:crypto";
import { AppError } from "../app-error";
import { recordAudit } from "../audit/record-audit";
import { isInFlowOf, requireScope, type Viewer } from "../auth/viewer";
import { getDb } from "../db";
import { getLiveFlow } from "../flows/queries";
import { getSchedule } from "./queries";
import type { ScheduleDetail, SchedulePreview, ScheduleSetting, ScheduleTimes } from "./schedule-setting";
import { assertScheduleTimes, describeScheduleTimes, findNextTime, listNextTimes } from "./schedule-times";

/** Most schedules of a team. */
const mostSchedules = 1_000;

const noSuchSchedule = () => new AppError("not_found", "There is no such schedule. It may have been deleted.");

/** Throws AppError: 404 no such flow, 400 with what to correct, 409 too many. */
export async function createSchedule(viewer: Viewer, setting: ScheduleSetting): Promise<ScheduleDetail> {
  requireScope(viewer, "flows:read");
  assertScheduleTimes(setting);
  const db = await getDb();
  const { id: flowId, teamId } = await getLiveFlow(viewer, "flows:write", setting.flow);
  if ((await db.schedule.count({ where: { teamId } })) >= mostSchedules)
    throw new AppError("conflict", `A team has at most ${mostSchedules} schedules. Delete some first.`);
  const now = new Date();
  const id = randomUUID();
  const who = { createdById: viewer.id, createdBy: viewer.name, createdAt: now };
  await db.$transaction(async (tx) => {
    await tx.schedule.create({ data: { id, teamId, flowId, ...who, ...toColumns(setting, now) } });
    const detail = { flow: flowId, cron: setting.cron };
    await recordAudit(tx, viewer, { teamId, action: "schedule.created", object: toObject(id, setting), detail });
  });
  return getSchedule(viewer, id);
}

/** Replaces all of a schedule's setting; times that passed before are not made up for. Throws AppError as `createSchedule` does. */
export async function saveSchedule(viewer: Viewer, id: string, setting: ScheduleSetting): Promise<ScheduleDetail> {
  requireScope(viewer, "flows:read");
  assertScheduleTimes(setting);
  const db = await getDb();
  const flow = await getLiveFlow(viewer, "flows:write", setting.flow);
  const { teamId } = flow;
  await db.$transaction(async (tx) => {
    const { count } = await tx.schedule.updateMany({
      where: { AND: [{ id, teamId }, isInFlowOf(viewer, "flows:write")] },
      data: { flowId: flow.id, ...toColumns(setting, new Date()) },
    });
    if (count === 0) throw noSuchSchedule();
    const detail = { flow: flow.id, cron: setting.cron, enabled: setting.enabled };
    await recordAudit(tx, viewer, { teamId, action: "schedule.changed", object: toObject(id, setting), detail });
  });
  return getSchedule(viewer, id);
}

/** Its runs stay. Throws AppError `not_found`. */
export async function deleteSchedule(viewer: Viewer, id: string): Promise<void> {
  const db = await getDb();
  const where = { id, ...isInFlowOf(viewer, "flows:write") };
  await db.$transaction(async (tx) => {
    const schedule = await tx.schedule.findFirst({ where, select: { teamId: true, name: true } });
    const { count } = await tx.schedule.deleteMany({ where });
    if (!schedule || count === 0) throw noSuchSchedule();
    const { teamId } = schedule;
    await recordAudit(tx, viewer, { teamId, action: "schedule.deleted", object: toObject(id, schedule) });
  });
}

const toObject = (id: string, { name }: { name: string }) => ({ type: "schedule", id, name }) as const;

/** The times in words, and the first five of them. Throws AppError `bad_request` with what to correct. */
export function previewSchedule(times: ScheduleTimes): SchedulePreview {
  assertScheduleTimes(times);
  return { description: describeScheduleTimes(times), times: listNextTimes(times, Date.now(), 5) };
}

function toColumns({ flow: _, ...setting }: ScheduleSetting, now: Date) {
  const next = setting.enabled ? findNextTime(setting, now.getTime()) : null;
  return { ...setting, nextAt: next === null ? null : new Date(next), updatedAt: now };
}
