import * as z from "zod/mini";
import { runStatusSchema } from "@/lib/core/run/events/events";
import type { RunSums } from "@/lib/server/runs/read/summarize-runs";
import { fetchJson } from "../../_ui/loading/fetch-json";
import { useLoaded } from "../../_ui/loading/use-loaded";

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

/** The sums of the listed runs, kept current while one is active. */
export const useRunSums = (query: string, active: boolean) =>
  useLoaded({ key: query, refreshMs: active ? againMs : undefined }, (signal) => {
    const params = new URLSearchParams(query);
    params.set("zone", Intl.DateTimeFormat().resolvedOptions().timeZone);
    return fetchJson(`/api/v1/runs/summary?${params}`, sumsSchema, { signal, cache: "no-store" });
  });
