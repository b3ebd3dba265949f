"use client";
import { ArrowDown } from "lucide-react";
import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from "react";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { type TimeRange, type TimeScale, zoomRange } from "@/lib/core/trace/timeline/time-scale";
import { Button } from "../../_ui/controls/button";
import { useSingleKeys } from "../../_ui/keys/single-keys";
import { useMedia } from "../../_ui/use-media";
import { type GridMove, toGridMove } from "../grid/grid-keys";
import type { GridRows } from "../grid/grid-rows";
import { memoizeLast } from "../hooks/memoize-last";
import { throttle, useThrottled } from "../hooks/throttle";
import { useFollow } from "../hooks/use-follow";
import { Axis } from "../time/axis";
import { useMoment } from "../time/moment";
import type { PlayheadStore } from "../time/playhead";
import { columnGrid, columnWidths, readColumns, toggleLeft, toggleWidth } from "./grid-columns";
import { RowCanvas } from "./row-canvas";
import type { RowSource } from "./row-values";
import { activeRowId } from "./waterfall-row";
import { WaterfallRows } from "./waterfall-rows";

export interface WaterfallProps {
  trace: TraceView;
  rows: GridRows;
  scale: TimeScale;
  /** The whole run. */
  whole: TimeRange;
  now: number;
  live: boolean;
  /** Milliseconds of a span, as the time column shows them. */
  timeOf(span: number): number;
  colors: Uint8Array;
  /** 1 for spans that the search found, or that are on the critical path; null: that is not asked. */
  hits: Uint8Array | null;
  critical: Uint8Array | null;
  selected: number;
  playhead: PlayheadStore;
  onSelect(span: number): void;
  onToggle(row: number): void;
  onRange(range: TimeRange): void;
  /** What the grid does not do itself: everything but going and toggling. */
  onMove(move: GridMove): void;
}

const rowHeight = 26;
/** Under a finger. */
const tallRowHeight = 44;
/** The head stays above the rows that scroll below it. */
const headHeight = 28;
/** How often the rows for assistive technology follow the picture while it changes all the time, in milliseconds. */
const rowsIntervalMs = 800;
/** A wheel turned with Ctrl is taken together for so long, in milliseconds: everything around the bars is set anew each time. */
const zoomMs = 45;

/**
 * The tree of steps beside their bars in time; the whole run fits the width. One Tab stop, the keys of a treegrid. While
 * the run goes on it stays at its end until somebody scrolls up. What is seen is painted; rows of text stand in its place for assistive
 * technology, and for everybody until the first picture.
 */
export function Waterfall(props: WaterfallProps) {
  const height = useMedia("(pointer: coarse)") ? tallRowHeight : rowHeight;
  return <Grid key={height} height={height} {...props} />;
}

