"use client";
import { useState } from "react";
import { isTerminal } from "@/lib/core/run/events/events";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { toCriticalPath } from "@/lib/core/trace/timeline/critical-path";
import { toFlameLayout } from "@/lib/core/trace/timeline/flame-layout";
import { idleShare, runRangeOf, toIdleGaps } from "@/lib/core/trace/timeline/idle-gaps";
import { failedSteps, filterSpans } from "@/lib/core/trace/timeline/span-filter";
import { type Grouping, type SpanGroup, toGroups } from "@/lib/core/trace/timeline/span-groups";
import { type Folding, isAllOpen, OpenRows, toRows } from "@/lib/core/trace/timeline/span-rows";
import { type TimeMeaning, toTimes, wallTime } from "@/lib/core/trace/timeline/span-times";
import { type TimeRange, toTimeScale } from "@/lib/core/trace/timeline/time-scale";
import { SpanColors } from "../drawing/span-colors";
import type { FlamePicture } from "../flame/draw-flame";
import { toGroupRows, toStepRows } from "../grid/grid-rows";
import { rememberLast } from "../hooks/memoize-last";
import type { ViewState } from "./view-state";

/** While a run goes on, what is costly is worked out anew so often, in milliseconds: half as often for twice as many steps. */
const apartMs = (trace: TraceView): number => 500 * 2 ** Math.max(0, Math.ceil(Math.log2(trace.length / 6250)));

type Overview = Pick<FlamePicture, "trace" | "layout" | "colors" | "scale">;

/** Everything costly that the views share, each part worked out only when what it depends on has changed. */
function createParts() {
  const colors = new SpanColors();
  const openRows = new OpenRows();
  /** Changes with the trace; while the run goes on a few times a second. */
  const beat = (trace: TraceView, now: number): unknown =>
    isTerminal(trace.run.status) ? `${trace.version}` : Math.floor(now / apartMs(trace));
  const time = (trace: TraceView, now: number): number => (isTerminal(trace.run.status) ? 0 : now);
  return {
    colors,
    whole: rememberLast((trace: TraceView, now: number) => [trace.version, time(trace, now)], runRangeOf),
    gaps: rememberLast((trace: TraceView, _: TimeRange, now: number) => [beat(trace, now)], toIdleGaps),
    layout: rememberLast((trace: TraceView, now: number) => [beat(trace, now)], toFlameLayout),
    critical: rememberLast((trace: TraceView, now: number) => [beat(trace, now)], toCriticalPath),
    filtered: rememberLast(
      (trace: TraceView, query: string, errorsOnly: boolean) => [trace.version, query, errorsOnly],
      (trace: TraceView, query: string, errorsOnly: boolean) => filterSpans(trace, { query, errorsOnly }),
    ),
    failed: rememberLast((trace: TraceView) => [trace.version], failedSteps),
    rows: rememberLast(
      (trace: TraceView, folding: Folding, kept: Uint8Array | null) => [trace.columns, trace.shape, folding, kept],
      (trace: TraceView, folding: Folding, kept: Uint8Array | null) =>
        toStepRows(trace, kept || !isAllOpen(folding) ? toRows(trace, folding, kept) : openRows.of(trace), folding),
    ),
    groupRows: rememberLast((groups: readonly SpanGroup[], folding: Folding) => [groups, folding], toGroupRows),
    timeOf: rememberLast(
      (trace: TraceView, now: number, times: Float64Array | null) => [trace, now, times],
      (trace: TraceView, now: number, times: Float64Array | null) => (span: number) =>
        times ? (times[span] ?? 0) : wallTime(trace, span, now),
    ),
    folding: rememberLast(
      (depth: number | null, fold: readonly number[]) => [depth, fold.join(".")],
      (depth: number | null, fold: readonly number[]): Folding => ({
        depth: depth ?? Number.POSITIVE_INFINITY,
        toggled: new Set(fold),
      }),
    ),
    groups: rememberLast((trace: TraceView, by: Grouping, now: number) => [beat(trace, now), by], toGroups),
    times: rememberLast((trace: TraceView, meaning: TimeMeaning, now: number) => [beat(trace, now), meaning], toTimes),
    overview: rememberLast(
      ({ layout }: Overview) => [layout],
      (overview: Overview) => overview,
    ),
    scale: rememberLast(
      (from: number, to: number, gaps: readonly TimeRange[]) => [from, to, gaps],
      (start: number, end: number, gaps: readonly TimeRange[]) => toTimeScale({ start, end }, gaps),
    ),
    wholeScale: rememberLast(
      (from: number, to: number, gaps: readonly TimeRange[]) => [from, to, gaps],
      (start: number, end: number, gaps: readonly TimeRange[]) => toTimeScale({ start, end }, gaps),
    ),
    hits: rememberLast(
      (spans: Int32Array | undefined, length: number) => [spans, length],
      (spans: Int32Array | undefined, length: number): Uint8Array | null => {
        if (!spans) return null;
        const marks = new Uint8Array(length);
        for (const span of spans) marks[span] = 1;
        return marks;
      },
    ),
  };
}

const noGaps: readonly TimeRange[] = [];

/** What all views of a run draw from, for what the address says. */
export function useTimeline(trace: TraceView, state: ViewState, now: number) {
  "use no memo"; // What is costly remembers for itself, by less than the whole trace.
  const [parts] = useState(createParts);
  const whole = parts.whole(trace, now);
  const gaps = parts.gaps(trace, whole, now);
  const squeezed = state.squeeze ? gaps : noGaps;
  const from = state.from === null ? whole.start : Math.min(whole.start + state.from, whole.end - 1);
  const to = state.to === null ? whole.end : Math.min(whole.start + state.to, whole.end);
  const filtered = parts.filtered(trace, state.q, state.errors);
  const folding = parts.folding(filtered ? null : state.depth, state.fold);
  const rows =
    state.group === null
      ? parts.rows(trace, folding, filtered?.kept ?? null)
      : parts.groupRows(parts.groups(trace, state.group, now), folding);
  const wholeScale = parts.wholeScale(whole.start, whole.end, squeezed);
  const colors = parts.colors.of(trace);
  const layout = parts.layout(trace, now);
  const times = state.time === "wall" ? null : parts.times(trace, state.time, now);
  return {
    whole,
    idle: idleShare(gaps, whole),
    scale: parts.scale(from, Math.max(to, from + 1), squeezed),
    wholeScale,
    rows,
    folding,
    filtered,
    hits: parts.hits(filtered?.hits, trace.length),
    /** Steps that failed themselves, in the order of the rows. */
    failed: () => parts.failed(trace),
    critical: state.critical ? parts.critical(trace, now) : null,
    timeOf: parts.timeOf(trace, now, times),
    colors,
    layout,
    overview: parts.overview({ trace, layout, colors, scale: wholeScale }),
  };
}
export type Timeline = ReturnType<typeof useTimeline>;
