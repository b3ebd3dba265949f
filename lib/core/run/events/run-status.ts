/**
 * `WAITING`: for human input. `PAUSED`: until it is resumed. The others but the first two are terminal and never change.
 * A new one goes to the end: answers of the API and exported structures name a status by its place.
 */
export const runStatuses = [
  "INIT",
  "RUNNING",
  "WAITING",
  "SUCCESS",
  "FAILED",
  "TIMEOUT",
  "CANCELLED",
  "PAUSED",
] as const;
export type RunStatus = (typeof runStatuses)[number];
/**
 * A status as it is displayed. `INTERRUPTED`: the stop of the server ended it; it did not fail by itself. `UNREADABLE`: how
 * it ended cannot be read.
 */
export type ShownStatus = RunStatus | "INTERRUPTED" | "UNREADABLE";

export const isTerminal = (status: ShownStatus): boolean =>
  status !== "INIT" && status !== "RUNNING" && status !== "WAITING" && status !== "PAUSED";

/** Whether a run or node with this status failed itself. */
export const isFailure = (status: ShownStatus): boolean => status === "FAILED" || status === "TIMEOUT";
