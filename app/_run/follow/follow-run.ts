import { findJsonAs } from "@/lib/core/flow/parse-json";
import { isTerminal, type RunEvent, runEventSchema } from "@/lib/core/run/events/events";
import { foldEvents } from "@/lib/core/trace/model/fold-events";
import type { RunState } from "@/lib/core/trace/model/run-state";
import { type ConnectionStatus, type FollowPorts, followLine } from "./follow-line";

/**
 * Follows a run from `initial` on: folds its events with the same code as the server and calls `show` at most once a
 * frame. An event that cannot be read is skipped. Returns a function that stops; `show` is never called after it.
 */
export function followRun(
  runId: string,
  initial: RunState,
  show: (state: RunState, connection: ConnectionStatus) => void,
  ports: FollowPorts,
): () => void {
  let state = initial;
  let batch: RunEvent[] = [];
  if (isTerminal(state.status)) {
    show(state, "ended");
    return () => {};
  }
  return followLine(
    {
      address: () => `/api/v1/runs/${runId}/events?after=${state.seq}`,
      take(data) {
        const event = readEvent(data);
        if (!event) return "unread";
        batch.push(event);
        return event.type === "run.finished" ? "last" : "more";
      },
      show(connection) {
        state = foldEvents(state, batch);
        batch = [];
        show(state, connection);
      },
    },
    ports,
  );
}

const readEvent = (text: string): RunEvent | null => findJsonAs(text, runEventSchema);
