import * as z from "zod/mini";
import { createdSchema, fetchJson, messageOf } from "@/app/_ui/loading/fetch-json";
import { findJsonAs } from "@/lib/core/flow/parse-json";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { type VisitorRun, visitorRunSchema } from "@/lib/core/run/events/visitor-events";
import { type VisitorProgress, watchVisitorRun } from "./visitor-progress";

const toUrl = (token: string): string => `/api/shared/${encodeURIComponent(token)}/runs`;

/** The id of the run. Throws RequestError. */
export const startVisitorRun = async (token: string, input: string): Promise<string> =>
  (await fetchJson(toUrl(token), createdSchema, { json: { input } })).id;

const keptSchema = z.object({ id: z.string(), input: z.string() });
type KeptRun = z.infer<typeof keptSchema>;

const toKeptKey = (token: string): string => `swarmloom run of ${token}`;

/** Keeps the last run of this tab for a reload, which would spend another one. */
export function keepVisitorRun(token: string, run: KeptRun): void {
  try {
    sessionStorage.setItem(toKeptKey(token), JSON.stringify(run));
  } catch {
    // A frame on another site may have no storage: a reload then begins anew.
  }
}

/** The run that this tab has kept; null: there is none, or it cannot be read any more. */
export async function findKeptRun(token: string): Promise<KeptRun | null> {
  try {
    const kept = findJsonAs(sessionStorage.getItem(toKeptKey(token)) ?? "", keptSchema);
    if (kept) await fetchJson(`${toUrl(token)}/${kept.id}`, visitorRunSchema, { cache: "no-store" });
    return kept;
  } catch {
    return null;
  }
}

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
