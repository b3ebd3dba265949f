import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { Refusal } from "./failure";
import { isObject, parseJson, textOf } from "./json";

interface RefusedAnswer {
  status: number;
  statusText: string;
  headers: Headers;
  text: string;
}

const maxPlain = 500;

/** What a refusing answer says, whatever shape its body has; never the HTML of a web page. */
export function describeRefusal({ status, statusText, headers, text }: RefusedAnswer): Refusal {
  const answered = `The provider answered ${status}${statusText ? ` ${statusText}` : ""}`;
  const { message, code } = describeError(parseJson(text));
  const plain = text.trim();
  if (message !== undefined) return { status, headers, message, ...(code !== undefined && { code }) };
  if (plain === "" || plain === "{}") return { status, headers, message: `${answered} and gave no reason.` };
  if (/^<(?:!doctype|html|\?xml)/i.test(plain))
    return { status, headers, message: `${answered} with a web page. Is the base URL right?` };
  return { status, headers, message: `${answered}: ${plain.slice(0, maxPlain)}` };
}

/**
 * The words and the code of an error body: `{error: {message, code, type}}`, `{error: "…"}`, `{message}`,
 * `{object: "error", message}`, `{detail: "…"}` or `{detail: [{loc, msg}]}`, also without the outer `error`.
 */
export function describeError(body: Json | undefined): { message?: string; code?: string } {
  if (typeof body === "string") return body === "" ? {} : { message: body };
  if (!isObject(body)) return {};
  if (isObject(body.error) || typeof body.error === "string") {
    const inner = describeError(body.error);
    if (inner.message !== undefined || inner.code !== undefined) return inner;
  }
  const code = textOf(body.code) ?? textOf(body.type);
  const message = textOf(body.message) ?? describeDetail(body.detail);
  return { ...(message !== undefined && { message }), ...(code !== undefined && { code }) };
}

/** FastAPI's form: a text, or a list of `{loc: [path], msg}`. */
function describeDetail(detail: Json | undefined): string | undefined {
  if (typeof detail === "string") return textOf(detail);
  if (!Array.isArray(detail)) return undefined;
  const lines = detail.filter(isObject).map((one) => {
    const place = Array.isArray(one.loc) ? one.loc.join(".") : "";
    return place === "" ? String(one.msg ?? "") : `${place}: ${String(one.msg ?? "")}`;
  });
  return textOf(lines.join("; "));
}
