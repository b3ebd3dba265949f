import "server-only";
import { type Db, joinSql, sql } from "../../db";
import { getDatabaseLocation } from "../../env";

/** A run that waits for its turn. */
export interface QueuedRun {
  id: string;
  /** Lower begins first. */
  priority: number;
}

/** Wakes the processes that drive runs. Which run a process drives then is decided by a claim in the runs' rows. */
export interface RunQueue {
  /** The statements that add runs; they belong into the transaction in which the runs begin to wait. */
  add(tx: Pick<Db, "$executeRaw">, runs: readonly QueuedRun[]): ReturnType<Db["$executeRaw"]>[];
}

/** The rows of the runs are the queue: the one process that there is claims them, and is woken for each that is new. */
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
