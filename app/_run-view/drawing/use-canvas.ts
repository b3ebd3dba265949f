import { type RefObject, useEffect, useRef, useState } from "react";
import { agentColorCount } from "@/lib/core/flow/agent-numbers";
import { statusStyles } from "../../_ui/badges/status-badge";
import { watchTheme } from "../../_ui/theme/watch-theme";

type BarColors = ReturnType<typeof readBarColors>;

function readBarColors(element: Element) {
  const style = getComputedStyle(element);
  const token = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  return {
    agents: Array.from({ length: agentColorCount }, (_, number) => token(`agent-${number}`)),
    place: token("line-strong"),
    danger: token("danger"),
    warning: token("warning"),
    surface: token("surface"),
    accent: token("accent"),
    selected: token("surface-selected"),
    hovered: token("surface-sunken"),
    found: token("warning-soft"),
    text: token("text"),
    muted: token("text-muted"),
    line: token("line"),
    frame: token("frame"),
    faint: token("text-faint"),
    onAgent: token("on-agent"),
    mono: token("font-mono"),
    focus: token("focus"),
    statuses: new Map(
      Object.entries(statusStyles).map(([status, { tint }]) => [status, token(tint.slice("text-".length))]),
    ),
    family: style.fontFamily,
  };
}

/** Something that draws: everything in CSS px. */
export interface Pen {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  ratio: number;
  colors: BarColors;
}

export function useCanvasPen() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [colors, setColors] = useState<BarColors | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const read = (): void => setColors(readBarColors(element));
    read();
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    observer.observe(element);
    const stop = watchTheme(read);
    document.fonts.addEventListener("loadingdone", read);
    return () => {
      observer.disconnect();
      document.fonts.removeEventListener("loadingdone", read);
      stop();
    };
  }, []);
  /** Makes the canvas as large as its box and gives the pen; null: there is nothing to draw on. Changes when box or theme do. */
  const take = (): Pen | null => {
    const element = canvas.current;
    if (!element || !colors || size.width === 0 || size.height === 0) return null;
    const ratio = window.devicePixelRatio;
    const [width, height] = [Math.round(size.width * ratio), Math.round(size.height * ratio)];
    if (element.width !== width) element.width = width;
    if (element.height !== height) element.height = height;
    const context = element.getContext("2d");
    context?.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context && { context, ...size, ratio, colors };
  };
  return { canvas, take };
}

/**
 * A canvas as large as its box, sharp on every screen. Redraws in the next frame when `draw`, the box or the theme
 * changes: pass the same function as long as the picture is the same.
 */
export function useCanvas(draw: (pen: Pen) => void): RefObject<HTMLCanvasElement | null> {
  const { canvas, take } = useCanvasPen();
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      const pen = take();
      if (!pen) return;
      pen.context.clearRect(0, 0, pen.width, pen.height);
      draw(pen);
    });
    return () => cancelAnimationFrame(frame);
  }, [draw, take]);
  return canvas;
}
