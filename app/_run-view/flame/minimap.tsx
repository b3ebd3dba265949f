"use client";
import { type PointerEvent, useCallback, useRef } from "react";
import { moveInside, type TimeRange, type TimeScale } from "@/lib/core/trace/timeline/time-scale";
import { type Pen, useCanvas } from "../drawing/use-canvas";
import { drawFlame, type FlamePicture } from "./draw-flame";

interface MinimapProps {
  /** The picture of the run; while it goes on, a few times a second another one. */
  overview: Pick<FlamePicture, "trace" | "layout" | "colors" | "scale">;
  /** Of the whole run. */
  scale: TimeScale;
  range: TimeRange;
  onRange(range: TimeRange | null): void;
}

/** Shorter than this, in px, a drag was a click. */
const leastDrag = 4;

/** The whole run in a strip: dragging over it chooses what is looked at, dragging the chosen part moves it. */
export function Minimap({ overview, scale, range, onRange }: MinimapProps) {
  const draw = useCallback(
    (pen: Pen) =>
      drawFlame(pen, {
        ...overview,
        laneHeight: Math.min(6, Math.max(0.5, pen.height / Math.max(1, overview.layout.lanes))),
        finest: 2,
        top: 0,
        selected: -1,
        lit: null,
      }),
    [overview],
  );
  const canvas = useCanvas(draw);
  const start = useRef<{ x: number; range: TimeRange; moves: boolean } | null>(null);
  const [left, right] = [scale.place(range.start), scale.place(range.end)];
  const isWhole = range.start <= scale.range.start && range.end >= scale.range.end;
  const placeOf = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const box = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - box.left) / box.width));
  };
  const onMove = (event: PointerEvent<HTMLElement>): void => {
    const from = start.current;
    if (!from) return;
    const [a, b] = [from.x, placeOf(event)];
    if (Math.abs(b - a) * event.currentTarget.clientWidth < leastDrag) return;
    if (!from.moves) onRange({ start: scale.timeAt(Math.min(a, b)), end: scale.timeAt(Math.max(a, b)) });
    else {
      const by = scale.timeAt(b) - scale.timeAt(a);
      onRange(moveInside({ start: from.range.start + by, end: from.range.end + by }, scale.range));
    }
  };
  return (
    <div
      aria-hidden
      data-minimap
      className="relative h-11 min-w-0 flex-1 cursor-crosshair touch-none overflow-hidden bg-surface-sunken"
      onPointerDown={(event) => {
        const at = placeOf(event);
        start.current = { x: at, range, moves: !isWhole && at >= left && at <= right };
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={onMove}
      onPointerUp={() => {
        start.current = null;
      }}
      onDoubleClick={() => onRange(null)}
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" />
      {!isWhole && (
        <>
          <div className="absolute inset-y-0 left-0 bg-surface/70" style={{ width: `${left * 100}%` }} />
          <div className="absolute inset-y-0 right-0 bg-surface/70" style={{ width: `${(1 - right) * 100}%` }} />
          <div
            className="absolute inset-y-0 cursor-grab border-accent border-x-2"
            style={{ left: `${left * 100}%`, width: `max(6px, ${(right - left) * 100}%)` }}
          />
        </>
      )}
    </div>
  );
}
