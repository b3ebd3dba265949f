import { ArrowDown } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { Button } from "../../_ui/controls/button";

/** How near to its end, in px, a list still counts as being there. */
const near = 32;

const isAtEnd = ({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean =>
  scrollHeight - scrollTop - clientHeight <= near;

interface FollowedList {
  count: number;
  live: boolean;
  /** The last row is the last one of the run; otherwise it is followed only once the user has scrolled to it. */
  hasEnd?: boolean;
  /** How high they are together, in px. */
  size: number;
}

/** Keeps the end of a growing list in view while `live`; pauses when the user scrolls up, resumes at the end. */
export function useFollow(scroller: RefObject<HTMLElement | null>, { count, live, hasEnd = true, size }: FollowedList) {
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const end = useRef(0);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !live || count === 0) return;
    const look = (): void => {
      if (isAtEnd(element)) {
        end.current = element.scrollTop;
        setLeftAt(null);
      } else if (!hasEnd || element.scrollTop < end.current) setLeftAt((before) => before ?? count);
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, [scroller, count, live, hasEnd]);
  useEffect(() => {
    const element = scroller.current;
    if (!element || !live || !hasEnd || leftAt !== null || count === 0 || element.scrollTop < end.current) return;
    element.scrollTop = size;
    end.current = element.scrollTop;
  }, [scroller, count, size, live, hasEnd, leftAt]);
  const resume = (): void => {
    end.current = 0;
    setLeftAt(null);
  };
  /** Rows added since the user scrolled away; null while the end is in view. */
  const missed = live && leftAt !== null ? (hasEnd ? count - leftAt : 0) : null;
  return { missed, resume };
}

interface JumpToLiveProps {
  /** Rows added since the list stopped following its end; null: it follows. */
  missed: number | null;
  onJump(): void;
}

export function JumpToLive({ missed, onJump }: JumpToLiveProps) {
  if (missed === null) return null;
  return (
    <Button size="small" onClick={onJump} className="absolute right-4 bottom-3 shadow-popover">
      <ArrowDown size={14} aria-hidden /> Jump to live{missed > 0 ? ` (${missed} new)` : ""}
    </Button>
  );
}
