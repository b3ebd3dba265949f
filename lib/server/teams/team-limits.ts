import "server-only";
import { z } from "zod";
import { countNouns } from "@/lib/core/flow/format-count";
import { isTerminal, runStatuses } from "@/lib/core/run/events/run-status";
import { AppError } from "../app-error";
import { recordAudit, toTeamObject } from "../audit/record-audit";
import { requireTeam, type Viewer } from "../auth/viewer";
import { type Db, getDb } from "../db";
import { readKeptUsage } from "../retention/deleted-run-usage";
import { startOfDay, startOfMonth } from "../retention/usage-periods";

const dollars = z.number().positive().max(1_000_000).nullable();
const runs = z.int().min(1).max(1_000_000).nullable();

/** What the runs of a team may do at most; null: no such limit. Days and months are those of UTC, costs in US dollars. */
export const teamLimitsSchema = z.strictObject({
  /** Runs under way at the same time, in all processes; more wait their turn. */
  maxConcurrentRuns: z.int().min(1).max(100_000).nullable(),
  maxRunsPerDay: runs,
  maxRunsPerMonth: runs,
  /** Of one run, beside the limits of its flow. */
  maxRunCost: dollars,
  maxCostPerDay: dollars,
  maxCostPerMonth: dollars,
  maxTokensPerMonth: z.int().min(1).max(2_000_000_000).nullable(),
});
export type TeamLimits = z.infer<typeof teamLimitsSchema>;

/** Of a team that has set none. */
export const noTeamLimits: TeamLimits = {
  maxConcurrentRuns: null,
  maxRunsPerDay: null,
  maxRunsPerMonth: null,
  maxRunCost: null,
  maxCostPerDay: null,
  maxCostPerMonth: null,
  maxTokensPerMonth: null,
};

/** What a team has used. Simulated runs count as runs, and cost nothing; of the others it is what is known that counts. */
export const teamUsageSchema = z.object({
  runsToday: z.int(),
  runsThisMonth: z.int(),
  costToday: z.number(),
  costThisMonth: z.number(),
  tokensThisMonth: z.int(),
});
export type TeamUsage = z.infer<typeof teamUsageSchema>;

/** For people: whether runs have cost more than what is known. */
const shownUsageSchema = teamUsageSchema.extend({
  isCostTodayPartial: z.boolean(),
  isCostThisMonthPartial: z.boolean(),
});

export const teamLimitsDetailSchema = teamLimitsSchema.extend({ used: shownUsageSchema });
export type TeamLimitsDetail = z.infer<typeof teamLimitsDetailSchema>;

/** The limits of the viewer's team, and what it has used. Throws AppError `forbidden`. */
export async function getTeamLimits(viewer: Viewer): Promise<TeamLimitsDetail> {
  const teamId = requireTeam(viewer, "runs:read");
  const db = await getDb();
  const now = new Date();
  const [limits, used, isCostTodayPartial, isCostThisMonthPartial] = await Promise.all([
    readLimits(db, teamId),
    readUsed(db, teamId, { now }),
    hasUnknownCosts(db, teamId, startOfDay(now)),
    hasUnknownCosts(db, teamId, startOfMonth(now)),
  ]);
  return { ...limits, used: { ...used, isCostTodayPartial, isCostThisMonthPartial } };
}

async function hasUnknownCosts(db: Pick<Db, "run">, teamId: string, since: Date): Promise<boolean> {
  const where = { teamId, createdAt: { gte: since }, OR: [{ cost: null }, { isCostPartial: true }] };
  return (await db.run.findFirst({ where, select: { id: true } })) !== null;
}

/** Throws AppError `forbidden` unless the viewer manages the team. */
export async function saveTeamLimits(viewer: Viewer, limits: TeamLimits): Promise<TeamLimitsDetail> {
  const teamId = requireTeam(viewer, "team:manage");
  const db = await getDb();
  await db.$transaction(async (tx) => {
    await tx.teamSetting.upsert({ where: { teamId }, create: { teamId, ...limits }, update: limits });
    const object = toTeamObject(teamId);
    await recordAudit(tx, viewer, { teamId, action: "limits.changed", object, detail: { ...limits } });
  });
  return getTeamLimits(viewer);
}

type LimitTables = Pick<Db, "teamSetting" | "run" | "deletedRunUsage">;

