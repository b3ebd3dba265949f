import { useState } from "react";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { findNotReached } from "@/lib/core/trace/model/run-progress";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { toCriticalPath } from "@/lib/core/trace/timeline/critical-path";
import { type FlameLayout, toFlameLayout } from "@/lib/core/trace/timeline/flame-layout";
import { idleShare, runRangeOf, toIdleGaps } from "@/lib/core/trace/timeline/idle-gaps";
import { countFailedSteps, type FilteredSpans, failedSteps, filterSpans } from "@/lib/core/trace/timeline/span-filter";
import { toGroups } from "@/lib/core/trace/timeline/span-groups";
import { type Folding, isAllOpen, OpenRows, toRows } from "@/lib/core/trace/timeline/span-rows";
import { toTimes } from "@/lib/core/trace/timeline/span-times";
import { type TimeRange, type TimeScale, toTimeScale } from "@/lib/core/trace/timeline/time-scale";
import { wallTime } from "@/lib/core/trace/timeline/wall-time";
import { SpanColors } from "../drawing/span-colors";
import type { GridMove } from "../grid/grid-keys";
import { type GridRows, toGroupRows, toStepRows } from "../grid/grid-rows";
import { createMemo, useKeyedMemo } from "../hooks/keyed-memo";
import type { PlayheadStore } from "../time/playhead";
import type { ViewState } from "./view-state";
import { toVisibleRange } from "./visible-range";

/** How often costly data of a live run is recomputed, in milliseconds: half as often for twice as many steps. */
const updateIntervalMs = (trace: TraceView): number =>
  500 * 2 ** Math.max(0, Math.ceil(Math.log2(trace.length / 6250)));

/** Changes when costly data of the trace is to be recomputed. */
const beatOf = (trace: TraceView, now: number): unknown =>
  isTerminal(trace.run.status) ? `${trace.version}` : Math.floor(now / updateIntervalMs(trace));

export interface TraceOverview {
  trace: TraceView;
  layout: FlameLayout;
  colors: Uint8Array;
  scale: TimeScale;
}

const noGaps: readonly TimeRange[] = [];

export function useTimeline(trace: TraceView, state: ViewState, now: number) {
  "use no memo"; // Costly values are memoized on less than the whole trace.
  const { q: query, errors: errorsOnly, time: timeMeaning } = state;
  const beat = beatOf(trace, now);
  const runRange = useKeyedMemo([trace.version, isTerminal(trace.run.status) ? 0 : now], () => runRangeOf(trace, now));
  const gaps = useKeyedMemo([beat], () => toIdleGaps(trace, runRange, now));
  const filtered = useKeyedMemo([trace.version, query, errorsOnly], () => filterSpans(trace, query, errorsOnly));
  const hits = useKeyedMemo([filtered?.hits, trace.length], () => filtered && toMarks(filtered.hits, trace.length));
  const times = useKeyedMemo([beat, timeMeaning], () =>
    timeMeaning === "wall" ? null : toTimes(trace, timeMeaning, now),
  );
  const timeOf = useKeyedMemo(
    [trace, now, times],
    () => (span: number) => (times ? (times[span] ?? 0) : wallTime(trace, span, now)),
  );
  const squeezedGaps = state.squeeze ? gaps : noGaps;
  const wholeScale = useTimeScale(runRange, squeezedGaps);
  const { status } = trace.run;
  const scale = useTimeScale(toVisibleRange(state, runRange, status), squeezedGaps);
  const [spanColors] = useState(() => new SpanColors());
  const colors = spanColors.of(trace);
  const layout = useKeyedMemo([beat], () => toFlameLayout(trace, now));
  const [failed] = useState(() => createMemo<Int32Array>());
  return {
    runRange,
    status,
    idleShare: idleShare(gaps, runRange),
    scale,
    wholeScale,
    ...useRows(trace, state, filtered, now),
    /** 1 for spans that the search matches; null: there is no search. */
    hits,
    hitSpans: filtered?.hits,
    /** Of a run that is over; 0 for one that goes on. */
    failedCount: useKeyedMemo([trace.run.status], () => (isTerminal(trace.run.status) ? countFailedSteps(trace) : 0)),
    listFailed: () => failed([trace.version], () => failedSteps(trace)),
    critical: useKeyedMemo([beat, state.critical], () => (state.critical ? toCriticalPath(trace, now) : null)),
    /** Milliseconds of a span, as the time column shows them. */
    timeOf,
    colors,
    layout,
    overview: useKeyedMemo<TraceOverview>([layout], () => ({ trace, layout, colors, scale: wholeScale })),
  };
}
export type TimelineData = ReturnType<typeof useTimeline>;

export interface TimelineActions {
  select(span: number): void;
  toggleRow(row: number): void;
  zoomTo(range: TimeRange): void;
  move(move: GridMove): void;
}

export interface TimeViewProps {
  run: { trace: TraceView; now: number; live: boolean };
  timeline: TimelineData;
  playhead: PlayheadStore;
  selected: number;
  actions: TimelineActions;
}

const useTimeScale = ({ start, end }: TimeRange, gaps: readonly TimeRange[]): TimeScale =>
  useKeyedMemo([start, end, gaps], () => toTimeScale({ start, end }, gaps));

function useRows(trace: TraceView, state: ViewState, filtered: FilteredSpans | null, now: number) {
  "use no memo"; // Costly values are memoized on less than the whole trace.
  const { group, fold, time } = state;
  const depth = (filtered ? null : state.depth) ?? Number.POSITIVE_INFINITY;
  const folding = useKeyedMemo<Folding>([depth, fold.join(".")], () => ({ depth, toggled: new Set(fold) }));
  const groups = useKeyedMemo([beatOf(trace, now), group, time], () => group && toGroups(trace, group, now, time));
  const [openRows] = useState(() => new OpenRows());
  const retained = filtered?.kept ?? null;
  const isOver = isTerminal(trace.run.status);
  const notReached = useKeyedMemo([isOver, isOver && trace.shape], () => findNotReached(trace));
  const rows = useKeyedMemo<GridRows>(
    groups ? [groups, folding] : [trace.columns, trace.shape, folding, retained, notReached],
    () => {
      if (groups) return toGroupRows(groups, folding);
      const isFull = retained === null && isAllOpen(folding);
      const spans = isFull ? openRows.of(trace) : toRows(trace, folding, retained);
      return toStepRows(trace, spans, folding, retained ? [] : notReached);
    },
  );
  return { rows, folding };
}

function toMarks(spans: Int32Array, length: number): Uint8Array {
  const marks = new Uint8Array(length);
  for (const span of spans) marks[span] = 1;
  return marks;
}
