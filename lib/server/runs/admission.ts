import "server-only";
import { countNouns } from "@/lib/core/flow/format-count";
import { AppError } from "../app-error";
import type { Db } from "../db";
import { getEnv } from "../env";

/** After how many seconds a refused client may try again. */
const retryAfterSeconds = 5;

/** Admits new runs to the places that are free now; the waiting runs are counted once, for all that come together. */
export function openAdmission(db: Pick<Db, "run">) {
  const most = getEnv().SWARMLOOM_MAX_WAITING;
  let stored: Promise<number> | undefined;
  let admitted = 0;
  return {
    /**
     * Refuses new runs while too many wait for their turn: they would only wait longer, and readers with them. Of
     * several, all are refused or none. Throws AppError 429 with the seconds until another attempt makes sense.
     */
    async assert(count: number): Promise<void> {
      stored ??= db.run.count({ where: { status: "INIT" }, take: most });
      const waiting = (await stored) + admitted;
      if (waiting + count > most) throw toRefusal(waiting, count, most);
      admitted += count;
    },
  };
}

function toRefusal(waiting: number, count: number, most: number): AppError {
  const excess = count === 1 ? "no more may" : `with ${count} more there would be over ${most}`;
  return new AppError(
    "rate_limited",
    `${countNouns(waiting, "run")} ${waiting === 1 ? "waits" : "wait"} for a turn, and ${excess}: try again in ${retryAfterSeconds} s, cancel some of them, or raise SWARMLOOM_MAX_WAITING.`,
    undefined,
    retryAfterSeconds,
  );
}
