import "server-only";
import { type Db, joinSql, sql } from "../../db";
import { getDatabaseLocation } from "../../env";

/** A run that waits for its turn. */
export interface QueuedRun {
  id: string;
  /** Lower begins first. */
  priority: number;
}

/** Brings runs that wait to the processes that drive them. It may bring one twice: a claim in the run's row decides. */
export interface RunQueue {
  /** The statements that add runs; they belong into the transaction in which the runs begin to wait. */
  add(tx: Pick<Db, "$executeRaw">, runs: readonly QueuedRun[]): ReturnType<Db["$executeRaw"]>[];
}

/** The rows of the runs are the queue: the one process that there is sweeps them, and is told of each that is new. */
const embeddedQueue: RunQueue = { add: () => [] };

/** The name of the jobs in Graphile Worker's tables; their payload is `{ "runId": … }`. */
export const runJob = "drive_run";

/** Jobs of Graphile Worker. The key keeps a run from having two that wait. */
const jobQueue: RunQueue = {
  add: (tx, runs) =>
    runs.length === 0
      ? []
      : [
          tx.$executeRaw(
            sql`SELECT graphile_worker.add_job(${runJob}, json_build_object('runId', "run"."id"), job_key => "run"."id", priority => "run"."priority")
              FROM (VALUES ${joinSql(runs.map(({ id, priority }) => sql`(${id}::text, ${priority}::int)`))}) AS "run" ("id", "priority")`,
          ),
        ],
};

/** Whether runs come to their drivers as jobs, which any number of processes take. */
export const usesJobs = (): boolean => getDatabaseLocation().type === "postgresql";

export const getRunQueue = (): RunQueue => (usesJobs() ? jobQueue : embeddedQueue);

/** Adds jobs for waiting runs that have none that will be performed: copied from another database, or taken by a process that died. */
export const repairJobs = (db: Pick<Db, "$executeRaw">): Promise<number> =>
  db.$executeRaw(
    sql`SELECT 1 FROM "Run" AS "run", LATERAL graphile_worker.add_job(${runJob}, json_build_object('runId', "run"."id"), job_key => "run"."id", priority => "run"."priority")
      WHERE "run"."status" = 'INIT' AND NOT EXISTS (
        SELECT 1 FROM graphile_worker.jobs AS "job"
        WHERE "job"."key" = "run"."id" AND "job"."attempts" < "job"."max_attempts"
          AND ("job"."locked_at" IS NULL OR "job"."locked_at" > now() - interval '30 seconds'))`,
  );
