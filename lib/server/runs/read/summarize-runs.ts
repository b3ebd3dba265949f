import "server-only";
import { z } from "zod";
import type { RunStatus } from "@/lib/core/run/events/run-status";
import type { RunDay, RunSums, RunTotals } from "@/lib/core/trace/model/run-sums";
import type { Viewer } from "../../auth/viewer";
import { type Db, getDb, type Sql, sql } from "../../db";
import { momentSchema } from "../store/run-rows";
import { toDays } from "./calendar-days";
import { isReadable, type RunQuery, toCondition } from "./run-conditions";

/** About a quarter of a year. */
const mostDays = 92;

const count = z.coerce.number();
const byStatusSchema = z.object({
  INIT: count,
  RUNNING: count,
  WAITING: count,
  PAUSED: count,
  SUCCESS: count,
  FAILED: count,
  TIMEOUT: count,
  CANCELLED: count,
} satisfies Record<RunStatus, unknown>);
const sumsSchema = byStatusSchema.extend({
  runs: count,
  unreadable: count,
  priced: count,
  partlyPriced: count,
  cost: z.number().nullable(),
  tokens: count,
  medianMs: z.number().nullable(),
  p95Ms: z.number().nullable(),
  first: momentSchema,
  last: momentSchema,
});

/**
 * Totals over the runs that a filter means, and day by day in a time zone. Reads each such run twice, and only what the
 * index of the list holds of it unless texts or models are asked for. Runs that cannot be read are left out, and counted in
 * `unreadable`. Throws AppError `bad_request`: no such zone.
 */
export async function summarizeRuns(viewer: Viewer, query: RunQuery, zone = "UTC"): Promise<RunSums> {
  const db = await getDb();
  const condition = toCondition(viewer, query, Date.now());
  const { first: firstDate, last: lastDate, unreadable, ...totals } = await sum(db, condition);
  const days: RunDay[] = [];
  if (firstDate && lastDate)
    // One by one: others get their turn in between.
    for (const { date, start, end } of toDays(firstDate, lastDate, zone, mostDays)) {
      const dayCondition = sql`${condition} AND "createdAt" >= ${start} AND "createdAt" < ${end}`;
      const { first: _, last: __, unreadable: ___, ...ofDay } = await sum(db, dayCondition);
      days.push({ date, ...ofDay });
    }
  return { totals, days, daysCut: days.reduce((runs, day) => runs + day.runs, 0) < totals.runs, unreadable };
}

async function sum(
  db: Db,
  condition: Sql,
): Promise<RunTotals & Pick<RunSums, "unreadable"> & { first: Date | null; last: Date | null }> {
  const rows = await db.$queryRaw`
    WITH "matched" AS (
      SELECT "createdAt", "status", "tokens", "cost", "isCostPartial", "durationMs", ${isReadable()} AS "isReadable"
      FROM "Run" WHERE ${condition}
    ), "readable" AS (
      SELECT *, row_number() OVER (ORDER BY "durationMs" IS NULL, "durationMs") AS "place",
        count("durationMs") OVER () AS "timed"
      FROM "matched" WHERE "isReadable"
    )
    SELECT count(*) AS "runs", (SELECT count(*) FROM "matched" WHERE NOT "isReadable") AS "unreadable",
      count(*) FILTER (WHERE "status" = 'INIT') AS "INIT",
      count(*) FILTER (WHERE "status" = 'RUNNING') AS "RUNNING",
      count(*) FILTER (WHERE "status" = 'WAITING') AS "WAITING",
      count(*) FILTER (WHERE "status" = 'PAUSED') AS "PAUSED",
      count(*) FILTER (WHERE "status" = 'SUCCESS') AS "SUCCESS",
      count(*) FILTER (WHERE "status" = 'FAILED') AS "FAILED",
      count(*) FILTER (WHERE "status" = 'TIMEOUT') AS "TIMEOUT",
      count(*) FILTER (WHERE "status" = 'CANCELLED') AS "CANCELLED",
      count("cost") AS "priced", count(*) FILTER (WHERE "isCostPartial") AS "partlyPriced",
      sum("cost") AS "cost", coalesce(sum("tokens"), 0) AS "tokens",
      min(CASE WHEN "place" >= 0.5 * "timed" THEN "durationMs" END) AS "medianMs",
      min(CASE WHEN "place" >= 0.95 * "timed" THEN "durationMs" END) AS "p95Ms",
      min("createdAt") AS "first", max("createdAt") AS "last"
    FROM "readable"`;
  const [sums] = z.tuple([sumsSchema]).parse(rows);
  const {
    runs,
    unreadable,
    priced,
    partlyPriced,
    cost,
    tokens,
    medianMs,
    p95Ms,
    first: firstDate,
    last: lastDate,
    ...byStatus
  } = sums;
  const failed = byStatus.FAILED + byStatus.TIMEOUT;
  const judged = failed + byStatus.SUCCESS;
  return {
    runs,
    unreadable,
    byStatus,
    cost: cost ?? 0,
    unpriced: runs - priced,
    partlyPriced,
    tokens,
    medianMs,
    p95Ms,
    failureRate: judged === 0 ? null : failed / judged,
    first: firstDate,
    last: lastDate,
  };
}