async function readLimits(db: Pick<Db, "teamSetting">, teamId: string): Promise<TeamLimits> {
  const row = await db.teamSetting.findUnique({ where: { teamId } });
  return row ? teamLimitsSchema.strip().parse(row) : noTeamLimits;
}

interface UsageScope {
  now: Date;
  /** Runs that do not count. */
  storedIds?: readonly string[];
}

async function readUsed(
  db: Pick<Db, "run" | "deletedRunUsage">,
  teamId: string,
  { now, storedIds = [] }: UsageScope,
): Promise<TeamUsage> {
  const today = await readSince(db, teamId, { since: startOfDay(now), storedIds });
  const month = await readSince(db, teamId, { since: startOfMonth(now), storedIds });
  return {
    runsToday: today.runs,
    runsThisMonth: month.runs,
    costToday: today.cost,
    costThisMonth: month.cost,
    tokensThisMonth: month.tokens,
  };
}

/** What the runs have used that were made since then, those that were deleted included. */
async function readSince(
  db: Pick<Db, "run" | "deletedRunUsage">,
  teamId: string,
  { since, storedIds }: { since: Date; storedIds: readonly string[] },
) {
  // In this order a run that is deleted meanwhile counts twice rather than not at all.
  const { _count, _sum } = await db.run.aggregate({
    where: { teamId, createdAt: { gte: since }, ...(storedIds.length > 0 && { id: { notIn: [...storedIds] } }) },
    _count: true,
    _sum: { cost: true, tokens: true },
  });
  const deleted = await readKeptUsage(db, teamId, since);
  return {
    runs: _count + deleted.runs,
    cost: (_sum.cost ?? 0) + deleted.cost,
    tokens: (_sum.tokens ?? 0) + deleted.tokens,
  };
}

/** What runs under way may still cost, in US dollars, as far as their own limits tell. */
async function readReserved(db: Pick<Db, "run">, teamId: string): Promise<number> {
  const { _sum } = await db.run.aggregate({
    where: { teamId, status: { in: runStatuses.filter((status) => !isTerminal(status)) }, maxCost: { not: null } },
    _sum: { maxCost: true, cost: true },
  });
  return Math.max(0, (_sum.maxCost ?? 0) - (_sum.cost ?? 0));
}

/** What a run that is about to start may cost and use; undefined: its team sets no such limit. */
export interface RunAllowance {
  maxCost: number | undefined;
  maxTokens: number | undefined;
  /** What it may cost is kept for it. */
  isReserved: boolean;
}

/**
 * What teams may still use, for runs that are admitted one after the other; what a team has used is read once.
 * `storedIds`: runs that are stored and do not count yet.
 */
export function openTeamLimits(
  db: LimitTables,
  { now = new Date(), storedIds = [] }: { now?: Date; storedIds?: readonly string[] } = {},
) {
  const teams = new Map<string, Awaited<ReturnType<typeof readTeam>>>();
  const taken = new Map<string, { runs: number; cost: number }>();
  const takenBy = (teamId: string) => taken.get(teamId) ?? { runs: 0, cost: 0 };
  return {
    /** Throws AppError `rate_limited` with the seconds until the team may run again. */
    async assertAllowed(
      { teamId, simulated }: { teamId: string; simulated: boolean },
      count: number,
    ): Promise<RunAllowance> {
      const team = teams.get(teamId) ?? (await readTeam(db, teamId, { now, storedIds }));
      teams.set(teamId, team);
      const { limits, used: stored } = team;
      const before = takenBy(teamId);
      const reserved = team.reserved + before.cost;
      const used = stored && {
        ...stored,
        runsToday: stored.runsToday + before.runs + count,
        runsThisMonth: stored.runsThisMonth + before.runs + count,
        costToday: stored.costToday + reserved,
        costThisMonth: stored.costThisMonth + reserved,
      };
      if (used) assertWithin(limits, used, { now, simulated, reserved });
      const maxCost = simulated ? undefined : leastOf(limits, used, count);
      const { maxTokensPerMonth } = limits;
      const hasTokens = used !== null && maxTokensPerMonth !== null && !simulated;
      return {
        maxCost,
        maxTokens: hasTokens ? maxTokensPerMonth - used.tokensThisMonth : undefined,
        isReserved: limits.maxRunCost !== null,
      };
    },

    /** Counts runs that begin with this allowance. */
    take(teamId: string, { maxCost = 0, isReserved }: RunAllowance, count: number): void {
      const { runs, cost } = takenBy(teamId);
      taken.set(teamId, { runs: runs + count, cost: cost + (isReserved ? maxCost * count : 0) });
    },
  };
}

