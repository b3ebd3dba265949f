import * as z from "zod/mini";
import { createdSchema, fetchJson } from "@/app/_ui/loading/fetch-json";
import type { SaveAnswer } from "./autosave";
import type { Snapshot, Theirs } from "./snapshot";
import { theirsSchema } from "./snapshot-schema";

const savedSchema = z.object({ revision: z.string() });
const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.optional(z.unknown()) }),
});

interface SaveRequest {
  flowId: string;
  snapshot: Snapshot;
  baseRevision: string;
  allowEmpty: boolean;
  /** What changed, one description a line. */
  summary?: string;
  /** Lets the request outlive the page; browsers cap such bodies at 64 KB. */
  keepalive?: boolean;
}

/** Never rejects. */
export async function requestSave(request: SaveRequest): Promise<SaveAnswer> {
  const { flowId, snapshot, baseRevision, allowEmpty, summary = "", keepalive = false } = request;
  const body = {
    ...snapshot,
    baseRevision,
    ...(allowEmpty ? { allowEmpty } : {}),
    ...(summary === "" ? {} : { summary }),
  };
  const answer = await fetch(toUrl(flowId), {
    method: "PUT",
    keepalive,
    cache: "no-store",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json" },
  }).catch(() => null);
  if (!answer && !navigator.onLine)
    return {
      type: "failed",
      message: "You are offline. Changes are saved once you are online again.",
      retryable: true,
      offline: true,
    };
  if (!answer) return { type: "failed", message: "The server did not answer.", retryable: true };
  return readAnswer(answer.status, await answer.json().catch(() => null), snapshot);
}

export function readAnswer(status: number, body: unknown, sent: Snapshot): SaveAnswer {
  const saved = savedSchema.safeParse(body);
  if (status === 200 && saved.success) return { type: "succeeded", revision: saved.data.revision };
  const error = errorSchema.safeParse(body);
  const message = error.success ? error.data.error.message : `The server answered ${status} without a reason.`;
  if (status === 409 && error.success) {
    const theirs = theirsSchema.safeParse(error.data.error.details);
    if (theirs.success) return { type: "conflicted", theirs: theirs.data };
  }
  if (status === 400 && sent.source.trim() === "") return { type: "refused-empty" };
  return { type: "failed", message, retryable: status >= 500 || status === 429 };
}

/** Null when the server cannot be reached. */
export async function requestCurrent(flowId: string): Promise<Theirs | null> {
  return fetchJson(toUrl(flowId), theirsSchema, { cache: "no-store" }).catch(() => null);
}

/** Returns the id of the new flow, or null. */
export async function requestCopy(name: string, snapshot: Snapshot): Promise<string | null> {
  const json = { name, ...snapshot };
  return fetchJson("/api/v1/flows", createdSchema, { json, cache: "no-store" }).then(
    ({ id }) => id,
    () => null,
  );
}

const toUrl = (flowId: string): string => `/api/v1/flows/${encodeURIComponent(flowId)}`;
