import "server-only";
import { z } from "zod";
import { countNouns } from "@/lib/core/flow/format-count";
import { AppError } from "../app-error";
import { recordAudit, toTeamObject } from "../audit/record-audit";
import { requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";

const dollars = z.number().positive().max(1_000_000).nullable();

/** What the runs of a team may do at most; null: no such limit. Days and months are those of UTC, costs in US dollars. */
export const runLimitsSchema = z.strictObject({
  maxRunsPerDay: z.int().min(1).max(1_000_000).nullable(),
  /** Of one run, beside the limits of its flow. */
  maxRunCost: dollars,
  maxCostPerDay: dollars,
  maxCostPerMonth: dollars,
});
export type RunLimits = z.infer<typeof runLimitsSchema>;

const unlimited: RunLimits = { maxRunsPerDay: null, maxRunCost: null, maxCostPerDay: null, maxCostPerMonth: null };

/** What a team has used. Simulated runs count as runs, and cost nothing. */
export const usedSchema = z.object({ runsToday: z.int(), costToday: z.number(), costThisMonth: z.number() });
export type UsedRuns = z.infer<typeof usedSchema>;

export const limitsDetailSchema = runLimitsSchema.extend({ used: usedSchema });
export type RunLimitsDetail = z.infer<typeof limitsDetailSchema>;

/** The limits of the viewer's team, and what it has used. Throws AppError `forbidden`. */
export async function getRunLimits(viewer: Viewer): Promise<RunLimitsDetail> {
  const teamId = requireTeam(viewer, "runs:read");
  const db = await getDb();
  const [limits, used] = await Promise.all([readLimits(db, teamId), readUsed(db, teamId, new Date())]);
  return { ...limits, used };
}

/** Throws AppError `forbidden` unless the viewer manages the team. */
export async function saveRunLimits(viewer: Viewer, limits: RunLimits): Promise<RunLimitsDetail> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  await db.$transaction(async (tx) => {
    await tx.teamSetting.upsert({ where: { teamId }, create: { teamId, ...limits }, update: limits });
    const object = toTeamObject(teamId);
    await recordAudit(tx, viewer, { teamId, action: "limits.changed", object, detail: { ...limits } });
  });
  return getRunLimits(viewer);
}

type LimitTables = Pick<Db, "teamSetting" | "run">;

async function readLimits(db: Pick<Db, "teamSetting">, teamId: string): Promise<RunLimits> {
  const row = await db.teamSetting.findUnique({ where: { teamId } });
  if (!row) return unlimited;
  const { maxRunsPerDay, maxRunCost, maxCostPerDay, maxCostPerMonth } = row;
  return { maxRunsPerDay, maxRunCost, maxCostPerDay, maxCostPerMonth };
}

const startOfDay = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()));
const startOfMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth()));

async function readUsed(db: Pick<Db, "run">, teamId: string, now: Date): Promise<UsedRuns> {
  const [today, month] = await Promise.all(
    [startOfDay(now), startOfMonth(now)].map((since) =>
      db.run.aggregate({ where: { teamId, createdAt: { gte: since } }, _count: true, _sum: { cost: true } }),
    ),
  );
  return {
    runsToday: today?._count ?? 0,
    costToday: today?._sum.cost ?? 0,
    costThisMonth: month?._sum.cost ?? 0,
  };
}

/** What a run that is about to start may cost; undefined: its team sets no limit of cost. */
export interface RunAllowance {
  maxCost: number | undefined;
}

/** Admits new runs to what their teams may still use; what a team has used is read once, for all that come together. */
export function openTeamLimits(db: LimitTables, now = new Date()) {
  const teams = new Map<string, Promise<{ limits: RunLimits; used: UsedRuns | null }>>();
  const admitted = new Map<string, number>();
  const readTeam = async (teamId: string) => {
    const limits = await readLimits(db, teamId);
    const isLimited = [limits.maxRunsPerDay, limits.maxCostPerDay, limits.maxCostPerMonth].some(
      (limit) => limit !== null,
    );
    return { limits, used: isLimited ? await readUsed(db, teamId, now) : null };
  };
  return {
    /** Throws AppError `rate_limited` with the seconds until the team may run again. */
    async admit(teamId: string, { count, simulated }: { count: number; simulated: boolean }): Promise<RunAllowance> {
      const reading = teams.get(teamId) ?? readTeam(teamId);
      teams.set(teamId, reading);
      const { limits, used } = await reading;
      const before = admitted.get(teamId) ?? 0;
      if (used) assertWithin(limits, { ...used, runsToday: used.runsToday + before + count }, { now, simulated });
      admitted.set(teamId, before + count);
      return { maxCost: simulated ? undefined : leastOf(limits, used) };
    },
  };
}

/** `used` includes the runs that are about to start. */
function assertWithin(limits: RunLimits, used: UsedRuns, { now, simulated }: { now: Date; simulated: boolean }): void {
  const { maxRunsPerDay, maxCostPerDay, maxCostPerMonth } = limits;
  if (maxRunsPerDay !== null && used.runsToday > maxRunsPerDay)
    throw refuse(`This team may start ${countNouns(maxRunsPerDay, "run")} a day, and has done so`, nextDay(now), now);
  if (simulated) return;
  if (maxCostPerDay !== null && used.costToday >= maxCostPerDay)
    throw refuse(`The runs of this team have cost what they may in a day ($${maxCostPerDay})`, nextDay(now), now);
  if (maxCostPerMonth !== null && used.costThisMonth >= maxCostPerMonth)
    throw refuse(`The runs of this team have cost what they may in a month ($${maxCostPerMonth})`, nextMonth(now), now);
}

const nextDay = (now: Date): Date => new Date(startOfDay(now).getTime() + 86_400_000);
const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));

function refuse(reason: string, until: Date, now: Date): AppError {
  const message = `${reason}. Runs start again at ${until.toISOString().slice(0, 16).replace("T", " ")} UTC; an Admin sets the limits in Settings.`;
  return new AppError("rate_limited", message, undefined, Math.ceil((until.getTime() - now.getTime()) / 1000));
}

function leastOf({ maxRunCost, maxCostPerDay, maxCostPerMonth }: RunLimits, used: UsedRuns | null): number | undefined {
  const left = [
    maxRunCost,
    maxCostPerDay === null ? null : maxCostPerDay - (used?.costToday ?? 0),
    maxCostPerMonth === null ? null : maxCostPerMonth - (used?.costThisMonth ?? 0),
  ].filter((limit) => limit !== null);
  return left.length === 0 ? undefined : Math.min(...left);
}
