import type { TimeRange } from "@/lib/core/trace/timeline/time-scale";
import type { ViewState } from "./view-state";

/** So much of a run that goes on is displayed, in milliseconds: in the whole of a long one its newest steps are too narrow to see. */
const followedMs = 30_000;

type RangeState = Pick<ViewState, "from" | "to">;

/** The range that a view displays: without one of its own the whole run, and of a run that goes on its last 30 s. */
export function toVisibleRange({ from: first, to: last }: RangeState, runRange: TimeRange, isLive: boolean): TimeRange {
  const isFollowing = isLive && first === null && last === null;
  const earliest = isFollowing ? Math.max(runRange.start, runRange.end - followedMs) : runRange.start;
  const start = first === null ? earliest : Math.min(runRange.start + first, runRange.end - 1);
  const end = last === null ? runRange.end : Math.min(runRange.start + last, runRange.end);
  return { start, end: Math.max(end, start + 1) };
}

/** The view state of a time range; null: the whole run, and where that is displayed while it goes on, its last 30 s again. */
export function toRangeState(
  range: TimeRange | null,
  { runRange, isLive, state }: { runRange: TimeRange; isLive: boolean; state: RangeState },
): RangeState {
  if (range === null) return { from: isLive && state.from === null && state.to === null ? 0 : null, to: null };
  const start = Math.floor(range.start - runRange.start);
  return { from: start, to: Math.max(Math.ceil(range.end - runRange.start), start + 1) };
}
