import "server-only";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { parseJsonAs } from "@/lib/core/flow/parse-json";
import { AppError, toErrorResponse } from "../app-error";
import { narrowToTeam, type Viewer } from "../auth/viewer";
import { toDatabaseError } from "../db";
import { logger } from "../log/logger";
import { redactTexts, withoutQuotedJson } from "../log/redact";
import { listKeys } from "../log/secrets";
import { admitRequest, beginServices } from "./admit-request";
import { type Allowance, RateLimitError, takeOfAddress, takeOfViewer, toRateHeaders } from "./rate-limit";
import { toUnreadableError } from "./unreadable-record";

type Handler<Params> = (viewer: Viewer, request: Request, params: Params) => unknown;

/** A route handler that authorises first, answers a value as JSON (a `Response` as it is), and every error in the one form. */
export const route = <Params = object>(handler: Handler<Params>) =>
  toRoute<Params>(async (request, params) => handler(await admitViewer(request), request, params));

/** What is left of the limits of requests, for the headers of their answers. */
const allowances = new WeakMap<Request, Allowance>();

/** The viewer of a request, which is counted. Throws AppError when it is refused, also for too many. */
async function admitViewer(request: Request): Promise<Viewer> {
  const viewer = await admitRequest(request.headers).catch((error: unknown) => {
    countRequest(request, takeOfAddress(request.headers));
    throw error;
  });
  countRequest(request, takeOfViewer(viewer, request));
  return viewer;
}

function countRequest(request: Request, allowance: Allowance | null): void {
  if (allowance) allowances.set(request, allowance);
}

/**
 * A route of one team: `?team=` or the header that pages send names it where the viewer is in several. The handler gets the
 * viewer narrowed to it; else like `route`.
 */
export const teamRoute = <Params = object>(handler: Handler<Params>) =>
  route<Params>((viewer, request, params) => handler(narrowToTeam(viewer, readTeam(request)), request, params));

/** The parameter and the header that name a team. */
const [teamParameter, teamHeader] = ["team", "swarmloom-team"];

const readTeam = (request: Request): string | undefined =>
  new URL(request.url).searchParams.get(teamParameter) ?? request.headers.get(teamHeader) ?? undefined;

/** A route without a viewer, for everyone or with a handler that authorises by itself; else like `route`. */
export const publicRoute = <Params = object>(handler: (request: Request, params: Params) => unknown) =>
  toRoute<Params>((request, params) => {
    countRequest(request, takeOfAddress(request.headers));
    beginServices();
    return handler(request, params);
  });

function toRoute<Params>(handler: (request: Request, params: Params) => unknown) {
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    const response = await answerRequest(request, async () => handler(request, await context.params));
    const allowance = allowances.get(request);
    if (allowance)
      for (const [name, value] of Object.entries(toRateHeaders(allowance))) response.headers.set(name, value);
    return response;
  };
}

async function answerRequest(request: Request, handle: () => unknown): Promise<Response> {
  try {
    const answer = await handle();
    return answer instanceof Response ? answer : Response.json(answer);
  } catch (error) {
    if (error instanceof RateLimitError) allowances.set(request, error.allowance);
    if (error instanceof AppError) return toErrorResponse(withoutKeys(error));
    const { pathname } = new URL(request.url);
    const fault = toDatabaseError(error);
    if (fault) {
      logger.warn({ err: fault, path: toLoggedPath(pathname) }, "request refused");
      return toErrorResponse(new AppError("unavailable", fault.message));
    }
    const id = randomUUID();
    logger.error({ err: error, id, path: toLoggedPath(pathname) }, "request failed");
    const unreadable = toUnreadableError(error);
    if (unreadable) return toErrorResponse(unreadable);
    const message = `Something went wrong in the server (${id}). Its log has the details.`;
    return Response.json({ error: { code: "internal", message } }, { status: 500 });
  }
}

/** Whoever reads the log cannot open what a token in an address opens. */
const toLoggedPath = (pathname: string): string => pathname.replace(/^(\/api\/(?:shared|hooks)\/)[^/]+/, "$1…");

/** An error whose texts contain no key that this server knows. */
function withoutKeys({ code, message, details, retryAfter }: AppError): AppError {
  const keys = listKeys();
  return new AppError(code, redactTexts(message, keys), details && redactTexts(details, keys), retryAfter);
}

/** Largest request body, in bytes, unless a route sets another limit. */
const bodyLimit = 1_000_000;

/** The JSON body of a request, checked. Throws AppError: 415 not declared as JSON, 413 too large, 400 no JSON or not as expected, with the path. */
export async function readJson<T>(request: Request, schema: z.ZodType<T>, limit = bodyLimit): Promise<T> {
  assertJsonType(request.headers.get("content-type"));
  const text = new TextDecoder().decode(await readBytes(request, limit));
  let body: unknown;
  try {
    body = parseJsonAs(text, z.unknown());
  } catch (error) {
    throw new AppError(
      "bad_request",
      `The body is not valid JSON: ${error instanceof Error ? withoutQuotedJson(error.message) : "unreadable"}.`,
    );
  }
  if (isDeeperThan(body, deepestBody))
    throw new AppError("bad_request", `The body nests more than ${deepestBody} lists and objects in each other.`);
  if (hasLongerThan(body, longestMembers))
    throw new AppError("bad_request", `The body has a list or object of more than ${longestMembers} members.`);
  return check(schema, body);
}

