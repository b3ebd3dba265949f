import * as z from "zod/mini";
import { createdSchema, fetchJson } from "@/app/_ui/loading/fetch-json";
import type { SaveAnswer } from "./autosave";
import type { Snapshot, Theirs } from "./snapshot";
import { snapshotSchema, theirsSchema } from "./snapshot-schema";

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
  /** Lets the request outlive the page. */
  keepalive?: boolean;
  /** The fingerprint of a text that was sent over `baseRevision` before, and whose answer is not known. */
  unanswered?: string;
  /** In the shared document, what is changed afterwards is in a later version. */
  isAwaited?: boolean;
}

/** Browsers refuse longer bodies of requests that outlive the page: 64 KB for all of them together. */
const maxKeptBytes = 60_000;

/** After this many milliseconds without an answer a save has failed: others are waited for until then. */
const longestAnswerMs = 30_000;

/** Never rejects. */
export async function requestSave(request: SaveRequest): Promise<SaveAnswer> {
  const { flowId, snapshot, baseRevision, allowEmpty, summary = "", keepalive = false, unanswered } = request;
  const body = JSON.stringify({
    ...snapshot,
    baseRevision,
    ...(allowEmpty ? { allowEmpty } : {}),
    ...(summary === "" ? {} : { summary }),
    ...(unanswered === undefined ? {} : { unanswered }),
  });
  const put = (isKept: boolean): Promise<Response | null> =>
    fetch(toUrl(flowId), {
      method: "PUT",
      keepalive: isKept,
      cache: "no-store",
      body,
      headers: { "content-type": "application/json" },
      ...(!isKept && { signal: AbortSignal.timeout(longestAnswerMs) }),
    }).catch(() => null);
  const isKept = keepalive && new Blob([body]).size <= maxKeptBytes;
  // Other requests may have used up what may outlive the page.
  const answer = (await put(isKept)) ?? (isKept ? await put(false) : null);
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

const revisionsSchema = z.object({
  revisions: z.array(z.object({ id: z.string() })),
  next: z.nullable(z.string()),
});

/** Pages of 100 versions in which a revision is looked for: users who edit together save every few seconds. */
const maxRevisionPages = 10;

/** The revisions after `base` that are read at most: what was saved on leaving is one of the first. */
const maxReadRevisions = 10;

/** In milliseconds: the text of the last visit is not shown before. */
const maxReadMs = 4000;

/**
 * The first revisions after `base`, oldest first; null when that is not known: the server cannot be reached or is slow, or `base`
 * is not among the newest revisions.
 */
export async function requestLater(flowId: string, base: string): Promise<Snapshot[] | null> {
  const url = `${toUrl(flowId)}/revisions`;
  const init = { cache: "no-store", signal: AbortSignal.timeout(maxReadMs) } as const;
  try {
    const ids = await listLater(base, (query) => fetchJson(`${url}${query}`, revisionsSchema, init));
    const read = (id: string) => fetchJson(`${url}/${encodeURIComponent(id)}`, snapshotSchema, init);
    return ids && (await Promise.all(ids.slice(0, maxReadRevisions).map(read)));
  } catch {
    return null;
  }
}

/** The ids of all revisions after `base`, oldest first; null when no page has `base`. */
async function listLater(
  base: string,
  readPage: (query: string) => Promise<z.infer<typeof revisionsSchema>>,
): Promise<string[] | null> {
  const newer: string[] = [];
  let query = "";
  for (let page = 0; page < maxRevisionPages; page++) {
    const { revisions, next } = await readPage(query);
    const ids = revisions.map(({ id }) => id);
    const end = ids.indexOf(base);
    if (end >= 0) return [...newer, ...ids.slice(0, end)].reverse();
    if (next === null) return null;
    newer.push(...ids);
    query = `?before=${encodeURIComponent(next)}`;
  }
  return null;
}
