import * as z from "zod/mini";
import { createdSchema, fetchJson } from "@/app/_ui/loading/fetch-json";
import { isTerminal, runStatuses } from "@/lib/core/run/events/run-status";

const runSchema = z.object({
  status: z.enum(runStatuses),
  output: z.string(),
  error: z.nullable(z.object({ code: z.string() })),
  simulated: z.boolean(),
});
export type VisitorRun = z.infer<typeof runSchema>;

const toUrl = (token: string): string => `/api/shared/${encodeURIComponent(token)}/runs`;

/** The id of the run. Throws RequestError. */
export const startVisitorRun = async (token: string, input: string): Promise<string> =>
  (await fetchJson(toUrl(token), createdSchema, { json: { input } })).id;

const waitMs = 1_000;

/** Shows the run until it has ended. Throws RequestError. */
export async function followVisitorRun(
  token: string,
  { id, signal, show }: { id: string; signal: AbortSignal; show(run: VisitorRun): void },
): Promise<void> {
  for (;;) {
    const run = await fetchJson(`${toUrl(token)}/${id}`, runSchema, { cache: "no-store", signal });
    show(run);
    if (isTerminal(run.status)) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
