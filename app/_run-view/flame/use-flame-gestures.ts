import { type MouseEvent, type PointerEvent, type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import { findInFlame } from "@/lib/core/trace/timeline/flame-layout";
import { moveInside, type TimeRange, zoomRange } from "@/lib/core/trace/timeline/time-scale";
import type { TimeViewProps } from "../state/use-timeline";
import { describeSpan } from "./flame-spans";

export const flameLaneHeight = 20;

/** Shorter than this, in px, a drag is a click. */
const minDragPx = 4;

/** Panning, zooming and selecting with pointer and wheel. `top`: how far the graph is scrolled, in px. */
export function useFlameGestures(box: RefObject<HTMLElement | null>, { run, timeline, actions }: TimeViewProps) {
  const { trace } = run;
  const { layout, scale, runRange } = timeline;
  const [top, setTop] = useState(0);
  const drag = useRef<{ x: number; y: number; range: TimeRange; top: number; moved: boolean } | null>(null);
  const clampTop = (y: number): number => Math.min(Math.max(0, layout.lanes * flameLaneHeight - 200), Math.max(0, y));
  useWheel(box, (event, bounds) => {
    if (event.ctrlKey) {
      const share = (event.clientX - bounds.left) / bounds.width;
      actions.zoomTo(zoomRange(scale, runRange, share, 1.003 ** event.deltaY));
    } else if (event.shiftKey)
      actions.zoomTo(moveInside(shiftRange(scale.range, event.deltaY / bounds.width), runRange));
    else setTop((current) => clampTop(current + event.deltaY));
  });
  const findSpanAt = ({ clientX, clientY }: { clientX: number; clientY: number }): number => {
    const bounds = box.current?.getBoundingClientRect();
    if (!bounds) return -1;
    const lane = Math.floor((clientY - bounds.top + top) / flameLaneHeight);
    return findInFlame(trace, layout, { scale, width: bounds.width, lane }, clientX - bounds.left);
  };
  const onPointerDown = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLElement>): void => {
    currentTarget.setPointerCapture(pointerId);
    drag.current = { x: clientX, y: clientY, range: scale.range, top, moved: false };
  };
  const onPointerMove = (event: PointerEvent<HTMLElement>): void => {
    const dragStart = drag.current;
    if (!dragStart) {
      event.currentTarget.title = describeSpan(trace, findSpanAt(event));
      return;
    }
    const [dx, dy] = [event.clientX - dragStart.x, event.clientY - dragStart.y];
    if (!dragStart.moved && Math.hypot(dx, dy) < minDragPx) return;
    dragStart.moved = true;
    actions.zoomTo(moveInside(shiftRange(dragStart.range, -dx / event.currentTarget.clientWidth), runRange));
    setTop(clampTop(dragStart.top - dy));
  };
  const onPointerUp = (event: PointerEvent): void => {
    const span = drag.current?.moved ? -1 : findSpanAt(event);
    drag.current = null;
    if (span >= 0) actions.select(span);
  };
  const onDoubleClick = (event: MouseEvent): void => {
    const span = findSpanAt(event);
    if (span >= 0) actions.zoomTo({ start: trace.columns.start[span] ?? 0, end: layout.until[span] ?? runRange.end });
  };
  return {
    top,
    scrollTo: (y: number) => setTop(clampTop(y)),
    handlers: { onPointerDown, onPointerMove, onPointerUp, onDoubleClick },
  };
}

/** React's own wheel listener is passive and could not keep the page from zooming. */
function useWheel(box: RefObject<HTMLElement | null>, onWheel: (event: WheelEvent, bounds: DOMRect) => void): void {
  const handleWheel = useEffectEvent(onWheel);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const listener = (event: WheelEvent): void => {
      event.preventDefault();
      handleWheel(event, element.getBoundingClientRect());
    };
    element.addEventListener("wheel", listener, { passive: false });
    return () => element.removeEventListener("wheel", listener);
  }, [box]);
}

const shiftRange = ({ start, end }: TimeRange, share: number): TimeRange => {
  const offset = (end - start) * share;
  return { start: start + offset, end: end + offset };
};
