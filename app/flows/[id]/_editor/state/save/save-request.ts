import * as z from "zod/mini";
import type { SaveAnswer } from "./autosave";
import { type Snapshot, type Theirs, theirsSchema } from "./snapshot";

const savedSchema = z.object({ revision: z.string() });
const createdSchema = z.object({ id: z.string() });
const errorSchema = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.optional(z.unknown()) }),
});

interface SaveRequest {
  flowId: string;
  snapshot: Snapshot;
  baseRevision: string;
  allowEmpty: boolean;
  /** Lets the request outlive the page; browsers cap such bodies at 64 KB. */
  keepalive?: boolean;
}

/** Never rejects. */
export async function requestSave(request: SaveRequest): Promise<SaveAnswer> {
  const { flowId, snapshot, baseRevision, allowEmpty, keepalive = false } = request;
  const body = { ...snapshot, baseRevision, ...(allowEmpty ? { allowEmpty } : {}) };
  const answer = await send("PUT", `/api/v1/flows/${encodeURIComponent(flowId)}`, body, keepalive);
  if (!answer && !navigator.onLine)
    return {
      type: "failed",
      message: "You are offline. Changes are saved once you are online again.",
      retryable: true,
      offline: true,
    };
  if (!answer) return { type: "failed", message: "The server did not answer.", retryable: true };
  return readAnswer(answer.status, answer.body, snapshot);
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
  const answer = await send("GET", `/api/v1/flows/${encodeURIComponent(flowId)}`);
  const current = theirsSchema.safeParse(answer?.body);
  return current.success ? current.data : null;
}

/** Returns the id of the new flow, or null. */
export async function requestCopy(name: string, snapshot: Snapshot): Promise<string | null> {
  const answer = await send("POST", "/api/v1/flows", { name, ...snapshot });
  const created = createdSchema.safeParse(answer?.body);
  return created.success ? created.data.id : null;
}

async function send(method: string, url: string, body?: unknown, keepalive = false) {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  try {
    const answer = await fetch(url, { method, keepalive, cache: "no-store", ...content });
    return { status: answer.status, body: await answer.json().catch((): unknown => null) };
  } catch {
    return null;
  }
}
