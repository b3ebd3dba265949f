import type { ComparedRow } from "@/lib/core/trace/model/align-steps";
import { fetchJson } from "../../../_ui/loading/fetch-json";
import { useLoaded } from "../../../_ui/loading/use-loaded";

/** The steps of several runs, aligned; null until they are loaded. */
export function useComparedSteps(runs: string) {
  const { value, problem } = useLoaded({ key: runs }, (signal) =>
    fetchJson<{ rows: ComparedRow[] }>(`/api/v1/runs/compare?${new URLSearchParams({ runs })}`, {
      signal,
      cache: "no-store",
    }),
  );
  return { rows: value?.rows ?? null, problem };
}
