"use client";
import { type KeyboardEvent, type PointerEvent, useCallback, useEffect, useRef, useState } from "react";
import { labelOfKind } from "@/app/_kinds/kind-icon";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { type FlameLayout, findInFlame } from "@/lib/core/trace/timeline/flame-layout";
import { moveInside, type TimeRange, type TimeScale, zoomRange } from "@/lib/core/trace/timeline/time-scale";
import { statusStyles } from "../../_ui/badges/status-badge";
import { formatDuration } from "../../_ui/format/format";
import { useSingleKeys } from "../../_ui/keys/single-keys";
import { type Pen, useCanvas } from "../drawing/use-canvas";
import { type GridMove, toSharedMove } from "../grid/grid-keys";
import { Axis } from "../time/axis";
import type { PlayheadStore } from "../time/playhead";
import { PlayheadLine } from "../time/playhead-line";
import { drawFlame } from "./draw-flame";

interface FlameViewProps {
  trace: TraceView;
  layout: FlameLayout;
  colors: Uint8Array;
  scale: TimeScale;
  whole: TimeRange;
  lit: Uint8Array | null;
  selected: number;
  playhead: PlayheadStore;
  onSelect(span: number): void;
  onRange(range: TimeRange): void;
  /** What the graph does not do itself. */
  onMove(move: GridMove): void;
}

const laneHeight = 20;

/** Every step below its parent, as wide as it took long. Ctrl and the wheel zoom, dragging moves, a click selects; the arrows go through the tree. */
export function FlameView(props: FlameViewProps) {
  const { trace, layout, colors, scale, whole, lit, selected, playhead, onSelect, onRange, onMove } = props;
  const [top, setTop] = useState(0);
  const singleKeys = useSingleKeys();
  const box = useRef<HTMLDivElement>(null);
  const drag = useRef<{ x: number; y: number; range: TimeRange; top: number; moved: boolean } | null>(null);
  const most = Math.max(0, layout.lanes * laneHeight - 200);
  const draw = useCallback(
    (pen: Pen) => drawFlame(pen, { trace, layout, colors, scale, laneHeight, top, selected, lit, finest: 1 }),
    [trace, layout, colors, scale, top, selected, lit],
  );
  const canvas = useCanvas(draw);
  const wheel = useRef<(event: WheelEvent) => void>(() => {});
  useEffect(() => {
    wheel.current = (event) => {
      const bounds = box.current?.getBoundingClientRect();
      if (!bounds) return;
      event.preventDefault();
      const at = (event.clientX - bounds.left) / bounds.width;
      if (event.ctrlKey) onRange(zoomRange(scale, whole, at, 1.003 ** event.deltaY));
      else if (event.shiftKey) onRange(moveInside(shift(scale.range, event.deltaY / bounds.width), whole));
      else setTop((before) => Math.min(most, Math.max(0, before + event.deltaY)));
    };
  });
  useEffect(() => {
    const element = box.current;
    const onWheel = (event: WheelEvent): void => wheel.current(event);
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => element?.removeEventListener("wheel", onWheel);
  }, []);
  const findAt = ({ clientX, clientY }: { clientX: number; clientY: number }): number => {
    const bounds = box.current?.getBoundingClientRect();
    if (!bounds) return -1;
    const lane = Math.floor((clientY - bounds.top + top) / laneHeight);
    return findInFlame(trace, layout, { scale, width: bounds.width, lane }, clientX - bounds.left);
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const from = drag.current;
    if (!from) {
      event.currentTarget.title = describeSpan(trace, findAt(event));
      return;
    }
    const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
    if (!from.moved && Math.hypot(dx, dy) < 4) return;
    from.moved = true;
    onRange(moveInside(shift(from.range, -dx / event.currentTarget.clientWidth), whole));
    setTop(Math.min(most, Math.max(0, from.top - dy)));
  };
  const onPointerUp = (event: PointerEvent): void => {
    const span = drag.current?.moved ? -1 : findAt(event);
    drag.current = null;
    if (span >= 0) onSelect(span);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = toNeighbour(trace, selected, event.key);
    const move = next === null ? toSharedMove(event.key, singleKeys) : null;
    if (next === null && !move) return;
    event.preventDefault();
    if (move) onMove(move);
    if (next === null) return;
    onSelect(next);
    const y = (layout.lane[next] ?? 0) * laneHeight;
    if (y < top || y > top + 300) setTop(Math.min(most, Math.max(0, y - 100)));
  };
  return (
    <div className="flex min-h-40 min-w-0 flex-1 flex-col">
      <div className="h-7 shrink-0 border-line border-b bg-surface-sunken text-text-muted text-xs">
        <Axis scale={scale} origin={whole.from} playhead={playhead} />
      </div>
      <div
        ref={box}
        role="application"
        aria-label="Flame graph of the run"
        aria-roledescription="flame graph"
        aria-describedby="flame-selected"
        tabIndex={0}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag.current = { x: event.clientX, y: event.clientY, range: scale.range, top, moved: false };
        }}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerUp}
        onDoubleClick={(event) => {
          const span = findAt(event);
          if (span >= 0) onRange({ from: trace.columns.start[span] ?? 0, to: layout.until[span] ?? whole.to });
        }}
        className="relative min-h-0 flex-1 cursor-default touch-none overflow-hidden -outline-offset-2"
      >
        <canvas ref={canvas} className="absolute inset-0 size-full" />
        <PlayheadLine playhead={playhead} scale={scale} className="inset-y-0" />
      </div>
      <p id="flame-selected" role="status" className="sr-only">
        {describeSpan(trace, selected)}
      </p>
    </div>
  );
}

const shift = ({ from, to }: TimeRange, share: number): TimeRange => {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
};

/** `Agent writer, Succeeded, 2.4 s` */
function describeSpan(trace: TraceView, span: number): string {
  if (span < 0 || span >= trace.length) return "";
  const { start, end } = trace.columns;
  const took = (end[span] ?? Number.NaN) - (start[span] ?? 0);
  const time = Number.isNaN(took) ? "" : `, ${formatDuration(took)}`;
  return `${labelOfKind(trace.kindOf(span))} ${trace.nameOf(span)}, ${statusStyles[trace.statusOf(span)].word}${time}`;
}

/** Down to the first child, up to the parent, left and right to siblings. Null: the key is not ours. */
function toNeighbour(trace: TraceView, span: number, key: string): number | null {
  const { parent, firstChild, nextSibling } = trace.columns;
  const above = parent[span] ?? -1;
  const first = above < 0 ? 0 : (firstChild[above] ?? span);
  const orSame = (other: number): number => (other >= 0 ? other : Math.max(span, 0));
  if (span < 0) return trace.length > 0 && key.startsWith("Arrow") ? 0 : null;
  if (key === "ArrowDown") return orSame(firstChild[span] ?? -1);
  if (key === "ArrowUp") return orSame(above);
  if (key === "ArrowRight") return orSame(nextSibling[span] ?? -1);
  if (key !== "ArrowLeft") return null;
  let before = first;
  while (before !== span && (nextSibling[before] ?? -1) !== span) before = nextSibling[before] ?? span;
  return before;
}
