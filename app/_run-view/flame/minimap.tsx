import { type PointerEvent, useRef } from "react";
import { moveInside, type TimeRange, type TimeScale } from "@/lib/core/trace/timeline/time-scale";
import { useCanvas } from "../drawing/use-canvas";
import type { TraceOverview } from "../state/use-timeline";
import { drawFlame } from "./draw-flame";

interface MinimapProps {
  overview: TraceOverview;
  scale: TimeScale;
  range: TimeRange;
  onRange(range: TimeRange | null): void;
}

/** Shorter than this, in px, a drag is a click. */
const minDragPx = 4;

export function Minimap({ overview, scale, range, onRange }: MinimapProps) {
  const { onPointerDown, onPointerMove, onPointerUp } = useRangeDrag({ scale, range, onRange });
  const canvas = useCanvas((pen) =>
    drawFlame(pen, {
      ...overview,
      laneHeight: Math.min(6, Math.max(0.5, pen.height / Math.max(1, overview.layout.lanes))),
      finest: 2,
      top: 0,
      selected: -1,
      lit: null,
    }),
  );
  return (
    <div
      aria-hidden
      data-minimap
      className="relative h-11 min-w-0 flex-1 cursor-crosshair touch-none overflow-hidden bg-surface-sunken"
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onDoubleClick={() => onRange(null)}
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" />
      <SelectedRange scale={scale} range={range} />
    </div>
  );
}

function useRangeDrag({ scale, range, onRange }: Omit<MinimapProps, "overview">) {
  const drag = useRef<{ share: number; range: TimeRange; moves: boolean } | null>(null);
  const shareAt = ({ clientX, currentTarget }: PointerEvent<HTMLElement>): number => {
    const box = currentTarget.getBoundingClientRect();
    return Math.min(1, Math.max(0, (clientX - box.left) / box.width));
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>): void {
      const share = shareAt(event);
      const isInRange = share >= scale.place(range.start) && share <= scale.place(range.end);
      drag.current = { share, range, moves: !isWhole(range, scale) && isInRange };
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove(event: PointerEvent<HTMLElement>): void {
      const start = drag.current;
      if (!start) return;
      const share = shareAt(event);
      if (Math.abs(share - start.share) * event.currentTarget.clientWidth < minDragPx) return;
      const [startTime, time] = [scale.timeAt(start.share), scale.timeAt(share)];
      if (!start.moves) onRange({ start: Math.min(startTime, time), end: Math.max(startTime, time) });
      else {
        const offset = time - startTime;
        onRange(moveInside({ start: start.range.start + offset, end: start.range.end + offset }, scale.range));
      }
    },
    onPointerUp(): void {
      drag.current = null;
    },
  };
}

const isWhole = (range: TimeRange, scale: TimeScale): boolean =>
  range.start <= scale.range.start && range.end >= scale.range.end;

function SelectedRange({ scale, range }: Pick<MinimapProps, "scale" | "range">) {
  if (isWhole(range, scale)) return null;
  const [start, end] = [scale.place(range.start), scale.place(range.end)];
  return (
    <>
      <div className="absolute inset-y-0 left-0 bg-surface/70" style={{ width: `${start * 100}%` }} />
      <div className="absolute inset-y-0 right-0 bg-surface/70" style={{ width: `${(1 - end) * 100}%` }} />
      <div
        className="absolute inset-y-0 cursor-grab border-accent border-x-2"
        style={{ left: `${start * 100}%`, width: `max(6px, ${(end - start) * 100}%)` }}
      />
    </>
  );
}
