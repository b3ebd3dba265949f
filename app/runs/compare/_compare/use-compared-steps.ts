import * as z from "zod/mini";
import { comparedRowSchema } from "@/lib/core/trace/model/align-steps";
import { fetchJson } from "../../../_ui/loading/fetch-json";
import { useLoaded } from "../../../_ui/loading/use-loaded";

const answerSchema = z.object({ rows: z.array(comparedRowSchema), agents: z.array(z.string()) });

/** The steps of several runs, aligned; null until they are loaded. `refreshMs`: how often runs under way are read again. */
export function useComparedSteps(runs: string, refreshMs: number | undefined) {
  const address = `/api/v1/runs/compare?${new URLSearchParams({ runs })}`;
  const { value, problem } = useLoaded({ key: runs, refreshMs }, (signal) =>
    fetchJson(address, answerSchema, { signal, cache: "no-store" }),
  );
  return { steps: value, problem };
}
