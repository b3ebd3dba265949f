import "server-only";
import { createHash } from "node:crypto";

/** A UUID that is the same for the same cause, so that one cause starts one run however often it is handled. */
export function deriveRunId(cause: string): string {
  const hex = createHash("sha256").update(cause).digest("hex");
  // Version 8: of the application's own making (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
