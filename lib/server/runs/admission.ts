import "server-only";
import { AppError } from "../app-error";
import type { Db } from "../db";
import { getEnv } from "../env";

/** After how many seconds a refused client may try again. */
const retryAfterSeconds = 5;

/**
 * Refuses a new run while too many wait for their turn: they would only wait longer, and readers with them. Throws AppError
 * 429 with the seconds until another attempt makes sense.
 */
export async function assertAdmission(db: Pick<Db, "run">): Promise<void> {
  const most = getEnv().SWARMLOOM_MAX_WAITING;
  const waiting = await db.run.count({ where: { status: "INIT" }, take: most });
  if (waiting < most) return;
  throw new AppError(
    "rate_limited",
    `${most} runs wait for their turn, and no more may: try again in ${retryAfterSeconds} s, cancel some of them, or raise SWARMLOOM_MAX_WAITING.`,
    undefined,
    retryAfterSeconds,
  );
}