function Grid({ height, ...props }: WaterfallProps & { height: number }) {
  "use no memo"; // What a trace says changes without its tables changing their identity.
  const { trace, rows, scale, whole, live, timeOf, selected, playhead, onSelect, onToggle, onRange, onMove } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const singleKeys = useSingleKeys();
  const moment = useMoment(trace, playhead);
  const follow = useFollow(scroller, { count: rows.length, live, size: rows.length * height });
  const [groupRow, setGroupRow] = useState<number | null>(null);
  const active = groupRow !== null && rows.groupAt(groupRow) ? groupRow : rows.find(selected);
  const show = (row: number): void => scrollToRow(scroller.current, row, height);
  const shownStep = useRef(0);
  useEffect(() => {
    // Only when another step is selected: what grows above it must not move the view.
    if (shownStep.current === selected || active < 0) return;
    shownStep.current = selected;
    show(active);
  });
  useWheelZoom(scroller, scale, whole, onRange);
  const [sourceOf] = useState(() =>
    memoizeLast(
      (one: RowSource) => Object.values(one),
      (one: RowSource) => one,
    ),
  );
  const source = sourceOf({ trace, rows, origin: whole.start, timeOf, moment });
  const throttledSource = useThrottled(source, live ? rowsIntervalMs : 0);
  const onKeyDown = (event: KeyboardEvent): void => {
    const move = toGridMove(event, rows, Math.max(0, active), singleKeys);
    if (!move) return;
    event.preventDefault();
    if (move.type === "toggle") onToggle(move.row);
    else if (move.type !== "go") onMove(move);
    else goTo(move.row);
  };
  const goTo = (row: number): void => {
    const span = rows.spanAt(row);
    setGroupRow(span < 0 ? row : null);
    if (span >= 0) onSelect(span);
    show(row);
  };
  const onClick = (event: MouseEvent<HTMLElement>): void => {
    const { row, part } = placeOf(event, rows, height);
    if (row < 0) return;
    event.currentTarget.focus({ preventScroll: true });
    if (part === "toggle" || rows.spanAt(row) < 0) onToggle(row);
    if (part !== "toggle") goTo(row);
  };
  const onDoubleClick = (event: MouseEvent<HTMLElement>): void => {
    const { row, part } = placeOf(event, rows, height);
    const span = rows.spanAt(row);
    if (span < 0 || part !== "bar") return;
    onRange({ start: trace.columns.start[span] ?? 0, end: trace.endOf(span, whole.end) });
  };
  return (
    <div className="relative flex min-h-40 min-w-0 flex-1 flex-col [container-type:size]">
      <div
        ref={scroller}
        role="treegrid"
        aria-label="Steps of the run"
        aria-rowcount={rows.length + 1}
        aria-activedescendant={active >= 0 ? activeRowId : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={onDoubleClick}
        className={`group/grid relative min-h-0 flex-1 overflow-y-auto overflow-x-hidden bg-surface -outline-offset-2 ${columnWidths}`}
      >
        <Head scale={scale} origin={whole.start} playhead={playhead} />
        <RowCanvas
          source={source}
          scale={scale}
          now={props.now}
          colors={props.colors}
          hits={props.hits}
          critical={props.critical}
          active={active}
          height={height}
          headHeight={headHeight}
          scroller={scroller}
        />
        <div
          role="rowgroup"
          className="relative forced-colors:opacity-100! group-data-painted/grid:opacity-0 print:opacity-100!"
          style={{ height: rows.length * height }}
        >
          <WaterfallRows source={throttledSource} active={active} height={height} scroller={scroller} />
        </div>
        {rows.length === 0 && <p className="p-4 text-text-muted">No step fits.</p>}
      </div>
      {follow.missed !== null && (
        <Button
          size="small"
          onClick={() => {
            follow.resume();
            scroller.current?.focus();
          }}
          className="absolute right-4 bottom-3 shadow-popover"
        >
          <ArrowDown size={14} aria-hidden /> Jump to live{follow.missed > 0 ? ` (${follow.missed} new)` : ""}
        </Button>
      )}
    </div>
  );
}

/** Scrolls as little as possible, so that the row is in view below the head. */
function scrollToRow(element: HTMLElement | null, row: number, height: number): void {
  if (!element) return;
  const top = row * height;
  const bottom = top + height + headHeight - element.clientHeight;
  if (element.scrollTop > top) element.scrollTop = top;
  else if (element.scrollTop < bottom) element.scrollTop = bottom;
}

/** The row below the pointer and the part of it; -1: none. */
function placeOf(
  { clientX, clientY, currentTarget }: MouseEvent<HTMLElement>,
  rows: GridRows,
  height: number,
): { row: number; part: "toggle" | "step" | "bar" } {
  const box = currentTarget.getBoundingClientRect();
  const y = clientY - box.top - headHeight;
  const row = y < 0 ? -1 : Math.floor((y + currentTarget.scrollTop) / height);
  if (row < 0 || row >= rows.length) return { row: -1, part: "step" };
  const x = clientX - box.left - currentTarget.clientLeft;
  const left = toggleLeft(rows.depthAt(row));
  const isToggle = rows.isOpenAt(row) !== null && x >= left && x < left + toggleWidth;
  return { row, part: isToggle ? "toggle" : x >= readColumns(currentTarget).bars.left ? "bar" : "step" };
}

/** Ctrl and the wheel look closer at the time under the pointer; the browser's own zoom is kept off. */
function useWheelZoom(
  scroller: RefObject<HTMLElement | null>,
  scale: TimeScale,
  whole: TimeRange,
  onRange: (range: TimeRange) => void,
): void {
  const current = useRef({ scale, whole, onRange });
  useEffect(() => {
    current.current = { scale, whole, onRange };
  });
  useEffect(() => {
    const element = scroller.current;
    let [turned, x] = [0, 0];
    const zoom = throttle(() => {
      const box = element?.querySelector("[data-column=bars]")?.getBoundingClientRect();
      if (!box || box.width === 0) return;
      const at = Math.min(1, Math.max(0, (x - box.left) / box.width));
      const { scale: seen, whole: all, onRange: change } = current.current;
      change(zoomRange(seen, all, at, 1.003 ** turned));
      turned = 0;
    }, zoomMs);
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      turned += event.deltaY;
      x = event.clientX;
      zoom();
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      zoom.stop();
      element?.removeEventListener("wheel", onWheel);
    };
  }, [scroller]);
}

const numberHead = "overflow-hidden text-right";

function Head({ scale, origin, playhead }: { scale: TimeScale; origin: number; playhead: PlayheadStore }) {
  return (
    <div
      role="rowgroup"
      className="sticky top-0 z-10 border-line border-b bg-surface-sunken text-text-muted text-xs"
      style={{ height: headHeight }}
    >
      <div role="row" aria-rowindex={1} tabIndex={-1} className={`relative h-full leading-7 ${columnGrid}`}>
        <span role="columnheader" tabIndex={-1} data-column="step" className="overflow-hidden px-3">
          Step
        </span>
        <span role="columnheader" tabIndex={-1} data-column="tokens" className={numberHead}>
          Tokens
        </span>
        <span role="columnheader" tabIndex={-1} data-column="cost" className={numberHead}>
          Cost
        </span>
        <span role="columnheader" tabIndex={-1} data-column="time" className={numberHead}>
          Time
        </span>
        <div
          role="columnheader"
          tabIndex={-1}
          aria-label="When"
          data-column="bars"
          className="relative mx-3 min-w-0 leading-4"
        >
          <Axis scale={scale} origin={origin} playhead={playhead} />
        </div>
      </div>
    </div>
  );
}
