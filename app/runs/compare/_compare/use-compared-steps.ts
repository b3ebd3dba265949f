import * as z from "zod/mini";
import { comparedRowSchema } from "@/lib/core/trace/model/align-steps";
import { fetchJson } from "../../../_ui/loading/fetch-json";
import { useLoaded } from "../../../_ui/loading/use-loaded";

const answerSchema = z.object({ rows: z.array(comparedRowSchema), agents: z.array(z.string()) });

/** The steps of several runs, aligned; null until they are loaded. */
export function useComparedSteps(runs: string) {
  const address = `/api/v1/runs/compare?${new URLSearchParams({ runs })}`;
  const { value, problem } = useLoaded({ key: runs }, (signal) =>
    fetchJson(address, answerSchema, { signal, cache: "no-store" }),
  );
  return { steps: value, problem };
}
