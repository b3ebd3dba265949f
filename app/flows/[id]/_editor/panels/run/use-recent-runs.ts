import * as z from "zod/mini";
import { fetchJson } from "@/app/_ui/loading/fetch-json";
import { useLoaded } from "@/app/_ui/loading/use-loaded";
import { payloadSchema, runStatusSchema } from "@/lib/core/run/events/events";
import { usageSchema } from "@/lib/core/run/events/usage-schema";

export const mostRecent = 20;

const recentRunSchema = z.object({
  id: z.string(),
  status: runStatusSchema,
  createdAt: z.number(),
  durationMs: z.nullable(z.number()),
  usage: usageSchema,
  simulated: z.boolean(),
  models: z.array(z.string()),
  input: payloadSchema,
  error: z.nullable(z.object({ code: z.string() })),
});
export type RecentRun = z.infer<typeof recentRunSchema>;
const listSchema = z.object({ runs: z.array(recentRunSchema) });
const countSchema = z.object({ totals: z.object({ runs: z.number() }) });

export interface RecentRuns {
  /** Newest first. */
  runs: readonly RecentRun[];
  /** 1 for the flow's first run; null for one that is not among these. */
  numberOf(id: string): number | null;
}

/** The last runs of a flow, loaded again when `version` changes; null until they are loaded. */
export function useRecentRuns(flowId: string, version: string): RecentRuns | null {
  const flow = encodeURIComponent(flowId);
  const { value } = useLoaded({ key: `${flow} ${version}` }, async (signal) => {
    const options = { signal, cache: "no-store" } as const;
    const [{ runs }, { totals }] = await Promise.all([
      fetchJson(`/api/v1/runs?flow=${flow}&limit=${mostRecent}`, listSchema, options),
      fetchJson(`/api/v1/runs/summary?flow=${flow}`, countSchema, options),
    ]);
    return { runs, count: totals.runs };
  });
  if (!value) return null;
  const { runs, count } = value;
  return {
    runs,
    numberOf(id) {
      const index = runs.findIndex((run) => run.id === id);
      return index < 0 ? null : count - index;
    },
  };
}
