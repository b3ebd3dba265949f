import { type RunNode, storedNodeSchema } from "@/lib/core/trace/model/run-state";
import type { TextField } from "@/lib/core/trace/model/step-texts";
import { fetchJson, fetchText } from "../../_ui/loading/fetch-json";

/**
 * Where a displayed run is read from: the server, or an opened run file. Everything is loaded on request.
 * Every promise rejects with an Error whose message can be displayed.
 */
export interface RunSource {
  readonly runId: string;
  /**
   * Of a file: its last recorded moment, in milliseconds since the epoch. Steps that had not ended by then stay open,
   * and accept no answers or messages. Null: the run is the server's.
   */
  readonly until: number | null;
  /**
   * A step. Texts of more than 16,384 UTF-16 units are truncated; `length` (of the reasoning `reasoningLength`) is
   * their full length. Facts too large to display are shortened or omitted; then `metadata.cut` is true.
   */
  node(id: number, signal: AbortSignal): Promise<RunNode>;
  text(id: number, field: TextField, signal: AbortSignal): Promise<string>;
  download(id: number, field: TextField): void;
}

export function createServerRunSource(runId: string): RunSource {
  const node = (id: number): string => `/api/v1/runs/${encodeURIComponent(runId)}/nodes/${id}`;
  const text = (id: number, field: TextField): string => `${node(id)}/texts/${field}`;
  return {
    runId,
    until: null,
    node: (id, signal) => fetchJson(`${node(id)}?cut=1`, storedNodeSchema, { signal, cache: "no-store" }),
    text: (id, field, signal) => fetchText(text(id, field), { signal, cache: "no-store" }),
    download(id, field) {
      const link = document.createElement("a");
      link.href = `${text(id, field)}?download=1`;
      link.download = "";
      link.click();
    },
  };
}
