import "server-only";
import { AppError } from "../app-error";
import type { Db } from "../db";
import { getEnv } from "../env";

/** After how many seconds a refused client may try again. */
const retryAfterSeconds = 5;

/** Admits new runs to the places that are free now; the waiting runs are counted once, for all that come together. */
export function openAdmission(db: Pick<Db, "run">) {
  const most = getEnv().SWARMLOOM_MAX_WAITING;
  let waiting: Promise<number> | undefined;
  let admitted = 0;
  return {
    /**
     * Refuses a new run while too many wait for their turn: they would only wait longer, and readers with them. Throws
     * AppError 429 with the seconds until another attempt makes sense.
     */
    async assert(): Promise<void> {
      waiting ??= db.run.count({ where: { status: "INIT" }, take: most });
      if ((await waiting) + admitted++ < most) return;
      throw new AppError(
        "rate_limited",
        `${most} runs wait for their turn, and no more may: try again in ${retryAfterSeconds} s, cancel some of them, or raise SWARMLOOM_MAX_WAITING.`,
        undefined,
        retryAfterSeconds,
      );
    },
  };
}
