"use client";
import { useEffect, useState } from "react";
import { isTerminal } from "@/lib/core/run/events/events";
import { emptyRunState } from "@/lib/core/trace/model/fold-events";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { browserPorts } from "./browser-ports";
import type { ConnectionStatus } from "./follow-line";
import { followRun } from "./follow-run";

export type { ConnectionStatus as Connection } from "./follow-line";

export interface FollowedRun {
  state: RunState;
  connection: ConnectionStatus;
}

/**
 * Follows a run: folds its events with the same code as the server, batched once a frame, and resumes after the last
 * event when the connection breaks. Later values of `initial` are ignored: the events are more recent.
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
