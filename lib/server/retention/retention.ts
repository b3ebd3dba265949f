import "server-only";
import { recordAudit, toTeamObject } from "../audit/record-audit";
import { inTeamsOf, requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { logger } from "../log/logger";
import { sleep } from "../sleep";
import { deleteRemains, deleteRun } from "./delete-run";
import { countExpiredRuns, findExpiredRuns, toExpiryDate } from "./expired-runs";
import {
  defaultRetention,
  type RetentionDetail,
  type RetentionPreview,
  type RetentionSetting,
} from "./retention-setting";

const hourMs = 3_600_000;
const mostFlows = 10;
/** Runs that are looked up at once, and the pause after each that was deleted: others write meanwhile. */
const [page, pauseMs] = [100, 5];

/** What the viewer's team has set. Throws AppError `forbidden` unless the viewer manages its team, as all of these do. */
export async function findRetention(viewer: Viewer): Promise<RetentionDetail> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  const row = await db.retention.findFirst({ where: { AND: [{ teamId }, inTeamsOf(viewer, "team:manage")] } });
  if (!row) return { ...defaultRetention, lastAt: null, lastDeleted: 0 };
  const { enabled, days, keep, lastAt, lastDeleted } = row;
  return { enabled, days, keep, lastAt: lastAt?.getTime() ?? null, lastDeleted };
}

/** Sets which runs are deleted from the next full look on, within an hour. */
export async function saveRetention(viewer: Viewer, setting: RetentionSetting): Promise<RetentionDetail> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  const row = { ...setting, nextAt: new Date() };
  const object = toTeamObject(teamId);
  await db.$transaction(async (tx) => {
    await tx.retention.upsert({ where: { teamId }, create: { teamId, ...row }, update: row });
    await recordAudit(tx, viewer, { teamId, action: "retention.changed", object, detail: { ...setting } });
  });
  logger.info({ team: teamId, by: viewer.id, ...setting }, "retention was set");
  return findRetention(viewer);
}

/** What a setting, saved or not, would delete now. Deletes nothing. */
export async function previewRetention(viewer: Viewer, setting: RetentionSetting): Promise<RetentionPreview> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  const flows = await countExpiredRuns(db, teamId, setting, Date.now());
  const moments = flows.flatMap(({ oldest, newest }) => [oldest, newest].flatMap((moment) => moment?.getTime() ?? []));
  return {
    runs: flows.reduce((sum, { runs }) => sum + runs, 0),
    allRuns: await db.run.count({ where: { teamId } }),
    oldest: moments.length > 0 ? Math.min(...moments) : null,
    newest: moments.length > 0 ? Math.max(...moments) : null,
    flows: flows.slice(0, mostFlows).map(({ flowId, flowName, runs }) => ({ id: flowId, name: flowName, runs })),
  };
}

/** Deletes expired runs at once and then looks every five minutes whose turn it is: each team's once an hour. */
export function startRetention(db: Db): { stop(): void } {
  const apply = (): void => {
    applyRetention(db, Date.now()).catch((error: unknown) => logger.error({ err: error }, "retention failed"));
  };
  apply();
  const timer = setInterval(apply, hourMs / 12);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Deletes the expired runs of all teams whose turn it is at `now`, in milliseconds. One process does it for a team. Resolves to their number. */
export async function applyRetention(db: Db, now: number): Promise<number> {
  await deleteRemains(db);
  const due = { enabled: true, nextAt: { lte: new Date(now) } };
  let deleted = 0;
  for (const setting of await db.retention.findMany({ where: due })) {
    const { teamId } = setting;
    const { count } = await db.retention.updateMany({
      where: { ...due, teamId },
      data: { nextAt: new Date(now + hourMs) },
    });
    if (count === 0) continue;
    const runs = await deleteExpiredRuns(db, setting, now);
    await db.retention.updateMany({ where: { teamId }, data: { lastAt: new Date(now), lastDeleted: runs } });
    if (runs > 0) logger.info({ team: teamId, runs, days: setting.days }, "old runs were deleted");
    deleted += runs;
  }
  return deleted;
}

async function deleteExpiredRuns(db: Db, setting: RetentionSetting & { teamId: string }, now: number): Promise<number> {
  let deleted = 0;
  // A run may be continued while earlier ones are being deleted.
  const unlessContinuedSince = toExpiryDate(setting, now);
  for (;;) {
    const ids = await findExpiredRuns(db, setting.teamId, setting, { now, limit: page });
    let progress = 0;
    for (const id of ids) {
      if (await deleteRun(db, id, { unlessContinuedSince })) progress++;
      await sleep(pauseMs);
    }
    deleted += progress;
    if (progress === 0) return deleted;
  }
}
