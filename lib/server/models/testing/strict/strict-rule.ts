import "server-only";
import type { JsonObject } from "../../json";

/** A request as it arrived at a service. */
export interface ReceivedRequest {
  model: string;
  body: JsonObject;
}

/** Why a service refuses a request, in its own words. */
export interface Refusal {
  message: string;
  /** HTTP; missing: 400. */
  status?: number;
  code?: string;
  /** The field of the body. */
  param?: string;
}

/** A refusal that names the field of the body, as OpenAI writes it. */
export const toRefusal = (message: string, param: string, code?: string): Refusal => ({
  message,
  param,
  ...(code && { code }),
});

/** One thing that a service refuses. */
export interface StrictRule {
  /** Unique among all services: `openai/temperature`. */
  id: string;
  /** The models that it holds for; missing: all of the service. */
  models?: RegExp;
  /** What is refused, in Markdown, for the table in the docs. */
  refused: string;
  /** Where it is documented or was reported: a page, or an issue as `owner/repository#number`. */
  source: string;
  /** The month in which it was last seen to hold: `2026-08`. */
  seen: string;
  /** Null: the request is taken. A text is the message of a refusal. */
  find(request: ReceivedRequest): Refusal | string | null;
}

/** The first rule that a request breaks, with the refusal. Null: the request is taken. */
export function findBroken(
  rules: readonly StrictRule[],
  request: ReceivedRequest,
): { rule: StrictRule; refusal: Refusal } | null {
  for (const rule of rules) {
    if (rule.models && !rule.models.test(request.model)) continue;
    const found = rule.find(request);
    if (found !== null) return { rule, refusal: typeof found === "string" ? { message: found } : found };
  }
  return null;
}
