import { createdSchema, fetchJson } from "@/app/_ui/loading/fetch-json";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { type VisitorRun, visitorRunSchema } from "@/lib/core/run/events/visitor-events";

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
    const run = await fetchJson(`${toUrl(token)}/${id}`, visitorRunSchema, { cache: "no-store", signal });
    show(run);
    if (isTerminal(run.status)) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
