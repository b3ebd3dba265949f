import { stepDetailSchema } from "@/lib/core/trace/model/run-node-schema";
import type { TextField } from "@/lib/core/trace/model/step-texts";
import { fetchJson, fetchText } from "../../_ui/loading/fetch-json";
import type { RunSource } from "./run-source";

export function createServerRunSource(runId: string): RunSource {
  const node = (id: number): string => `/api/v1/runs/${encodeURIComponent(runId)}/nodes/${id}`;
  const text = (id: number, field: TextField): string => `${node(id)}/texts/${field}`;
  return {
    runId,
    until: null,
    node: (id, signal) => fetchJson(`${node(id)}?cut=1`, stepDetailSchema, { signal, cache: "no-store" }),
    text: (id, field, signal) => fetchText(text(id, field), { signal, cache: "no-store" }),
    download(id, field) {
      const link = document.createElement("a");
      link.href = `${text(id, field)}?download=1`;
      link.download = "";
      link.click();
    },
  };
}