/** Deepest nesting of a body: schemas are checked recursively, and a megabyte of brackets would use up the stack. */
const deepestBody = 200;

/** Most members of one list or object of a body: a schema takes 10 microseconds for each, and more for its mistakes. */
const longestMembers = 10_000;

function hasLongerThan(value: unknown, limit: number): boolean {
  const waiting = [value];
  for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) {
    if (typeof item !== "object" || item === null) continue;
    const members = Object.values(item);
    if (members.length > limit) return true;
    for (const member of members) if (typeof member === "object" && member !== null) waiting.push(member);
  }
  return false;
}

function isDeeperThan(value: unknown, limit: number): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((item) => (typeof item === "object" && item !== null ? Object.values(item) : []));
  }
  return false;
}

/** The one type that pages of other sites cannot send without asking first, as forms and simple fetches can. */
function assertJsonType(type: string | null): void {
  if (/^application\/json\s*(;|$)/i.test(type ?? "")) return;
  throw new AppError(
    "unsupported_media_type",
    `Expected the header \`content-type: application/json\` with a JSON body, found ${type === null ? "none" : `"${type.slice(0, 100)}"`}.`,
  );
}

/** Largest number of an event: the databases keep it in 32 bits. */
const largestEventNumber = 2_147_483_647;

/** The number of the last event that a client of server-sent events received. Throws AppError 400. */
export function readEventNumber(request: Request): number {
  const last = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("after") ?? "0";
  if (!/^\d{1,12}$/.test(last) || Number(last) > largestEventNumber)
    throw new AppError(
      "bad_request",
      `Expected the number of an event in Last-Event-ID, 0 to ${largestEventNumber}, found "${last.slice(0, 40)}".`,
    );
  return Number(last);
}

/** The id of a step in a path. Throws AppError 404. */
export function readNodeId(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new AppError("not_found", "There is no such step in this run.");
  return Number(text);
}

/** The query of a request without its team, checked. Throws AppError 400. */
export const readQuery = <T>(request: Request, schema: z.ZodType<T>): T =>
  check(schema, Object.fromEntries([...new URL(request.url).searchParams].filter(([name]) => name !== teamParameter)));

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const path = issue?.path.join(".");
  throw new AppError("bad_request", `${path ? `\`${path}\`: ` : ""}${issue?.message ?? "not as expected"}.`);
}

/** The body of a request. Reads at most `limit` bytes; the length that a client declares is not trusted. Throws AppError 413. */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const tooLarge = new AppError("too_large", `The body is larger than ${limit} bytes.`);
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge;
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const reader = request.body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.byteLength;
    if (bytes > limit) {
      await reader.cancel();
      throw tooLarge;
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks, bytes);
}

/** The same request for a library that reads bodies without a limit. Throws AppError 413. */
export async function withBoundedBody(request: Request, limit: number): Promise<Request> {
  const { url, method, headers } = request;
  const body = await readBytes(request, limit);
  return new Request(url, { method, headers, ...(body.byteLength > 0 && { body: new Uint8Array(body) }) });
}

/** The reader of an answer that may take long: who it is now is asked with the headers of its request. */
export const toStreamReader = (viewer: Viewer, request: Request) => ({
  viewer,
  reload: () => admitRequest(request.headers),
  request,
});

/** A response of server-sent events that nothing on the way may hold back. */
export const toEventStream = (body: ReadableStream<Uint8Array>): Response =>
  new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache, no-transform",
      "x-accel-buffering": "no",
    },
  });

/** The headers of a file to save. `name` holds no quotes or spaces. */
const toFileHeaders = (name: string): Record<string, string> => ({
  "content-disposition": `attachment; filename="${name}"`,
  "cache-control": "no-store",
});

/** A JSON text as a file to save, sent piece by piece as the reader takes it. */
export const toDownload = ({ name, pieces }: { name: string; pieces: AsyncIterable<string> }): Response =>
  toJsonResponse(pieces, toFileHeaders(name));

/** A text of another type as a file to save. */
export const toTextDownload = (
  body: ReadableStream<Uint8Array>,
  { name, type }: { name: string; type: `${string}/${string}` },
): Response => new Response(body, { headers: { "content-type": `${type}; charset=utf-8`, ...toFileHeaders(name) } });

/** A JSON text in pieces, sent as the reader takes them. */
export function toJsonResponse(pieces: AsyncIterable<string>, headers: Record<string, string> = {}): Response {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await iterator.return?.();
    },
  });
  return new Response(body, { headers: { "content-type": "application/json; charset=utf-8", ...headers } });
}
