import { isAgentKind } from "../../run/events/run-node-traits";
import type { TraceView } from "../model/trace-view";
import { isWork } from "./idle-gaps";
import { toOwnWallTimes } from "./wall-time";

/** What the time of a step may mean: how long it took, or how much of its subtree waited for a turn, or worked. */
export const timeMeanings = ["wall", "queue", "work"] as const;
export type TimeMeaning = (typeof timeMeanings)[number];

/**
 * Milliseconds of every span: `queue` that model calls at or below it waited for their turn at a
 * provider; `work` of all model and tool calls at or below it, one after another: a call that waits for an agent has no work of its
 * own. What still runs ends `now`.
 * `areOwn`: without those of the agents below it.
 */
export function toTimes(
  trace: TraceView,
  meaning: Exclude<TimeMeaning, "wall">,
  now: number,
  { areOwn = false } = {},
): Float64Array {
  const { parent } = trace.columns;
  const times = new Float64Array(trace.length);
  const ownWallTimes = meaning === "work" ? toOwnWallTimes(trace, now) : times;
  for (let span = trace.length - 1; span >= 0; span--) {
    const waited = trace.queued.get(span) ?? 0;
    const ownTime =
      meaning === "queue" ? waited : isWork(trace, span) ? Math.max(0, (ownWallTimes[span] ?? 0) - waited) : 0;
    times[span] = (times[span] ?? 0) + ownTime;
    const above = parent[span] ?? -1;
    if (above >= 0 && !(areOwn && isAgentKind(trace.kindOf(span))))
      times[above] = (times[above] ?? 0) + (times[span] ?? 0);
  }
  return times;
}
