import "server-only";
import { z } from "zod";
import type { Json } from "@/lib/core/flow/flow";
import { isJsonObject, parseJsonAs } from "@/lib/core/flow/parse-json";
import { toStarterId } from "@/lib/core/run/events/run-starter";
import { AppError } from "../app-error";
import { toTeamViewer } from "../auth/viewer";
import { type Db, getDb, isUniqueViolation, toReason } from "../db";
import { logger } from "../log/logger";
import { startRun } from "../runs/commands";
import { deriveRunId } from "../runs/derive-run-id";
import { priorities } from "../runs/prepare-run";
import { checkSignature } from "./signature";
import { openSecret } from "./webhook-secret";

interface ReceivedRequest {
  headers: Headers;
  body: Buffer;
}

type WebhookRow = NonNullable<Awaited<ReturnType<Db["webhook"]["findUnique"]>>>;

/** Unsigned requests are recorded so often at most, in milliseconds: anyone who knows the address can send them. */
const problemIntervalMs = 10_000;

/** The same for an unknown address and a wrong signature, so that no one can tell them apart. */
const noSuchHook = () =>
  new AppError(
    "not_found",
    "No webhook accepts this request. Expected the address of a webhook, and the headers webhook-id, webhook-timestamp and webhook-signature of Standard Webhooks, made with its secret within the last 5 minutes.",
  );

/**
 * Starts the run that a signed request asks for; a request that comes again answers with the same run. `now` in
 * milliseconds. Throws AppError: 404 unknown address, or not signed as expected, 409 switched off, 400 with what to
 * correct, and what `startRun` throws.
 */
export async function receiveWebhook(token: string, request: ReceivedRequest, now: number): Promise<{ id: string }> {
  const db = await getDb();
  const webhook = await db.webhook.findUnique({ where: { token, flow: { deletedAt: null } } });
  if (!webhook) throw noSuchHook();
  const secret = openSecret(webhook);
  const checked =
    secret === null
      ? { problem: "The secret of this webhook cannot be opened any more. Make a new one." }
      : checkSignature(request, secret, now);
  if ("problem" in checked) {
    await recordUnsigned(db, webhook, { problem: checked.problem, now });
    throw noSuchHook();
  }
  const runId = deriveRunId(`webhook ${webhook.id} ${checked.id}`);
  // Before anything that may have changed since: the state of the flow, and the length of the queue.
  if ((await db.run.count({ where: { id: runId, teamId: webhook.teamId } })) > 0) return { id: runId };
  try {
    await startWebhookRun(webhook, runId, request.body);
    await record(db, webhook.id, { lastAt: new Date(now), lastRunId: runId });
    return { id: runId };
  } catch (error) {
    if (isUniqueViolation(error)) return { id: runId };
    if (error instanceof AppError)
      await record(db, webhook.id, { lastProblem: error.message, lastProblemAt: new Date(now) });
    throw error;
  }
}

/** Prisma's unique violation is thrown when another request has just started the run. */
async function startWebhookRun(webhook: WebhookRow, runId: string, body: Buffer): Promise<void> {
  const { id, name, teamId, flowId, enabled, inputPath } = webhook;
  if (!enabled) throw new AppError("conflict", "This webhook is switched off.");
  const input = readInput(readBodyText(body), inputPath);
  const viewer = toTeamViewer(
    { id: toStarterId("webhook", id), name: `Webhook “${name}”` },
    { teamId, role: "runner" },
  );
  await startRun(viewer, flowId, { input, id: runId, priority: priorities.background });
}

function readBodyText(body: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    throw new AppError("bad_request", "The body is not UTF-8. Expected a text in UTF-8.");
  }
}

/** The value at a path of names and positions in a JSON body: a text as it is, else its JSON. Throws AppError 400. */
export function readInput(body: string, path: string): string {
  if (path === "") return body;
  let value: Json | undefined = readBody(body);
  for (const name of path.split(".")) value = readMember(value, name);
  if (value === undefined) throw new AppError("bad_request", `The body has no value at \`${path}\`.`);
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readMember(value: Json | undefined, name: string): Json | undefined {
  if (Array.isArray(value)) return /^\d{1,9}$/.test(name) ? value[Number(name)] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

function readBody(body: string): Json {
  try {
    return parseJsonAs(body, z.json());
  } catch {
    throw new AppError("bad_request", "The body is not valid JSON, which the input path of this webhook expects.");
  }
}

/** Records why a request without a valid signature was refused, at most every ten seconds. */
function recordUnsigned(db: Db, { id, lastProblemAt }: WebhookRow, { problem, now }: { problem: string; now: number }) {
  if (lastProblemAt !== null && now - lastProblemAt.getTime() < problemIntervalMs) return Promise.resolve();
  return record(db, id, { lastProblem: problem, lastProblemAt: new Date(now) });
}

/** What is shown beside a webhook; the answer to its request does not depend on it. */
async function record(
  db: Db,
  id: string,
  data: { lastAt: Date; lastRunId: string } | { lastProblem: string; lastProblemAt: Date },
): Promise<void> {
  await db.webhook
    .updateMany({ where: { id }, data })
    .catch((error: unknown) => logger.warn({ reason: toReason(error) }, "a request to a webhook was not recorded"));
}
