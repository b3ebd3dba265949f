import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import { redact } from "../../log/redact";
import { isObject, parseJson, textOf } from "../json";
import { type ProviderRefusal, readRetryAfter } from "./failure";

interface RefusedAnswer {
  status: number;
  statusText: string;
  headers: Headers;
  text: string;
}

const maxPlain = 500;

/** The refusal in an error response, whatever shape its body has; never the HTML of a web page. */
export function describeRefusal({ status, statusText, headers, text }: RefusedAnswer): ProviderRefusal {
  const answered = `The provider answered ${status}${statusText ? ` ${statusText}` : ""}`;
  const body = parseJson(text);
  const { message, code } = describeError(body);
  const headerRetryMs = readRetryAfter(headers, Date.now());
  if (message !== undefined) return { status, message, code, retryAfterMs: headerRetryMs ?? readRetryDelay(body) };
  const refusal = { status, retryAfterMs: headerRetryMs };
  const plain = text.trim();
  if (plain === "" || plain === "{}") return { ...refusal, message: `${answered} and gave no reason.` };
  if (/^<(?:!doctype|html|\?xml)/i.test(plain))
    return { ...refusal, message: `${answered} with a web page. Is the base URL right?` };
  return { ...refusal, message: `${answered}: ${plain.slice(0, maxPlain)}` };
}

/** The beginning of a refusal's words, for the records of a request that is sent in another form. */
export const quoteRefusal = ({ message }: Pick<ProviderRefusal, "message">): string =>
  `Its message: ${redact(message, []).slice(0, 300)}`;

/**
 * The words and the code of an error body: `{error: {message, code, type}}`, `{error: "…"}`, `{message}`,
 * `{object: "error", message}`, `{detail: "…"}` or `{detail: [{loc, msg}]}`, also without the outer `error`;
 * Google's `{error: {message, status}}`, also as the only item of a list.
 */
export function describeError(body: Json | undefined): { message?: string; code?: string } {
  if (typeof body === "string") return body === "" ? {} : { message: body };
  if (Array.isArray(body)) return body.length === 1 ? describeError(body[0]) : {};
  if (!isObject(body)) return {};
  if (isObject(body.error) || typeof body.error === "string") {
    const description = describeError(body.error);
    if (description.message !== undefined || description.code !== undefined) return description;
  }
  return {
    code: textOf(body.code) ?? textOf(body.type) ?? textOf(body.status),
    message: textOf(body.message) ?? describeDetail(body.detail),
  };
}

/**
 * The refusal in a body, or in an event of a stream, that came with status 200; null: it is no error. `error` or
 * `object: "error"` make one, and without an answer beside it FastAPI's `detail`; also as the only item of a list.
 */
export function toBodyRefusal(body: Json | undefined): ProviderRefusal | null {
  const value = Array.isArray(body) && body.length === 1 ? body[0] : body;
  if (!isObject(value)) return null;
  const isDetail = value.detail !== undefined && !answerKeys.some((key) => value[key] !== undefined);
  const isError = (value.error !== undefined && value.error !== null) || value.object === "error" || isDetail;
  if (!isError) return null;
  const { message = "The server reported an error without a reason.", code = "" } = describeError(value);
  const innerCode = isObject(value.error) ? value.error.code : value.code;
  const status = typeof innerCode === "number" && innerCode >= 400 && innerCode < 600 ? innerCode : 0;
  return { status, message, code };
}

/** Where the providers' answers have their content. */
const answerKeys = ["choices", "content", "candidates"];

/** FastAPI's form: a text, or a list of `{loc: [path], msg}`. */
function describeDetail(detail: Json | undefined): string | undefined {
  if (typeof detail === "string") return textOf(detail);
  if (!Array.isArray(detail)) return undefined;
  const lines = detail.filter(isObject).map((entry) => {
    const location = Array.isArray(entry.loc) ? entry.loc.join(".") : "";
    return location === "" ? String(entry.msg ?? "") : `${location}: ${String(entry.msg ?? "")}`;
  });
  return textOf(lines.join("; "));
}

/** The wait that Google asks for: `{error: {details: [{"@type": "…/google.rpc.RetryInfo", retryDelay: "1.5s"}]}}`. */
function readRetryDelay(body: Json | undefined): number | undefined {
  const outer = Array.isArray(body) ? body[0] : body;
  const error = isObject(outer) ? outer.error : undefined;
  const details = isObject(error) && Array.isArray(error.details) ? error.details.filter(isObject) : [];
  const delay = details.map((detail) => textOf(detail.retryDelay)).find((text) => text !== undefined);
  const seconds = /^(\d+(?:\.\d+)?)s$/.exec(delay ?? "")?.[1];
  return seconds === undefined ? undefined : Math.round(Number(seconds) * 1000);
}
