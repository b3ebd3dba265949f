import "server-only";
import type { Json } from "@/lib/core/flow/flow";

const statuses = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  unreadable: 500,
  unavailable: 503,
} as const;

export type AppErrorCode = keyof typeof statuses;

/** A request that is refused: to be corrected by the caller, or (`unavailable`, `unreadable`) by the operator. The message names what was expected, what was found, and what to do. */
export class AppError extends Error {
  override name = "AppError";
  constructor(
    readonly code: AppErrorCode,
    message: string,
    readonly details?: Json,
    /** In how many seconds it may succeed. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** The HTTP status of an error. */
export const statusOf = ({ code }: AppError): number => statuses[code];

/** `{error: {code, message, details?}}` with the code's HTTP status. */
export function toErrorResponse(error: AppError): Response {
  const { code, message, details, retryAfter } = error;
  const headers = {
    ...(code === "unauthorized" && { "www-authenticate": "Bearer" }),
    ...(retryAfter !== undefined && { "retry-after": String(retryAfter) }),
  };
  return Response.json(
    { error: { code, message, ...(details === undefined ? {} : { details }) } },
    { status: statusOf(error), headers },
  );
}
