import type { RunStatus, ShownStatus } from "../../run/events/run-status";

/** `errorCode`: of the run or step. */
export const toShownStatus = (status: RunStatus, errorCode: string | undefined): ShownStatus =>
  status === "FAILED" && errorCode === "interrupted" ? "INTERRUPTED" : status;
