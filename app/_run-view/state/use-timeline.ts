"use client";
import { useState } from "react";
import { isTerminal } from "@/lib/core/run/events/events";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { toCriticalPath } from "@/lib/core/trace/timeline/critical-path";
import { type FlameLayout, toFlameLayout } from "@/lib/core/trace/timeline/flame-layout";
import { idleShare, runRangeOf, toIdleGaps } from "@/lib/core/trace/timeline/idle-gaps";
import { failedSteps, filterSpans } from "@/lib/core/trace/timeline/span-filter";
import { type Grouping, type SpanGroup, toGroups } from "@/lib/core/trace/timeline/span-groups";
import { type Folding, isAllOpen, OpenRows, toRows } from "@/lib/core/trace/timeline/span-rows";
import { type TimeMeaning, toTimes, wallTime } from "@/lib/core/trace/timeline/span-times";
import { type TimeRange, type TimeScale, toTimeScale } from "@/lib/core/trace/timeline/time-scale";
import { SpanColors } from "../drawing/span-colors";
import { toGroupRows, toStepRows } from "../grid/grid-rows";
import { memoizeLast } from "../hooks/memoize-last";
import type { ViewState } from "./view-state";

/** How often costly data of a live run is recomputed, in milliseconds: half as often for twice as many steps. */
const updateIntervalMs = (trace: TraceView): number =>
  500 * 2 ** Math.max(0, Math.ceil(Math.log2(trace.length / 6250)));

export interface TraceOverview {
  trace: TraceView;
  layout: FlameLayout;
  colors: Uint8Array;
  scale: TimeScale;
}

function createTimelineMemo() {
  const colors = new SpanColors();
  const openRows = new OpenRows();
  const beat = (trace: TraceView, now: number): unknown =>
    isTerminal(trace.run.status) ? `${trace.version}` : Math.floor(now / updateIntervalMs(trace));
  const time = (trace: TraceView, now: number): number => (isTerminal(trace.run.status) ? 0 : now);
  return {
    colors,
    whole: memoizeLast((trace: TraceView, now: number) => [trace.version, time(trace, now)], runRangeOf),
    gaps: memoizeLast((trace: TraceView, _: TimeRange, now: number) => [beat(trace, now)], toIdleGaps),
    layout: memoizeLast((trace: TraceView, now: number) => [beat(trace, now)], toFlameLayout),
    critical: memoizeLast((trace: TraceView, now: number) => [beat(trace, now)], toCriticalPath),
    filtered: memoizeLast(
      (trace: TraceView, query: string, errorsOnly: boolean) => [trace.version, query, errorsOnly],
      (trace: TraceView, query: string, errorsOnly: boolean) => filterSpans(trace, { query, errorsOnly }),
    ),
    failed: memoizeLast((trace: TraceView) => [trace.version], failedSteps),
    rows: memoizeLast(
      (trace: TraceView, folding: Folding, retained: Uint8Array | null) => [
        trace.columns,
        trace.shape,
        folding,
        retained,
      ],
      (trace: TraceView, folding: Folding, retained: Uint8Array | null) =>
        toStepRows(
          trace,
          retained || !isAllOpen(folding) ? toRows(trace, folding, retained) : openRows.of(trace),
          folding,
        ),
    ),
    groupRows: memoizeLast((groups: readonly SpanGroup[], folding: Folding) => [groups, folding], toGroupRows),
    timeOf: memoizeLast(
      (trace: TraceView, now: number, times: Float64Array | null) => [trace, now, times],
      (trace: TraceView, now: number, times: Float64Array | null) => (span: number) =>
        times ? (times[span] ?? 0) : wallTime(trace, span, now),
    ),
    folding: memoizeLast((depth: number | null, fold: readonly number[]) => [depth, fold.join(".")], toFolding),
    groups: memoizeLast((trace: TraceView, grouping: Grouping, now: number) => [beat(trace, now), grouping], toGroups),
    times: memoizeLast((trace: TraceView, meaning: TimeMeaning, now: number) => [beat(trace, now), meaning], toTimes),
    overview: memoizeLast(
      ({ layout }: TraceOverview) => [layout],
      (overview: TraceOverview) => overview,
    ),
    scale: memoizeScale(),
    wholeScale: memoizeScale(),
    hits: memoizeLast((spans: Int32Array | undefined, length: number) => [spans, length], toMarks),
  };
}

const memoizeScale = () =>
  memoizeLast(
    (start: number, end: number, gaps: readonly TimeRange[]) => [start, end, gaps],
    (start: number, end: number, gaps: readonly TimeRange[]) => toTimeScale({ start, end }, gaps),
  );

const toFolding = (depth: number | null, fold: readonly number[]): Folding => ({
  depth: depth ?? Number.POSITIVE_INFINITY,
  toggled: new Set(fold),
});

function toMarks(spans: Int32Array | undefined, length: number): Uint8Array | null {
  if (!spans) return null;
  const marks = new Uint8Array(length);
  for (const span of spans) marks[span] = 1;
  return marks;
}

const noGaps: readonly TimeRange[] = [];

export function useTimeline(trace: TraceView, state: ViewState, now: number) {
  "use no memo"; // Costly values are memoized on less than the whole trace.
  const [memo] = useState(createTimelineMemo);
  const runRange = memo.whole(trace, now);
  const gaps = memo.gaps(trace, runRange, now);
  const squeezedGaps = state.squeeze ? gaps : noGaps;
  const { start, end } = toVisibleRange(state, runRange);
  const filtered = memo.filtered(trace, state.q, state.errors);
  const folding = memo.folding(filtered ? null : state.depth, state.fold);
  const wholeScale = memo.wholeScale(runRange.start, runRange.end, squeezedGaps);
  const colors = memo.colors.of(trace);
  const layout = memo.layout(trace, now);
  const times = state.time === "wall" ? null : memo.times(trace, state.time, now);
  return {
    runRange,
    idleShare: idleShare(gaps, runRange),
    scale: memo.scale(start, end, squeezedGaps),
    wholeScale,
    rows:
      state.group === null
        ? memo.rows(trace, folding, filtered?.kept ?? null)
        : memo.groupRows(memo.groups(trace, state.group, now), folding),
    folding,
    /** 1 for spans that the search matches; null: there is no search. */
    hits: memo.hits(filtered?.hits, trace.length),
    hitSpans: filtered?.hits,
    listFailed: () => memo.failed(trace),
    critical: state.critical ? memo.critical(trace, now) : null,
    /** Milliseconds of a span, as the time column shows them. */
    timeOf: memo.timeOf(trace, now, times),
    colors,
    layout,
    overview: memo.overview({ trace, layout, colors, scale: wholeScale }),
  };
}
export type TimelineData = ReturnType<typeof useTimeline>;

function toVisibleRange(state: ViewState, runRange: TimeRange): TimeRange {
  const start = state.from === null ? runRange.start : Math.min(runRange.start + state.from, runRange.end - 1);
  const end = state.to === null ? runRange.end : Math.min(runRange.start + state.to, runRange.end);
  return { start, end: Math.max(end, start + 1) };
}
