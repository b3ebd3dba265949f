import "server-only";
import { redact } from "../../log/redact";
import { describeError } from "../../models/call/refusal";
import { isObject, type JsonObject, parseJson, textOf } from "../../models/json";
import { decodeBody, readCapped } from "../../net/read-capped";

export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** A service that searches the web: at most `count` results, best first. @throws Error in plain words that never hold the key. */
export type SearchPort = (query: string, count: number, signal: AbortSignal) => Promise<SearchResult[]>;

/** One request to a search service. */
export interface SearchRequest {
  /** What the service is called in messages. */
  service: string;
  baseUrl: string;
  /** Variable that holds the base URL, for messages. */
  urlVariable: string;
  path: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: object;
  /** Never shown in a message. */
  secret?: string;
}

const maxBytes = 2_000_000;
const maxSeconds = 20;
const maxMessage = 400;

/** Asks a search service for JSON. @throws Error with a plain description of what went wrong, without the key. */
export async function askService(request: SearchRequest, signal: AbortSignal): Promise<JsonObject> {
  const timeout = AbortSignal.timeout(maxSeconds * 1000);
  try {
    return await readAnswer(request, await send(request, AbortSignal.any([signal, timeout])));
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) throw new Error(`${request.service} gave no answer within ${maxSeconds} s`);
    const { service, secret } = request;
    throw new Error(redact(describe(error, service), secret === undefined ? [] : [secret]).slice(0, maxMessage));
  }
}

const describe = (error: unknown, service: string): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${service} cannot be reached: ${error.cause.message}` : error.message;
};

async function send(request: SearchRequest, signal: AbortSignal): Promise<Response> {
  const { service, baseUrl, urlVariable, path, query = {}, headers = {}, body } = request;
  const text = `${baseUrl.replace(/\/+$/, "")}${path}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new Error(`${service} cannot be asked: ${urlVariable} must be a URL that begins with http:// or https://`);
  const url = new URL(text);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return fetch(url, {
    method: body ? "POST" : "GET",
    headers: { accept: "application/json", ...(body && { "content-type": "application/json" }), ...headers },
    // A redirect would send the key to another server.
    redirect: "manual",
    signal,
    body: body && JSON.stringify(body),
  });
}

async function readAnswer({ service, urlVariable }: SearchRequest, response: Response): Promise<JsonObject> {
  const { status } = response;
  const read = await readCapped(response.body, maxBytes);
  if (status >= 300 && status < 400)
    throw new Error(`${service} sends to another address; set ${urlVariable} to the final one`);
  const json = parseJson(decodeBody(read, response.headers.get("content-type") ?? "") ?? "");
  if (!response.ok) {
    const reason = describeError(json).message ?? reasons.get(status) ?? "it gave no reason";
    throw new Error(`${service} answered ${status}: ${reason}`);
  }
  if (read.isCut) throw new Error(`${service} answered with more than ${maxBytes} bytes`);
  if (!isObject(json)) throw new Error(`${service} answered with something that is no JSON; is ${urlVariable} right?`);
  return json;
}

const reasons = new Map([
  [401, "the key was refused"],
  [403, "this is not allowed"],
  [404, "there is no search at this address"],
  [429, "there were too many searches; try again later"],
]);

const maxSnippet = 1000;

/** The results of a list whose members hold `title`, `url` and the snippet under `snippetName`; others are left out. */
export const toResults = (list: unknown, snippetName: string): SearchResult[] =>
  (Array.isArray(list) ? list : []).filter(isObject).flatMap((entry) => {
    const url = textOf(entry.url);
    if (!url || !/^https?:\/\//i.test(url)) return [];
    const snippet = (textOf(entry[snippetName]) ?? "").replace(/\s+/g, " ").trim().slice(0, maxSnippet);
    return [{ title: (textOf(entry.title) ?? url).slice(0, 300), url, snippet }];
  });
