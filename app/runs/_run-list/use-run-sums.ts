import { runSumsSchema } from "@/lib/core/trace/model/run-sums";
import { fetchJson } from "../../_ui/loading/fetch-json";
import { useLoaded } from "../../_ui/loading/use-loaded";

const againMs = 10_000;

/** The sums of the listed runs, kept current while one is active. */
export const useRunSums = (query: string, active: boolean) =>
  useLoaded({ key: query, refreshMs: active ? againMs : undefined }, (signal) => {
    const params = new URLSearchParams(query);
    params.set("zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
    return fetchJson(`/api/v1/runs/summary?${params}`, runSumsSchema, { signal, cache: "no-store" });
  });
