import { useEffect, useState } from "react";
import type { ComparedRow } from "@/lib/core/trace/model/align-steps";
import { fetchJson, messageOf } from "../../../_ui/loading/fetch-json";

/** The steps of several runs, aligned; null until they are loaded. */
export function useComparedSteps(runs: string): { rows: ComparedRow[] | null; problem: string | null } {
  const [loaded, setLoaded] = useState<{ rows: ComparedRow[] | null; problem: string | null }>({
    rows: null,
    problem: null,
  });
  useEffect(() => {
    const controller = new AbortController();
    fetchJson<{ rows: ComparedRow[] }>(`/api/v1/runs/compare?${new URLSearchParams({ runs })}`, {
      signal: controller.signal,
      cache: "no-store",
    }).then(
      ({ rows }) => setLoaded({ rows, problem: null }),
      (error: unknown) => {
        if (!controller.signal.aborted) setLoaded({ rows: null, problem: messageOf(error) });
      },
    );
    return () => controller.abort();
  }, [runs]);
  return loaded;
}
