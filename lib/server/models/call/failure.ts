import "server-only";
import type { ModelErrorClass } from "@/lib/core/run/events/run-errors";
import type { ModelFailure } from "@/lib/core/run/ports/model";

export const cancelled: ModelFailure = { class: "cancelled", message: "The call was cancelled." };

/** What is known of a refused call. */
export interface ProviderRefusal {
  status: number;
  /** The provider's message. */
  message: string;
  /** The provider's own code or type for it. */
  code?: string;
  /** How long to wait before the next try, where the answer declares it. */
  retryAfterMs?: number;
}

/** A provider's refusal inside a stream, or an answer that cannot be used. */
export class CallRefused extends Error {
  override name = "CallRefused";
  constructor(readonly refusal: ProviderRefusal) {
    super(refusal.message);
  }
}

/** For an answer that is of no use, after which another try may succeed. */
export const toServerError = (message: string): CallRefused =>
  new CallRefused({ status: 0, code: "server_error", message });

export const createCutAnswerError = (): CallRefused => toServerError("The answer stopped before its end.");

/** Messages for a prompt that is too long: OpenAI, Anthropic, Google, llama.cpp, vLLM, Ollama, LM Studio, gateways. */
const contextPattern =
  /context[ _-]?(?:length|window|size)|exceed_context_size|maximum context|prompt is too long|input is too long|too many (?:input )?tokens|(?:input|prompt) (?:tokens?|length).{0,40}exceed|exceeds? the (?:available|maximum) (?:context|number of tokens)|string_above_max_length|n_ctx|request_too_large/i;

/** Google answers 400 for a bad key, not 401. */
const keyPattern = /\bapi[ _]key (?:is )?(?:not valid|not found|invalid|expired)/i;

/** Waiting does not help. Google calls its limits per minute a quota, too: those have no such code. */
const quotaPattern =
  /insufficient_quota|billing_hard_limit|credit balance is too low|insufficient[_ ](?:balance|credits?|funds)/i;

const classes = new Map<number, ModelErrorClass>([
  [401, "auth"],
  [402, "quota"],
  [403, "auth"],
  [404, "not-found"],
  [408, "timeout"],
  [409, "rate-limit"],
  [429, "rate-limit"],
  [504, "timeout"],
]);

/** Why a provider refused, told by its status and its words. */
export function classify({ status, message, code = "" }: ProviderRefusal): ModelErrorClass {
  const isBadRequest = status === 400 || status === 413 || status === 422 || status >= 500 || status === 0;
  if (isBadRequest && contextPattern.test(`${code} ${message}`)) return "context-length";
  if (status === 400 && keyPattern.test(message)) return "auth";
  if (quotaPattern.test(`${code} ${message}`)) return "quota";
  const knownClass = classes.get(status);
  if (knownClass) return knownClass;
  if (status >= 500) return "server";
  return status >= 400 ? "invalid-request" : classifyCode(code);
}

/** Errors that come inside a stream have no status of their own, only a code. */
function classifyCode(code: string): ModelErrorClass {
  if (/rate_limit|too_many|quota/i.test(code)) return "rate-limit";
  if (/overloaded|server|api_error|internal|unavailable/i.test(code)) return "server";
  if (/auth|permission|api_key/i.test(code)) return "auth";
  if (/not_found/i.test(code)) return "not-found";
  if (/timeout/i.test(code)) return "timeout";
  return /invalid/i.test(code) ? "invalid-request" : "server";
}

const maxMessage = 1000;

export const toRefusalFailure = (refusal: ProviderRefusal): ModelFailure => ({
  class: classify(refusal),
  message: refusal.message.slice(0, maxMessage),
  ...(refusal.status > 0 && { status: refusal.status }),
  ...(refusal.retryAfterMs !== undefined && { retryAfterMs: refusal.retryAfterMs }),
});

/** What `Retry-After` (seconds or a date, RFC 9110 section 10.2.3) or `retry-after-ms` asks for, in milliseconds. */
export function readRetryAfter(headers: Headers, now: number): number | undefined {
  const inMs = Number(headers.get("retry-after-ms") || Number.NaN);
  if (Number.isFinite(inMs) && inMs >= 0) return Math.round(inMs);
  const text = headers.get("retry-after")?.trim();
  if (!text) return undefined;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return seconds >= 0 ? Math.round(seconds * 1000) : undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const codeOf = (error: Error): string => ("code" in error && typeof error.code === "string" ? error.code : "");

/** The innermost cause: fetch wraps the socket's error. */
function rootOf(error: Error): Error {
  let root = error;
  for (let step = 0; step < 5; step++) {
    const cause = root instanceof AggregateError ? root.errors[0] : root.cause;
    if (!(cause instanceof Error)) break;
    root = cause;
  }
  return root;
}

const connectionPattern =
  /^(?:ECONN|ENOTFOUND|EAI_|EPIPE|EHOST|ENET|ETIMEDOUT|ERR_SSL|ERR_TLS|CERT_|DEPTH_ZERO|SELF_SIGNED|UND_ERR_|UNABLE_TO)|fetch failed|terminated|socket|network|connection error|premature close|other side closed/i;

/** A failure for something thrown that is no answer of a provider: a broken connection, or else a bug. */
export function toThrownFailure(error: unknown): ModelFailure {
  if (!(error instanceof Error)) return { class: "unknown", message: String(error).slice(0, maxMessage) };
  const root = rootOf(error);
  const reason = root.message === "" ? codeOf(root) || error.message : root.message;
  const isTimeout = /timeout/i.test(`${codeOf(root)} ${error.name}`) || codeOf(root) === "ETIMEDOUT";
  const isNetwork = [codeOf(root), root.message, error.message].some((text) => connectionPattern.test(text));
  if (!isTimeout && !isNetwork) return { class: "unknown", message: reason.slice(0, maxMessage) };
  return {
    class: isTimeout ? "timeout" : "network",
    message: `The connection to the provider failed: ${reason.slice(0, maxMessage)}`,
    ...(isUnmade(root) && { isUnsent: true }),
  };
}

/** Whether a connection failed before it was made: its name, its address or its certificate. */
const isUnmade = (root: Error): boolean =>
  ("syscall" in root && (root.syscall === "connect" || root.syscall === "getaddrinfo")) ||
  /^(?:UND_ERR_CONNECT_TIMEOUT|ERR_TLS_CERT|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(codeOf(root));
