import "server-only";
import { z } from "zod";
import { type Db, joinSql, type Sql, sql } from "../db";
import type { RetentionSetting } from "./retention-setting";

const dayMs = 86_400_000;
const ended = ["SUCCESS", "FAILED", "TIMEOUT", "CANCELLED"];

/**
 * The ids of the runs that a setting lets go at `now`, in milliseconds: those that have ended so long ago, except for the newest of each flow,
 * and those that a run continues which stays itself, because both are compared.
 */
const selectExpired = (teamId: string, { days, keep }: Omit<RetentionSetting, "enabled">, now: number): Sql => {
  const before = new Date(now - days * dayMs);
  return sql`
    SELECT "ranked"."id" FROM (
      SELECT "id", "status", "endedAt", ROW_NUMBER() OVER (PARTITION BY "flowId" ORDER BY "createdAt" DESC, "id" DESC) AS "rank"
      FROM "Run" WHERE "teamId" = ${teamId}
    ) AS "ranked"
    WHERE "ranked"."rank" > ${keep} AND "ranked"."endedAt" < ${before} AND "ranked"."status" IN (${joinSql(ended)})
      AND NOT EXISTS (
        SELECT 1 FROM "Run" AS "fork"
        WHERE "fork"."forkedFrom" = "ranked"."id" AND ("fork"."endedAt" IS NULL OR "fork"."endedAt" >= ${before}))`;
};

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
    oldest: z.coerce.date(),
    newest: z.coerce.date(),
  }),
);

/** How many there are of each flow, the flow with most first. */
export async function countExpiredRuns(
  db: Pick<Db, "$queryRaw">,
  teamId: string,
  setting: Omit<RetentionSetting, "enabled">,
  now: number,
) {
  const rows = await db.$queryRaw(sql`
    SELECT "flowId", MAX("flowName") AS "flowName", COUNT(*) AS "runs", MIN("createdAt") AS "oldest", MAX("createdAt") AS "newest"
    FROM "Run" WHERE "id" IN (${selectExpired(teamId, setting, now)})
    GROUP BY "flowId" ORDER BY COUNT(*) DESC, "flowId"`);
  return flowsSchema.parse(rows);
}
