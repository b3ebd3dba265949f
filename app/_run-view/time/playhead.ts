import { createStore, type StoreApi } from "zustand";
import type { TimeRange } from "@/lib/core/trace/timeline/time-scale";

export const speeds = [1, 4, 16] as const;

export interface Playhead {
  /** In milliseconds since the epoch; null: the end, or now. */
  time: number | null;
  playing: boolean;
  speed: (typeof speeds)[number];
}

/** A store outside React because it changes up to 60 times a second. */
export type PlayheadStore = StoreApi<Playhead>;

export const createPlayhead = (time: number | null): PlayheadStore =>
  createStore<Playhead>(() => ({ time, playing: false, speed: 1 }));

export function togglePlayback(playhead: PlayheadStore, runRange: TimeRange): void {
  const { playing, time } = playhead.getState();
  playhead.setState({ playing: !playing, time: time ?? runRange.start });
}

export function play(playhead: PlayheadStore, getRunRange: () => TimeRange): () => void {
  let frame = 0;
  let lastFrameMs = performance.now();
  const advance = (nowMs: number): void => {
    const { time, playing, speed } = playhead.getState();
    if (!playing) return;
    const runRange = getRunRange();
    const nextTime = (time ?? runRange.start) + (nowMs - lastFrameMs) * speed;
    lastFrameMs = nowMs;
    if (nextTime >= runRange.end) playhead.setState({ time: null, playing: false });
    else {
      playhead.setState({ time: nextTime });
      frame = requestAnimationFrame(advance);
    }
  };
  frame = requestAnimationFrame(advance);
  return () => cancelAnimationFrame(frame);
}
