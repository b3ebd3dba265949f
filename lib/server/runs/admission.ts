import "server-only";
import { countNouns } from "@/lib/core/flow/format-count";
import { AppError } from "../app-error";
import type { Db } from "../db";
import { getEnv } from "../env";

/** After how many seconds a refused client may try again. */
const retryAfterSeconds = 5;

/**
 * Refuses new runs while too many wait for their turn: they would only wait longer, and readers with them. Of several,
 * all are refused or none. Throws AppError 429 with the seconds until another attempt makes sense.
 */
export async function assertAdmission(db: Pick<Db, "run">, count: number): Promise<void> {
  const most = getEnv().SWARMLOOM_MAX_WAITING;
  const waiting = await db.run.count({ where: { status: "INIT" }, take: most });
  if (waiting + count <= most) return;
  const excess = count === 1 ? "no more may" : `with ${count} more there would be over ${most}`;
  throw new AppError(
    "rate_limited",
    `${countNouns(waiting, "run")} ${waiting === 1 ? "waits" : "wait"} for a turn, and ${excess}: try again in ${retryAfterSeconds} s, cancel some of them, or raise SWARMLOOM_MAX_WAITING.`,
    undefined,
    retryAfterSeconds,
  );
}
