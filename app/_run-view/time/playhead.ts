"use client";
import { createStore, type StoreApi } from "zustand";

/** Speeds at which a run can be played again. */
export const speeds = [1, 4, 16] as const;
export type Speed = (typeof speeds)[number];

export interface Playhead {
  /** The moment that is shown, in milliseconds since the epoch; null: the end, or now. */
  at: number | null;
  playing: boolean;
  speed: Speed;
}

/** The moment that everything shows. It moves up to 60 times a second, so it stands outside of React. */
export type PlayheadStore = StoreApi<Playhead>;

export const createPlayhead = (at: number | null): PlayheadStore =>
  createStore<Playhead>(() => ({ at, playing: false, speed: 1 }));

/** Moves the playhead on as long as it plays; at the end of the run it stops there. Returns how to stop. */
export function play(playhead: PlayheadStore, runRange: () => { start: number; end: number }): () => void {
  let frame = 0;
  let last = performance.now();
  const step = (now: number): void => {
    const { at, playing, speed } = playhead.getState();
    if (!playing) return;
    const { start, end } = runRange();
    const next = (at ?? start) + (now - last) * speed;
    last = now;
    if (next >= end) playhead.setState({ at: null, playing: false });
    else {
      playhead.setState({ at: next });
      frame = requestAnimationFrame(step);
    }
  };
  frame = requestAnimationFrame(step);
  return () => cancelAnimationFrame(frame);
}
