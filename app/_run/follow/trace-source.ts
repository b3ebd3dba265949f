import { isTerminal } from "@/lib/core/run/events/run-status";
import type { Trace } from "@/lib/core/trace/model/trace";
import { applyBatch, readBatch } from "@/lib/core/trace/model/trace-batch";
import { fromTraceSnapshot, traceSnapshotSchema } from "@/lib/core/trace/model/trace-snapshot";
import { fetchJson } from "../../_ui/loading/fetch-json";
import { browserPorts, type ConnectionStatus, type FollowPorts, followLine } from "./follow-line";

export interface TraceSource {
  /** What is known without loading; null: nothing. */
  readonly initial: Trace | null;
  /** The run so far. Rejects with an Error whose message can be displayed. */
  load(signal: AbortSignal): Promise<Trace>;
  /** Updates the trace in place; calls `show` at most once a frame. Returns a function that stops. */
  follow(trace: Trace, show: (connection: ConnectionStatus) => void): () => void;
}

/** `initial`: a snapshot to begin with, or an empty trace for a run that has just been started. */
export const createServerTrace = (
  runId: string,
  initial: Trace | null,
  ports: FollowPorts = browserPorts,
): TraceSource => ({
  initial,
  load: async (signal) =>
    initial ??
    fromTraceSnapshot(
      await fetchJson(`/api/v1/runs/${runId}/structure`, traceSnapshotSchema, { signal, cache: "no-store" }),
    ),
  follow(trace, show) {
    if (isTerminal(trace.run.status)) {
      show("ended");
      return () => {};
    }
    return followLine(
      {
        address: () => `/api/v1/runs/${runId}/trace?after=${trace.seq}`,
        take(data) {
          const batch = readBatch(data);
          if (!batch) return "unread";
          applyBatch(trace, batch);
          return batch.over ? "last" : "more";
        },
        show,
      },
      ports,
    );
  },
});
