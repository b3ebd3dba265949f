import type { RunStatus, ShownStatus } from "../../run/events/run-status";

/** `errorCode`: of the run or step. */
export function toShownStatus(status: RunStatus, errorCode: string | undefined): ShownStatus {
  if (errorCode === "unreadable") return "UNREADABLE";
  return status === "FAILED" && errorCode === "interrupted" ? "INTERRUPTED" : status;
}
