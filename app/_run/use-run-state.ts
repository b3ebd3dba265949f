"use client";
import { useEffect, useState } from "react";
import { isTerminal } from "@/lib/core/run/events";
import { emptyRunState } from "@/lib/core/trace/fold";
import type { RunState } from "@/lib/core/trace/run-state";
import { type Connection, type FollowPorts, followRun } from "./follow-run";

export type { Connection } from "./follow-run";

export interface FollowedRun {
  state: RunState;
  connection: Connection;
}

/**
 * Follows a run: folds its events with the same code as the server, batched once a frame, and resumes behind the last
 * event when the line breaks. `initial` is where to begin; a later value of it is ignored, for the events tell more.
 * Null: nothing to follow.
 */
export function useRunState(runId: string | null, initial?: RunState): FollowedRun {
  const [followed, setFollowed] = useState(() => begin(runId, initial));
  const current = followed.runId === runId ? followed : begin(runId, initial);
  if (current !== followed) setFollowed(current);
  const { start } = current;
  useEffect(() => {
    if (runId === null) return;
    return followRun(
      runId,
      start,
      (state, connection) => setFollowed((last) => (last.start === start ? { ...last, state, connection } : last)),
      browserPorts,
    );
  }, [runId, start]);
  return current;
}

interface Following extends FollowedRun {
  runId: string | null;
  start: RunState;
}

function begin(runId: string | null, initial: RunState = emptyRunState): Following {
  return { runId, start: initial, state: initial, connection: isTerminal(initial.status) ? "ended" : "connecting" };
}

const browserPorts: FollowPorts = {
  open: (url) => new EventSource(url),
  beforePicture: (callback) => {
    // A hidden page draws no pictures, but its title and its sounds may still tell of the run.
    if (document.hidden) return browserPorts.after(250, callback);
    const frame = requestAnimationFrame(callback);
    return () => cancelAnimationFrame(frame);
  },
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
