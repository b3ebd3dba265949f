import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { runStatusSchema } from "@/lib/core/run/events/events";
import type { RunSums } from "@/lib/server/runs/read/summarize-runs";
import { fetchJson, messageOf } from "../../_ui/loading/fetch-json";

const nullableNumber = z.nullable(z.number());
const totalsSchema = z.object({
  runs: z.number(),
  byStatus: z.record(runStatusSchema, z.number()),
  cost: z.number(),
  unpriced: z.number(),
  tokens: z.number(),
  medianMs: nullableNumber,
  p95Ms: nullableNumber,
  failureRate: nullableNumber,
});
const sumsSchema: z.ZodMiniType<RunSums> = z.object({
  totals: totalsSchema,
  days: z.array(z.extend(totalsSchema, { date: z.string() })),
  daysCut: z.boolean(),
});

const againMs = 10_000;

interface LoadedSums {
  query: string;
  sums: RunSums | null;
  problem: string | null;
}

export function useRunSums(query: string, active: boolean): LoadedSums & { isStale: boolean; retry(): void } {
  const [loaded, setLoaded] = useState<LoadedSums>({ query, sums: null, problem: null });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const params = new URLSearchParams(query);
    params.set("zone", timeZone);
    if (attempt > 0) setLoaded((before) => ({ ...before, problem: null }));
    const load = (): void => {
      fetchJson(`/api/v1/runs/summary?${params}`, sumsSchema, { signal: controller.signal, cache: "no-store" }).then(
        (sums) => setLoaded({ query, sums, problem: null }),
        (error: unknown) => {
          if (!controller.signal.aborted) setLoaded({ query, sums: null, problem: messageOf(error) });
        },
      );
    };
    load();
    const timer = active ? setInterval(load, againMs) : undefined;
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, [query, active, attempt]);
  return { ...loaded, isStale: loaded.query !== query, retry: () => setAttempt(attempt + 1) };
}
