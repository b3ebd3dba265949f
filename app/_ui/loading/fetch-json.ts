import type { Json } from "@/lib/core/flow/flow";
import { isJsonObject, parseJson } from "@/lib/core/flow/parse-json";

export class RequestError extends Error {
  override name = "RequestError";
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly details?: Json,
  ) {
    super(message);
  }
}

interface ApiRequest extends Omit<RequestInit, "body" | "headers"> {
  json?: unknown;
}

/**
 * Requests JSON from this app's API, of the shape that `schema` describes.
 * Throws RequestError with the API's code and message for any other answer; an abort is rethrown.
 */
export async function fetchJson<T>(url: string, schema: { parse(value: unknown): T }, init?: ApiRequest): Promise<T> {
  const text = await fetchText(url, init);
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    const message = "The server's answer has an unexpected format. Its version may have changed: reload the page.";
    throw new RequestError("unexpected_answer", message, 200);
  }
}

/** The text of an answer of the API. Throws as `fetchJson` does. */
export async function fetchText(url: string, { json, ...init }: ApiRequest = {}): Promise<string> {
  const content =
    json === undefined
      ? { headers: teamHeaders() }
      : {
          method: "POST",
          body: JSON.stringify(json),
          headers: { "content-type": "application/json", ...teamHeaders() },
        };
  const response = await fetch(url, { ...content, ...init }).catch((error: unknown) => {
    if (error instanceof Error && error.name === "AbortError") throw error;
    throw new RequestError("network", "The server cannot be reached. Is it still running? Then try again.", 0);
  });
  const text = await response.text();
  if (!response.ok) throw toRequestError(response.status, text);
  return text;
}

/** Names the team that the page shows, for a user of several. A tab keeps its team while another one changes to another. */
function teamHeaders(): Record<string, string> {
  const team = globalThis.document?.documentElement.dataset.team;
  return team === undefined ? {} : { "swarmloom-team": team };
}

/** What a request that creates something answers. Read by hand: pages that need no other schema load no library for it. */
export const createdSchema = {
  parse(value: unknown): { id: string } {
    if (typeof value === "object" && value !== null && "id" in value && typeof value.id === "string")
      return { id: value.id };
    throw new Error("expected an object with a text `id`");
  },
};

export function toRequestError(status: number, text: string): RequestError {
  const error = readError(text);
  if (error) return new RequestError(error.code, error.message, status, error.details);
  return new RequestError(
    "internal",
    `The server answered with status ${status}. See its log, then try again.`,
    status,
  );
}

function readError(text: string): { code: string; message: string; details: Json | undefined } | null {
  const body = parseJson(text);
  const error = isJsonObject(body) ? body.error : undefined;
  if (!isJsonObject(error) || typeof error.code !== "string" || typeof error.message !== "string") return null;
  return { code: error.code, message: error.message, details: error.details };
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : "Something went wrong. Try again.";
