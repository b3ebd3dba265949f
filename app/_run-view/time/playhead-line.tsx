import { useEffect, useRef } from "react";
import type { TimeScale } from "@/lib/core/trace/timeline/time-scale";
import type { Playhead, PlayheadStore } from "./playhead";

interface PlayheadLineProps {
  playhead: PlayheadStore;
  scale: TimeScale;
  className?: string;
}

/** Moved past React: the playhead changes in every frame while it plays. */
export function PlayheadLine({ playhead, scale, className = "" }: PlayheadLineProps) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const move = ({ time }: Pick<Playhead, "time">): void => {
      const element = line.current;
      if (!element) return;
      const isVisible = time !== null && time >= scale.range.start && time <= scale.range.end;
      element.style.visibility = isVisible ? "visible" : "hidden";
      if (isVisible) element.style.left = `${scale.place(time) * 100}%`;
    };
    move(playhead.getState());
    return playhead.subscribe(move);
  }, [playhead, scale]);
  return (
    <div
      ref={line}
      aria-hidden
      data-playhead
      className={`pointer-events-none invisible absolute w-0.5 -translate-x-px bg-accent ${className}`}
    />
  );
}
