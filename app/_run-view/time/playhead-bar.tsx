"use client";
import { Pause, Play, X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useStore } from "zustand";
import type { TimeRange } from "@/lib/core/trace/timeline/time-scale";
import { IconButton } from "../../_ui/controls/icon-button";
import { formatDuration } from "../../_ui/format/format";
import { type PlayheadStore, play, speeds } from "./playhead";

interface PlayheadBarProps {
  playhead: PlayheadStore;
  whole: TimeRange;
}

/** Steps of the slider: a hundredth of the run is an arrow key, as the conventions ask. */
const steps = 10_000;

/** Plays a run again, and shows any moment of it: everything on the page stands as it stood then. */
export function PlayheadBar({ playhead, whole }: PlayheadBarProps) {
  const playing = useStore(playhead, (state) => state.playing);
  const speed = useStore(playhead, (state) => state.speed);
  const isMoved = useStore(playhead, ({ at }) => at !== null);
  const slider = useRef<HTMLInputElement>(null);
  const time = useRef<HTMLSpanElement>(null);
  const range = useRef(whole);
  useEffect(() => {
    range.current = whole;
    const show = ({ at }: { at: number | null }): void => {
      const moment = at ?? whole.end;
      const text = formatDuration(moment - whole.start);
      if (time.current) time.current.textContent = text;
      if (!slider.current) return;
      const value = String(Math.round(((moment - whole.start) / (whole.end - whole.start)) * steps));
      if (slider.current.value !== value) slider.current.value = value;
      slider.current.setAttribute("aria-valuetext", at === null ? `${text}, the end` : text);
    };
    show(playhead.getState());
    return playhead.subscribe(show);
  }, [playhead, whole]);
  useEffect(() => (playing ? play(playhead, () => range.current) : undefined), [playhead, playing]);
  const moveTo = (share: number): void => {
    const at = whole.start + share * (whole.end - whole.start);
    playhead.setState({ at: share >= 1 ? null : at, playing: false });
  };
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 px-3">
      <IconButton
        label={playing ? "Pause" : "Play the run again"}
        onClick={() => playhead.setState({ playing: !playing, at: playhead.getState().at ?? whole.start })}
      >
        {playing ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      </IconButton>
      <select
        aria-label="Speed"
        value={speed}
        onChange={({ target }) => playhead.setState({ speed: speeds.find((one) => String(one) === target.value) ?? 1 })}
        className="h-6 rounded border border-line-strong bg-surface px-1 text-xs"
      >
        {speeds.map((one) => (
          <option key={one} value={one}>
            {one}x
          </option>
        ))}
      </select>
      <input
        ref={slider}
        type="range"
        aria-label="Moment of the run"
        min={0}
        max={steps}
        defaultValue={steps}
        onKeyDown={(event) => {
          const by = { ArrowLeft: -0.01, ArrowDown: -0.01, ArrowRight: 0.01, ArrowUp: 0.01 }[event.key];
          if (by === undefined) return;
          event.preventDefault();
          moveTo(Math.max(0, Number(event.currentTarget.value) / steps + by));
        }}
        onInput={({ currentTarget }) => moveTo(Number(currentTarget.value) / steps)}
        className="h-6 min-w-0 flex-1 accent-accent"
      />
      <span ref={time} className="w-16 text-right text-text-muted text-xs tabular-nums" />
      <IconButton
        label="Back to the end"
        disabled={!isMoved}
        onClick={() => playhead.setState({ at: null, playing: false })}
      >
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}
