"use client";
import { useEffect, useState } from "react";
import { isTerminal, type RunEvent, runEventSchema } from "@/lib/core/run/events";
import { emptyRunState, foldEvents } from "@/lib/core/trace/fold";
import type { RunState } from "@/lib/core/trace/run-state";

/** `connecting` and `retrying` have no line to the server; `ended`: the run is over and everything is here. */
export type Connection = "connecting" | "live" | "retrying" | "ended";

export interface FollowedRun {
  state: RunState;
  connection: Connection;
}

/**
 * Follows a run: folds its events with the same code as the server, batched once a frame, and resumes behind the last
 * event when the line breaks. Null: nothing to follow.
 */
export function useRunState(runId: string | null, initial?: RunState): FollowedRun {
  const [followed, setFollowed] = useState<FollowedRun & { runId: string | null }>(() => begin(runId, initial));
  const current = followed.runId === runId ? followed : begin(runId, initial);
  useEffect(() => {
    if (runId === null) return;
    const start = begin(runId, initial);
    if (start.connection === "ended") {
      setFollowed(start);
      return;
    }
    return followRun(runId, start.state, (state, connection) => setFollowed({ runId, state, connection }));
  }, [runId, initial]);
  return current;
}

function begin(runId: string | null, initial: RunState | undefined): FollowedRun & { runId: string | null } {
  const state = initial ?? emptyRunState;
  return { runId, state, connection: isTerminal(state.status) ? "ended" : "connecting" };
}

/** Calls `show` with each new state; returns how to stop. */
export function followRun(
  runId: string,
  initial: RunState,
  show: (state: RunState, connection: Connection) => void,
): () => void {
  let state = initial;
  let connection: Connection = "connecting";
  let batch: RunEvent[] = [];
  let frame = 0;
  const flush = (): void => {
    cancelAnimationFrame(frame);
    frame = 0;
    state = foldEvents(state, batch);
    batch = [];
    show(state, connection);
  };
  const source = new EventSource(`/api/v1/runs/${runId}/events?after=${initial.seq}`);
  source.onopen = () => {
    connection = "live";
    flush();
  };
  source.onerror = () => {
    if (connection === "ended") return;
    connection = "retrying";
    flush();
  };
  source.onmessage = ({ data }: MessageEvent<string>) => {
    const event = runEventSchema.parse(JSON.parse(data));
    batch.push(event);
    if (event.type === "run.finished") {
      connection = "ended";
      source.close();
      flush();
    } else if (frame === 0) frame = requestAnimationFrame(flush);
  };
  return () => {
    source.close();
    cancelAnimationFrame(frame);
  };
}
