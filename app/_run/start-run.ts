import { z } from "zod";
import { fetchJson } from "../_ui/fetch-json";

const startedSchema = z.object({ id: z.string() });

/** Starts a run of a flow's saved revision (the newest, unless said otherwise); answers its id. Throws ApiError. */
export async function startRun(flowId: string, input: string, revision?: string): Promise<string> {
  const body = { input, ...(revision === undefined ? {} : { revision }) };
  return (await fetchJson(`/api/v1/flows/${flowId}/runs`, startedSchema, { method: "POST", body })).id;
}

/** Asks a run to stop. Throws ApiError. */
export async function cancelRun(runId: string): Promise<void> {
  await fetchJson(`/api/v1/runs/${runId}/cancel`, z.undefined(), { method: "POST" });
}
