import { isTerminal } from "@/lib/core/run/events/events";
import type { Trace } from "@/lib/core/trace/model/trace";
import { applyBatch, readBatch } from "@/lib/core/trace/model/trace-batch";
import { fromTraceSnapshot, type TraceSnapshot, traceSnapshotSchema } from "@/lib/core/trace/model/trace-snapshot";
import { browserPorts } from "../../_run/follow/browser-ports";
import { type ConnectionStatus, followLine } from "../../_run/follow/follow-line";
import { fetchJson } from "../../_ui/loading/fetch-json";

export interface TraceSource {
  /** The run so far. Rejects with an Error whose message can be displayed. */
  load(signal: AbortSignal): Promise<Trace>;
  follow(trace: Trace, show: (connection: ConnectionStatus) => void): () => void;
}

export const createServerTrace = (runId: string, structure: TraceSnapshot | null): TraceSource => ({
  async load(signal) {
    return fromTraceSnapshot(
      structure ??
        (await fetchJson(`/api/v1/runs/${runId}/structure`, traceSnapshotSchema, { signal, cache: "no-store" })),
    );
  },
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
      browserPorts,
    );
  },
});
