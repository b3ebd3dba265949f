import "server-only";
import { isDatabaseError, toReason } from "../../db";
import type { Ending } from "./end-unfinished";

export const cancelledEarly: Ending = {
  status: "CANCELLED",
  error: { code: "cancelled", message: "The run was cancelled before it began." },
};

/** Of a run that was paused. */
export const cancelledWhilePaused: Ending = {
  status: "CANCELLED",
  error: { code: "cancelled", message: "The run was cancelled while it was paused." },
};

/** Of a run whose process stopped before it saw that the run was to be cancelled. */
export const cancelledAfterStop: Ending = {
  status: "CANCELLED",
  error: { code: "cancelled", message: "The run was cancelled. The server that drove it had stopped." },
};

/** Of a run that was resumed several times, and each time its process ended before a step did. */
export const stuck: Ending = {
  status: "FAILED",
  error: {
    code: "interrupted",
    message:
      "The run was interrupted: the server stopped several times in a row at the same step, the last time while it was running. What had finished is kept.",
  },
};

/** Of a run that the server could not drive on. */
export function toFaultEnding(error: unknown): Ending {
  if (isDatabaseError(error))
    return {
      status: "FAILED",
      error: {
        code: "storage",
        message: `The run was stopped: what it produced could not be stored. ${error.message} What was stored is kept.`,
      },
    };
  return {
    status: "FAILED",
    error: { code: "internal", message: `The server failed while it drove this run: ${toReason(error)}` },
  };
}