async function readTeam(
  db: LimitTables,
  teamId: string,
  { now, storedIds }: { now: Date; storedIds: readonly string[] },
): Promise<{ limits: TeamLimits; used: TeamUsage | null; reserved: number }> {
  const limits = await readLimits(db, teamId);
  const { maxConcurrentRuns: _, maxRunCost, ...ofPeriods } = limits;
  const isLimited = Object.values(ofPeriods).some((limit) => limit !== null);
  if (!isLimited) return { limits, used: null, reserved: 0 };
  const used = await readUsed(db, teamId, { now, storedIds });
  // Without a limit of its own a run could reserve all that is left, and no other would begin.
  return { limits, used, reserved: maxRunCost === null ? 0 : await readReserved(db, teamId) };
}

interface Admission {
  now: Date;
  simulated: boolean;
  /** How much of the cost in `used` is not spent yet, but may be. */
  reserved: number;
}

/** `used` includes the runs that are about to start. */
function assertWithin(limits: TeamLimits, used: TeamUsage, { now, simulated, reserved }: Admission): void {
  const { maxRunsPerDay, maxRunsPerMonth, maxCostPerDay, maxCostPerMonth, maxTokensPerMonth } = limits;
  const refuseRuns = (period: string, most: number, until: Date): AppError =>
    refuse(`This team may start ${countNouns(most, "run")} a ${period}, and has done so`, until, now);
  if (maxRunsPerDay !== null && used.runsToday > maxRunsPerDay) throw refuseRuns("day", maxRunsPerDay, nextDay(now));
  if (maxRunsPerMonth !== null && used.runsThisMonth > maxRunsPerMonth)
    throw refuseRuns("month", maxRunsPerMonth, nextMonth(now));
  if (simulated) return;
  if (maxTokensPerMonth !== null && used.tokensThisMonth >= maxTokensPerMonth)
    throw refuse(
      `This team may use ${countNouns(maxTokensPerMonth, "token")} a month, and has done so`,
      nextMonth(now),
      now,
    );
  const refuseCost = (period: string, most: number, spent: number, until: Date): AppError =>
    spent >= most
      ? refuse(`The runs of this team have cost what they may in a ${period} ($${most})`, until, now)
      : toBusy(`Runs under way may cost what is left of this ${period} ($${most})`);
  if (maxCostPerDay !== null && used.costToday >= maxCostPerDay)
    throw refuseCost("day", maxCostPerDay, used.costToday - reserved, nextDay(now));
  if (maxCostPerMonth !== null && used.costThisMonth >= maxCostPerMonth)
    throw refuseCost("month", maxCostPerMonth, used.costThisMonth - reserved, nextMonth(now));
}

const busySeconds = 10;
const toBusy = (reason: string): AppError =>
  new AppError("rate_limited", `${reason}. Try again once one of them has ended.`, undefined, busySeconds);

const nextDay = (now: Date): Date => new Date(startOfDay(now).getTime() + 86_400_000);
const nextMonth = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1));

function refuse(reason: string, until: Date, now: Date): AppError {
  const message = `${reason}. Runs start again at ${until.toISOString().slice(0, 16).replace("T", " ")} UTC; an Admin sets the limits in Settings.`;
  return new AppError("rate_limited", message, undefined, Math.ceil((until.getTime() - now.getTime()) / 1000));
}

/** What each of `count` runs may cost that begin together; undefined: there is no limit of cost. */
function leastOf(
  { maxRunCost, maxCostPerDay, maxCostPerMonth }: TeamLimits,
  used: TeamUsage | null,
  count: number,
): number | undefined {
  const left = [
    maxRunCost,
    maxCostPerDay === null ? null : (maxCostPerDay - (used?.costToday ?? 0)) / count,
    maxCostPerMonth === null ? null : (maxCostPerMonth - (used?.costThisMonth ?? 0)) / count,
  ].filter((limit) => limit !== null);
  return left.length === 0 ? undefined : Math.min(...left);
}
