import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { type ComparedRow, comparedRowSchema } from "@/lib/core/trace/model/align-steps";
import { fetchJson, messageOf } from "../../../_ui/loading/fetch-json";

const answerSchema = z.object({ rows: z.array(comparedRowSchema) });

/** The steps of several runs, aligned; null until they are loaded. */
export function useComparedSteps(runs: string): { rows: ComparedRow[] | null; problem: string | null } {
  const [loaded, setLoaded] = useState<{ rows: ComparedRow[] | null; problem: string | null }>({
    rows: null,
    problem: null,
  });
  useEffect(() => {
    const controller = new AbortController();
    fetchJson(`/api/v1/runs/compare?${new URLSearchParams({ runs })}`, answerSchema, {
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
