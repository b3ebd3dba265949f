import type { RunStatus } from "@/lib/core/run/events/run-status";
import type { NodeStatus } from "@/lib/core/trace/model/node-statuses";

/** For tests: a node that used nothing. */
export const nodeStatus = (status: RunStatus, runs = 1): NodeStatus => ({
  status,
  runs,
  simulated: false,
  elapsedMs: 0,
  runningSince: null,
  tokens: 0,
  cost: 0,
});
