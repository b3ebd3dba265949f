import "server-only";
import { z } from "zod";
import { type Db, joinSql, type Sql, sql } from "../db";
import { momentSchema } from "../runs/store/run-rows";
import { hasReadableMoment } from "../runs/store/sql-conditions";
import type { RetentionSetting } from "./retention-setting";

const dayMs = 86_400_000;
const ended = ["SUCCESS", "FAILED", "TIMEOUT", "CANCELLED"];

/** When runs must have ended at the latest, so that a setting deletes them at `now`, in milliseconds. */
export const toExpiryDate = ({ days }: Pick<RetentionSetting, "days">, now: number): Date =>
  new Date(now - days * dayMs);

/**
 * The ids of the runs that a setting deletes at `now`, in milliseconds: those that have ended so long ago, except for the
 * newest of each flow. What a run that stays continues stays too, and what that continues, because they are compared.
 */
const selectExpired = (teamId: string, setting: Omit<RetentionSetting, "enabled">, now: number): Sql => sql`
  WITH RECURSIVE "ranked" AS (
    SELECT "id", "status", "endedAt", "forkedFrom",
      ROW_NUMBER() OVER (PARTITION BY "flowId" ORDER BY "createdAt" DESC, "id" DESC) AS "rank"
    FROM "Run" WHERE "teamId" = ${teamId}
  ), "judged" AS (
    SELECT "id", "forkedFrom",
      CASE WHEN "rank" > ${setting.keep} AND "endedAt" < ${toExpiryDate(setting, now)} AND "status" IN (${joinSql(ended)})
        THEN 1 ELSE 0 END AS "isExpired"
    FROM "ranked"
  ), "continued"("id") AS (
    SELECT "forkedFrom" FROM "judged" WHERE "isExpired" = 0 AND "forkedFrom" IS NOT NULL
    UNION
    SELECT "Run"."forkedFrom" FROM "continued" JOIN "Run" ON "Run"."id" = "continued"."id"
    WHERE "Run"."forkedFrom" IS NOT NULL
  )
  SELECT "id" FROM "judged" WHERE "isExpired" = 1 AND "id" NOT IN (SELECT "id" FROM "continued")`;

const idsSchema = z.array(z.object({ id: z.string() }));

/** At most `limit` of them. */
export async function findExpiredRuns(
  db: Pick<Db, "$queryRaw">,
  teamId: string,
  setting: Omit<RetentionSetting, "enabled">,
  { now, limit }: { now: number; limit: number },
): Promise<string[]> {
  const rows = await db.$queryRaw(sql`${selectExpired(teamId, setting, now)} LIMIT ${limit}`);
  return idsSchema.parse(rows).map(({ id }) => id);
}

const flowsSchema = z.array(
  z.object({
    flowId: z.string(),
    flowName: z.string(),
    runs: z.coerce.number(),
    // Null: the moment of none of them can be read.
    oldest: momentSchema,
    newest: momentSchema,
  }),
);

/** How many there are of each flow, the flow with most first. */
export async function countExpiredRuns(
  db: Pick<Db, "$queryRaw">,
  teamId: string,
  setting: Omit<RetentionSetting, "enabled">,
  now: number,
) {
  const moment = sql`CASE WHEN ${hasReadableMoment()} THEN "createdAt" END`;
  const rows = await db.$queryRaw(sql`
    SELECT "flowId", MAX("flowName") AS "flowName", COUNT(*) AS "runs", MIN(${moment}) AS "oldest", MAX(${moment}) AS "newest"
    FROM "Run" WHERE "id" IN (${selectExpired(teamId, setting, now)})
    GROUP BY "flowId" ORDER BY COUNT(*) DESC, "flowId"`);
  return flowsSchema.parse(rows);
}
