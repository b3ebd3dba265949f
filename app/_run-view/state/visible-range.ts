import { isTerminal, type RunStatus } from "@/lib/core/run/events/run-status";
import type { TimeRange } from "@/lib/core/trace/timeline/time-scale";
import type { ViewState } from "./view-state";

/** How much of a running run is displayed, in milliseconds: in the whole of a long one its newest steps are too narrow to see. */
const followedMs = 30_000;

type RangeState = Pick<ViewState, "from" | "to" | "follow">;

/** Whether the newest steps of a run can be followed: one that waits or is paused has none. */
export const canFollow = (status: RunStatus): boolean => status === "RUNNING";

/** Whether a view shows the last 30 s of a run. */
export const isFollowing = ({ from, to, follow }: RangeState, status: RunStatus): boolean =>
  canFollow(status) && follow && from === null && to === null;

/** The range that a view displays: the chosen one, else the last 30 s or the whole run. */
export function toVisibleRange(state: RangeState, runRange: TimeRange, status: RunStatus): TimeRange {
  const { from: first, to: last } = state;
  if (isFollowing(state, status))
    return toFilledRange(Math.max(runRange.start, runRange.end - followedMs), runRange.end);
  const start = first === null ? runRange.start : Math.min(runRange.start + first, runRange.end - 1);
  return toFilledRange(start, last === null ? runRange.end : Math.min(runRange.start + last, runRange.end));
}

const toFilledRange = (start: number, end: number): TimeRange => ({ start, end: Math.max(end, start + 1) });

/** The view state of a chosen time range. */
export function toRangeState(range: TimeRange, runRange: TimeRange): Pick<RangeState, "from" | "to"> {
  const start = Math.floor(range.start - runRange.start);
  return { from: start, to: Math.max(Math.ceil(range.end - runRange.start), start + 1) };
}

/** The view state that shows the whole run; where a running one is shown whole already, its last 30 s. */
export function toWholeState({ from, to, follow }: RangeState, status: RunStatus): RangeState {
  const isWhole = from === null && to === null && !follow;
  return { from: null, to: null, follow: isTerminal(status) || isWhole };
}
