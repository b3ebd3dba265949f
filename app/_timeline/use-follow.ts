"use client";
import { type RefObject, useEffect, useState } from "react";

/** How near to its end, in px, a list still counts as being there. */
const near = 32;

const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight <= near;

export interface Follow {
  /** Rows that came since somebody scrolled away; null while the end is in view. */
  missed: number | null;
  /** Goes to the end and stays there. */
  resume(): void;
}

/** Keeps the end of a growing list in view while `live`, lets go when somebody scrolls up, and takes hold again at the end. */
export function useFollow(scroller: RefObject<HTMLElement | null>, count: number, live: boolean): Follow {
  const [leftAt, setLeftAt] = useState<number | null>(null);
  useEffect(() => {
    const element = scroller.current;
    if (element && live && leftAt === null && count > 0) element.scrollTop = element.scrollHeight;
  }, [scroller, count, live, leftAt]);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !live) return;
    const look = (): void => setLeftAt((before) => (isAtEnd(element) ? null : (before ?? count)));
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, [scroller, count, live]);
  return { missed: live && leftAt !== null ? count - leftAt : null, resume: () => setLeftAt(null) };
}
