import "server-only";
import { AppError } from "../app-error";
import { isInFlowOf, type Viewer } from "../auth/viewer";
import { getDb, isUniqueViolation } from "../db";
import { isRevisionId } from "../flows/choose-revision";
import { type StartOptions, startRun } from "./commands";
import { deriveRunId } from "./derive-run-id";
import { writeParameters } from "./store/node-edits";

/** The longest key, in characters. */
const longestKey = 255;

/** The `Idempotency-Key` of a request; null: it has none. Throws AppError 400. */
export function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get("idempotency-key");
  if (key === null || (/^[\x21-\x7e]+$/.test(key) && key.length <= longestKey)) return key;
  throw new AppError(
    "bad_request",
    `Expected 1 to ${longestKey} printable ASCII characters without spaces in the header Idempotency-Key, found ${key.length} characters.`,
  );
}

type OnceOptions = Omit<StartOptions, "id" | "priority">;

/**
 * Starts a run as `startRun` does, once for each key of a viewer: repeated, it answers with the same run as long as that is
 * stored. Throws AppError as `startRun` does, and 409 when the key was used for another request.
 */
export async function startRunOnce(
  viewer: Viewer,
  flowId: string,
  { key, ...options }: OnceOptions & { key: string },
): Promise<{ id: string; isRepeated: boolean }> {
  const id = deriveRunId(JSON.stringify(["request", viewer.id, key]));
  // Before anything that may have changed since: the state of the flow, and the length of the queue.
  if (await wasStarted(viewer, id, { flowId, ...options })) return { id, isRepeated: true };
  try {
    await startRun(viewer, flowId, { ...options, id });
    return { id, isRepeated: false };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await wasStarted(viewer, id, { flowId, ...options });
    return { id, isRepeated: true };
  }
}

/** Whether the request has started its run. Throws AppError 409 when another request has. */
async function wasStarted(
  viewer: Viewer,
  id: string,
  { flowId, input, messages = [], parameters, revision }: OnceOptions & { flowId: string },
): Promise<boolean> {
  const db = await getDb();
  const run = await db.run.findFirst({
    where: { id, ...isInFlowOf(viewer, "runs:read") },
    select: { flowId: true, input: true, messages: true, parameters: true, revisionId: true },
  });
  if (!run) return false;
  const isSame =
    run.flowId === flowId &&
    run.input === input &&
    run.messages === JSON.stringify(messages) &&
    run.parameters === writeParameters(parameters) &&
    (!isRevisionId(revision) || run.revisionId === revision);
  if (isSame) return true;
  throw new AppError(
    "conflict",
    `This Idempotency-Key was used to start run ${id}, with another flow, input or other parameters. Send a key of its own with each request.`,
  );
}
