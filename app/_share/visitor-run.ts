import { createdSchema, fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { type VisitorRun, visitorRunSchema } from "@/lib/core/run/events/visitor-events";
import { type VisitorProgress, watchVisitorRun } from "./visitor-progress";

const toUrl = (token: string): string => `/api/shared/${encodeURIComponent(token)}/runs`;

/** The id of the run. Throws RequestError. */
export const startVisitorRun = async (token: string, input: string): Promise<string> =>
  (await fetchJson(toUrl(token), createdSchema, { json: { input } })).id;

const waitMs = 1_000;

interface VisitorRunView {
  showRun(run: VisitorRun): void;
  showProgress(progress: VisitorProgress): void;
  showProblem(problem: string): void;
}

/** Shows the run until it has ended. Returns what stops that, after which nothing is shown. */
export function followVisitorRun(token: string, id: string, view: VisitorRunView): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  watchVisitorRun(token, { id, signal, show: view.showProgress });
  pollVisitorRun(token, { id, signal, show: view.showRun })
    .catch((error: unknown) => {
      if (!signal.aborted) view.showProblem(messageOf(error));
    })
    .finally(() => controller.abort());
  return () => controller.abort();
}

async function pollVisitorRun(
  token: string,
  { id, signal, show }: { id: string; signal: AbortSignal; show(run: VisitorRun): void },
): Promise<void> {
  while (!signal.aborted) {
    const run = await fetchJson(`${toUrl(token)}/${id}`, visitorRunSchema, { cache: "no-store", signal });
    if (signal.aborted) return;
    show(run);
    if (isTerminal(run.status)) return;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}
