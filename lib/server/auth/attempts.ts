import "server-only";
import { type Db, isUniqueViolation } from "../db";

/** At most `max` attempts in each period of `periodMs`, which begins with its first attempt. */
export interface AttemptLimit {
  key: string;
  max: number;
  periodMs: number;
}

type AttemptDb = Pick<Db, "attemptCount">;

const cleanupMs = 3_600_000;
let nextCleanupAt = 0;

/**
 * Counts an attempt before it is made, in the database: parallel attempts and those of other processes count, too. Returns
 * null when it may be made, else the milliseconds until the next one may. `now`: since the epoch.
 */
export async function takeAttempt(
  db: AttemptDb,
  { key, max, periodMs }: AttemptLimit,
  now = Date.now(),
): Promise<number | null> {
  const [at, expiresAt] = [new Date(now), new Date(now + periodMs)];
  await deleteExpiredCounts(db, now);
  for (;;) {
    const increment = await db.attemptCount.updateMany({
      where: { key, expiresAt: { gt: at }, count: { lt: max } },
      data: { count: { increment: 1 } },
    });
    if (increment.count > 0) return null;
    const restart = await db.attemptCount.updateMany({
      where: { key, expiresAt: { lte: at } },
      data: { count: 1, expiresAt },
    });
    if (restart.count > 0) return null;
    const row = await db.attemptCount.findUnique({ where: { key } });
    if (row && row.expiresAt > at && row.count >= max) return row.expiresAt.getTime() - now;
    if (!row && (await insertCount(db, { key, count: 1, expiresAt }))) return null;
  }
}

/** Forgets the attempts of a key. */
export async function forgetAttempts(db: AttemptDb, key: string): Promise<void> {
  await db.attemptCount.deleteMany({ where: { key } });
}

async function insertCount(db: AttemptDb, data: { key: string; count: number; expiresAt: Date }): Promise<boolean> {
  try {
    await db.attemptCount.create({ data });
    return true;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    return false;
  }
}

/** Keys are made from what anyone sends: there is no end of them. */
async function deleteExpiredCounts(db: AttemptDb, now: number): Promise<void> {
  if (now < nextCleanupAt) return;
  nextCleanupAt = now + cleanupMs;
  await db.attemptCount.deleteMany({ where: { expiresAt: { lte: new Date(now) } } });
}
