import { type RefObject, useEffect, useState } from "react";

/** The width of an element in px, kept current; `before` until it is measured. */
export function useWidth(element: RefObject<HTMLElement | null>, before: number): number {
  const [width, setWidth] = useState(before);
  useEffect(() => {
    if (!element.current) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

const tickMs = 100;

/**
 * The time in milliseconds; 0 on the server and in the first render. Ticks ten times a second while `running`, counted
 * from `shownAt`, the time of the displayed data: data that changes by itself needs no other clock.
 */
export function useNow(running: boolean, shownAt: number): number {
  const [now, setNow] = useState(0);
  const last = Math.max(now, shownAt);
  useEffect(() => setNow(Date.now()), []);
  useEffect(() => {
    if (!running) return;
    const timer = setTimeout(() => setNow(Date.now()), Math.max(0, last + tickMs - Date.now()));
    return () => clearTimeout(timer);
  }, [running, last]);
  return last;
}
