"use client";
import { useEffect, useRef } from "react";
import type { TimeScale } from "@/lib/core/trace/timeline/time-scale";
import type { PlayheadStore } from "./playhead";

/** The moment that is shown, as a line across its box. It is moved past React: 60 times a second while it plays. */
export function PlayheadLine({
  playhead,
  scale,
  className = "",
}: {
  playhead: PlayheadStore;
  scale: TimeScale;
  className?: string;
}) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const move = ({ at }: { at: number | null }): void => {
      const element = line.current;
      if (!element) return;
      const isShown = at !== null && at >= scale.range.start && at <= scale.range.end;
      element.style.visibility = isShown ? "visible" : "hidden";
      if (isShown) element.style.left = `${scale.place(at) * 100}%`;
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
