import "server-only";
import { z } from "zod";
import { type Db, type Sql, sql } from "../../db";
import { usesJobs } from "../queue/run-queue";
import type { Lease } from "./lease-observer";

/** Who writes: a write is refused once another process has taken the run over. */
export interface Claim {
  runId: string;
  owner: string;
  epoch: number;
}

/** A run that was claimed, with its priority in the queue. */
export interface ClaimedRun extends Claim {
  priority: number;
}

interface Claimant {
  owner: string;
  /** Milliseconds since the epoch. */
  now: number;
  leaseMs: number;
}

interface TurnOptions extends Claimant {
  /** How many runs of one team are under way at the same time at most, in all processes; undefined: any number. A team's own limit may be lower. */
  teamConcurrency: number | undefined;
}

/** Any number that no team reaches. */
const unlimited = 2_000_000_000;

const rowsSchema = z.array(z.object({ id: z.string(), epoch: z.number(), priority: z.number() }));

/**
 * Claims the waiting run whose turn it is: one of the team with the fewest runs under way, so that the runs of one team do
 * not keep those of another waiting; of that team the most urgent, then the oldest. Null: none waits, or those that wait
 * are of teams that have as many under way as they may. The rows of the runs are the only record of what is under way.
 */
export async function claimNextRun(
  db: Pick<Db, "$queryRaw">,
  { owner, now, leaseMs, teamConcurrency = unlimited }: TurnOptions,
): Promise<ClaimedRun | null> {
  const [at, until] = [new Date(now), new Date(now + leaseMs)];
  const statement = usesJobs()
    ? sql`SELECT * FROM "claimNextRun"(${owner}, ${at}::timestamp, ${until}::timestamp, ${teamConcurrency}::int)`
    : claimOnSqlite({ owner, at, until, teamConcurrency });
  const [row] = rowsSchema.parse(await db.$queryRaw(statement));
  return row ? { runId: row.id, owner, epoch: row.epoch, priority: row.priority } : null;
}

/** The same statement is in the function `claimNextRun` of PostgreSQL, where a lock keeps two claims from counting at once. */
const claimOnSqlite = (values: { owner: string; at: Date; until: Date; teamConcurrency: number }): Sql => sql`
  UPDATE "Run" SET "status" = 'RUNNING', "owner" = ${values.owner}, "epoch" = "epoch" + 1, "leaseUntil" = ${values.until},
    "startedAt" = coalesce("startedAt", ${values.at})
  WHERE "status" = 'INIT' AND "id" = (
    WITH RECURSIVE "waiting"("teamId") AS (
      SELECT min("teamId") FROM "Run" WHERE "status" = 'INIT'
      UNION ALL
      SELECT (SELECT min("next"."teamId") FROM "Run" AS "next" WHERE "next"."status" = 'INIT' AND "next"."teamId" > "waiting"."teamId")
      FROM "waiting" WHERE "waiting"."teamId" IS NOT NULL
    ), "turn" AS (
      SELECT (SELECT count(*) FROM "Run" AS "busy" WHERE "busy"."status" = 'RUNNING' AND "busy"."teamId" = "waiting"."teamId")
          + (SELECT count(*) FROM "Run" AS "both" WHERE "both"."isWorking" AND "both"."status" = 'WAITING' AND "both"."teamId" = "waiting"."teamId") AS "load",
        (SELECT "setting"."maxConcurrentRuns" FROM "TeamSetting" AS "setting" WHERE "setting"."teamId" = "waiting"."teamId") AS "teamMost",
        (SELECT "first"."id" FROM "Run" AS "first" WHERE "first"."status" = 'INIT' AND "first"."teamId" = "waiting"."teamId"
          ORDER BY "first"."priority", "first"."createdAt", "first"."id" LIMIT 1) AS "id"
      FROM "waiting" WHERE "waiting"."teamId" IS NOT NULL
    )
    SELECT "run"."id" FROM "turn" JOIN "Run" AS "run" ON "run"."id" = "turn"."id"
    WHERE "turn"."load" < min(${values.teamConcurrency}, coalesce("turn"."teamMost", ${values.teamConcurrency}))
    ORDER BY "turn"."load", "run"."priority", "run"."createdAt", "run"."id" LIMIT 1
  ) RETURNING "id", "epoch", "priority"`;

/** Claims a run whose owner's lease has expired; null: its owner lives, or another process was faster. */
export async function claimExpiredRun(
  db: Pick<Db, "run">,
  { runId, ...expired }: Lease,
  { owner, now, leaseMs }: Claimant,
): Promise<ClaimedRun | null> {
  const run = await db.run.findUnique({ where: { id: runId }, select: { priority: true, startedAt: true } });
  if (!run) return null;
  const epoch = expired.epoch + 1;
  const { count } = await db.run.updateMany({
    where: {
      id: runId,
      owner: expired.owner,
      epoch: expired.epoch,
      leaseUntil: expired.leaseUntil,
      status: { in: ["RUNNING", "WAITING"] },
    },
    data: {
      status: "RUNNING",
      owner,
      epoch,
      leaseUntil: new Date(now + leaseMs),
      startedAt: run.startedAt ?? new Date(now),
    },
  });
  return count === 1 ? { runId, owner, epoch, priority: run.priority } : null;
}
