import { useState } from "react";
import { useStore } from "zustand";
import { findBoundary } from "@/lib/core/flow/find-boundary";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { createMemo } from "../hooks/keyed-memo";
import type { PlayheadStore } from "./playhead";

function toBoundaries(trace: TraceView): Float64Array {
  const { start, end } = trace.columns;
  const all = new Float64Array(trace.length * 2);
  all.set(start.subarray(0, trace.length));
  all.set(end.subarray(0, trace.length), trace.length);
  return all.sort();
}

export function lastUpTo(times: Float64Array, time: number): number {
  const endedBefore = findBoundary(times.length, (index) => !((times[index] ?? Number.NaN) <= time));
  return times[endedBefore - 1] ?? time;
}

/**
 * The displayed moment, rounded down to the last start or end of a step: it changes only when the view does, however often the
 * playhead moves. Null: the end, or now.
 */
export function useMoment(trace: TraceView, playhead: PlayheadStore): number | null {
  const [boundaries] = useState(() => createMemo<Float64Array>());
  const isOver = isTerminal(trace.run.status);
  return useStore(playhead, ({ time }) =>
    time === null || !isOver
      ? time
      : lastUpTo(
          boundaries([trace.version], () => toBoundaries(trace)),
          time,
        ),
  );
}
