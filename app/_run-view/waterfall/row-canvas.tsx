import { type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useMedia } from "../../_ui/use-media";
import { TextFitter } from "../drawing/fit-text";
import { IconSprites } from "../drawing/icon-sprites";
import { useCanvasPen } from "../drawing/use-canvas";
import { headHeight, readColumns } from "./grid-columns";
import { RowIcons } from "./row-icons";
import { RowPainter } from "./row-painter";
import type { RowPen, RowPicture } from "./row-picture";
import type { RowSource } from "./row-values";

interface RowCanvasProps {
  source: RowSource;
  content: Pick<RowPicture, "scale" | "now" | "colors" | "hits" | "critical" | "active" | "height">;
  scroller: RefObject<HTMLElement | null>;
}

export function RowCanvas({ source, content, scroller }: RowCanvasProps) {
  "use no memo"; // A trace changes without its tables changing their identity.
  const { canvas, take } = useCanvasPen();
  const icons = useRef<HTMLDivElement>(null);
  const turns = !useMedia("(prefers-reduced-motion: reduce)");
  const [painter] = useState(() => new RowPainter());
  const [rowPen, setRowPen] = useState<RowPen | null>(null);
  useEffect(() => {
    const pen = take();
    if (!pen || !scroller.current || !icons.current) return;
    const columns = readColumns(scroller.current);
    setRowPen({ ...pen, columns, icons: new IconSprites(icons.current), texts: new TextFitter() });
  }, [take, scroller]);
  const paint = useRef<() => void>(() => {});
  const { request, pointer } = useRequests(scroller, paint);
  useEffect(() => {
    paint.current = () => {
      const element = scroller.current;
      if (!rowPen || !element) return;
      const top = element.scrollTop;
      const isFocused = element.matches(":focus-visible");
      const hovered = pointer.current === null ? -1 : Math.floor((pointer.current - headHeight + top) / content.height);
      const view = { top, bottom: top + element.clientHeight - headHeight };
      const picture = { ...source, ...content, turns, hovered, isFocused };
      const origin = painter.paint(rowPen, picture, view);
      if (canvas.current) canvas.current.style.transform = `translateY(${origin}px)`;
      element.dataset.painted = String(source.rows.length);
    };
    request();
  });
  return (
    <>
      <RowIcons ref={icons} />
      <div
        aria-hidden
        className="pointer-events-none absolute inset-x-0 z-1 overflow-clip forced-colors:hidden print:hidden"
        style={{ top: headHeight, height: source.rows.length * content.height }}
      >
        <canvas
          ref={canvas}
          className="absolute top-0 left-0 w-full tabular-nums"
          style={{ height: `calc(2 * (100cqh - ${headHeight}px))` }}
        />
      </div>
    </>
  );
}

/** Repaints when the grid is scrolled, hovered or focused; `pointer` is in px below its top, null: elsewhere. */
function useRequests(scroller: RefObject<HTMLElement | null>, paint: RefObject<() => void>) {
  const frame = useRef(0);
  const pointer = useRef<number | null>(null);
  // Stable, so that the listeners are attached once.
  const request = useCallback(() => {
    if (frame.current !== 0) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = 0;
      paint.current();
    });
  }, [paint]);
  useEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const listening = new AbortController();
    const options = { passive: true, signal: listening.signal };
    for (const type of ["focus", "blur", "keydown"]) element.addEventListener(type, request, options);
    const onScroll = (): void => {
      // Rows that pass below a resting pointer do not count as hovered: each would be painted twice.
      pointer.current = null;
      request();
    };
    element.addEventListener("scroll", onScroll, options);
    const point = ({ clientY, pointerType, type }: PointerEvent): void => {
      const isOver = pointerType === "mouse" && type === "pointermove";
      pointer.current = isOver ? clientY - element.getBoundingClientRect().top : null;
      request();
    };
    element.addEventListener("pointermove", point, options);
    element.addEventListener("pointerleave", point, options);
    return () => {
      listening.abort();
      cancelAnimationFrame(frame.current);
      frame.current = 0;
    };
  }, [scroller, request]);
  return { request, pointer };
}
