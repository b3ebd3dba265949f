import { Pause, Play, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useRef } from "react";
import { useStore } from "zustand";
import type { TimeRange } from "@/lib/core/trace/timeline/time-scale";
import { IconButton } from "../../_ui/controls/icon-button";
import { Select } from "../../_ui/controls/select";
import { formatDuration } from "../../_ui/format/format";
import { type Playhead, type PlayheadStore, play, speeds, togglePlayback } from "./playhead";

interface PlayheadBarProps {
  playhead: PlayheadStore;
  runRange: TimeRange;
}

export function PlayheadBar({ playhead, runRange }: PlayheadBarProps) {
  const playing = useStore(playhead, (state) => state.playing);
  const isAtEnd = useStore(playhead, (state) => state.time === null);
  const getRunRange = useEffectEvent(() => runRange);
  useEffect(() => (playing ? play(playhead, () => getRunRange()) : undefined), [playhead, playing]);
  return (
    <div className="flex h-9 shrink-0 items-center gap-2 px-3">
      <IconButton label={playing ? "Pause" : "Play the run again"} onClick={() => togglePlayback(playhead, runRange)}>
        {playing ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      </IconButton>
      <SpeedSelect playhead={playhead} />
      <PlayheadSlider playhead={playhead} runRange={runRange} />
      <IconButton
        label="Back to the end"
        disabled={isAtEnd}
        onClick={() => playhead.setState({ time: null, playing: false })}
      >
        <X size={14} aria-hidden />
      </IconButton>
    </div>
  );
}

function SpeedSelect({ playhead }: { playhead: PlayheadStore }) {
  const selectedSpeed = useStore(playhead, (state) => state.speed);
  return (
    <Select
      label="Speed"
      value={String(selectedSpeed)}
      options={speeds.map((speed) => [String(speed), `${speed}x`])}
      onChange={(value) => playhead.setState({ speed: speeds.find((speed) => String(speed) === value) ?? 1 })}
      className="h-6 rounded border-line-input px-1 text-xs"
    />
  );
}

const sliderMax = 10_000;
const arrowShares = new Map([
  ["ArrowLeft", -0.01],
  ["ArrowDown", -0.01],
  ["ArrowRight", 0.01],
  ["ArrowUp", 0.01],
]);

/** Written to past React: the playhead changes in every frame while it plays. */
function PlayheadSlider({ playhead, runRange }: PlayheadBarProps) {
  const slider = useRef<HTMLInputElement>(null);
  const label = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const update = ({ time }: Pick<Playhead, "time">): void => {
      const elapsedMs = (time ?? runRange.end) - runRange.start;
      const text = formatDuration(elapsedMs);
      if (label.current) label.current.textContent = text;
      if (!slider.current) return;
      const value = String(Math.round((elapsedMs / (runRange.end - runRange.start)) * sliderMax));
      if (slider.current.value !== value) slider.current.value = value;
      slider.current.setAttribute("aria-valuetext", time === null ? `${text}, the end` : text);
    };
    update(playhead.getState());
    return playhead.subscribe(update);
  }, [playhead, runRange]);
  const moveTo = (share: number): void => {
    const time = runRange.start + share * (runRange.end - runRange.start);
    playhead.setState({ time: share >= 1 ? null : time, playing: false });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    const shareChange = arrowShares.get(event.key);
    if (shareChange === undefined) return;
    event.preventDefault();
    moveTo(Math.max(0, Number(event.currentTarget.value) / sliderMax + shareChange));
  };
  return (
    <>
      <input
        ref={slider}
        type="range"
        aria-label="Moment of the run"
        min={0}
        max={sliderMax}
        defaultValue={sliderMax}
        onKeyDown={onKeyDown}
        onInput={({ currentTarget }) => moveTo(Number(currentTarget.value) / sliderMax)}
        className="h-6 min-w-0 flex-1 accent-accent"
      />
      <span ref={label} className="w-16 text-right text-text-muted text-xs tabular-nums" />
    </>
  );
}
