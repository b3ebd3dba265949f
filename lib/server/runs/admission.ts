import "server-only";
import { countNouns } from "@/lib/core/flow/format-count";
import type { Problem } from "@/lib/core/flow/problem";
import { AppError } from "../app-error";
import { type Db, sql } from "../db";
import { getEnv } from "../env";
import { openTeamLimits } from "../teams/team-limits";
import { assertRunnable } from "./assert-runnable";
import { usesJobs } from "./queue/run-queue";

/** After how many seconds a refused client may try again. */
const retryAfterSeconds = 5;

/** Of the advisory lock under which runs are admitted: any number, the same in every version. */
const admissionLock = 7_283_645_121;

/**
 * Waits until no other transaction admits runs, in any process, and keeps others waiting until this one ends. What is
 * counted meanwhile still holds when the runs that were admitted by it are stored: both belong into the same transaction.
 */
export async function lockAdmission(tx: Pick<Db, "$executeRaw">): Promise<void> {
  await tx.$executeRaw(
    usesJobs()
      ? sql`SELECT pg_advisory_xact_lock(${admissionLock}::bigint)`
      : // A transaction that begins with a write has the only write lock of SQLite.
        sql`UPDATE "Run" SET "epoch" = 0 WHERE "id" = ''`,
  );
}

/** What decides whether a run may begin. */
export interface AdmissionRequest {
  teamId: string;
  simulated: boolean;
  /** What it may cost beside the limits of its flow and its team, in US dollars. */
  maxCost: number | undefined;
  /** Its models without a known price, unless its tokens are limited. */
  unpriced: readonly Problem[];
}

/** The columns of a run that its admission decides. */
export interface RunLimits {
  maxCost: number | null;
  maxTokens: number | null;
}

/**
 * Admits new runs, of which each counts for those after it: to the places that are free, and to what their teams may still
 * use. What is stored is read once; it stays true only under `lockAdmission`. `storedIds`: runs that ask to be admitted
 * although this transaction has stored them.
 */
export function openAdmission(
  db: Pick<Db, "run" | "teamSetting" | "deletedRunUsage">,
  { now = new Date(), storedIds = [] }: { now?: Date; storedIds?: readonly string[] } = {},
) {
  const places = openPlaces(db, storedIds);
  const teamLimits = openTeamLimits(db, { now, storedIds });
  return {
    /**
     * Of several runs, all are admitted or none. Throws AppError: 429 with the seconds until another attempt makes sense,
     * 400 for models without a price where a cost is limited.
     */
    async admit({ maxCost, unpriced, ...request }: AdmissionRequest, count = 1): Promise<RunLimits> {
      await places.assertFree(count);
      const allowance = await teamLimits.assertAllowed(request, count);
      const costs = [maxCost, allowance.maxCost].filter((cost) => cost !== undefined);
      // Without a price the limit would have no effect.
      if (costs.length > 0 && !request.simulated) assertRunnable(unpriced);
      places.take(count);
      teamLimits.take(request.teamId, allowance, count);
      return { maxCost: costs.length === 0 ? null : Math.min(...costs), maxTokens: allowance.maxTokens ?? null };
    },
  };
}

/** The places in which runs wait for their turn. */
function openPlaces(db: Pick<Db, "run">, storedIds: readonly string[]) {
  const maxWaiting = getEnv().SWARMLOOM_MAX_WAITING;
  let stored: number | undefined;
  let taken = 0;
  return {
    /** Refuses new runs while too many wait for their turn: they would only wait longer, and readers with them. */
    async assertFree(count: number): Promise<void> {
      stored ??= await db.run.count({
        where: { status: "INIT", ...(storedIds.length > 0 && { id: { notIn: [...storedIds] } }) },
        take: maxWaiting,
      });
      const waiting = stored + taken;
      if (waiting + count > maxWaiting) throw toRefusal(waiting, count, maxWaiting);
    },
    take(count: number): void {
      taken += count;
    },
  };
}

function toRefusal(waiting: number, count: number, most: number): AppError {
  const excess = count === 1 ? "no more may" : `with ${count} more there would be over ${most}`;
  return new AppError(
    "rate_limited",
    `${countNouns(waiting, "run")} ${waiting === 1 ? "waits" : "wait"} for a turn, and ${excess}: try again in ${retryAfterSeconds} s, cancel some of them, or raise SWARMLOOM_MAX_WAITING.`,
    undefined,
    retryAfterSeconds,
  );
}
