import "server-only";
import os from "node:os";
import { type Db, sql } from "../../db";

/** Without a heartbeat for so long, in seconds, a worker counts as gone. */
const silentAfter = 10;
const forgottenAfter = 3_600;

/** Of the database: the clocks of the machines may differ. Columns of moments hold UTC. */
const now = sql`(clock_timestamp() AT TIME ZONE 'UTC')`;

/** A process that only drives runs. */
export interface LiveWorker {
  id: string;
  /** Its machine and process number. */
  name: string;
  concurrency: number;
  startedAt: Date;
}

/** Notes that this worker is alive. */
export async function noteWorker(db: Db, { id, concurrency }: { id: string; concurrency: number }): Promise<void> {
  const name = `${os.hostname()} ${process.pid}`;
  await db.$executeRaw(
    sql`INSERT INTO "Worker" ("id", "name", "concurrency", "startedAt", "seenAt") VALUES (${id}, ${name}, ${concurrency}, ${now}, ${now})
      ON CONFLICT ("id") DO UPDATE SET "seenAt" = ${now}`,
  );
  await db.$executeRaw(sql`DELETE FROM "Worker" WHERE "seenAt" < ${now} - make_interval(secs => ${forgottenAfter})`);
}

/** A worker that stops: web processes drive runs at once where it was the last. */
export async function forgetWorker(db: Db, id: string): Promise<void> {
  await db.worker.deleteMany({ where: { id } });
}

/** The workers that are alive, the oldest first. */
export const listWorkers = (db: Db): Promise<LiveWorker[]> =>
  db.$queryRaw<LiveWorker[]>(
    sql`SELECT "id", "name", "concurrency", "startedAt" FROM "Worker"
      WHERE "seenAt" > ${now} - make_interval(secs => ${silentAfter}) ORDER BY "startedAt", "id"`,
  );
