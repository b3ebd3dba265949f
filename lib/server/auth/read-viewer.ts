import "server-only";
import { readKeySecret, requireKeyViewer } from "./api-keys";
import { assertLocal, requireLocalViewer } from "./local";
import type { Viewer } from "./viewer";

/** The user making a request, or the API key. Throws AppError: `forbidden` for a request from elsewhere, `unauthorized` for an unknown user. */
export async function requireViewer(headers: Headers): Promise<Viewer> {
  const secret = readKeySecret(headers);
  if (secret === null) return requireLocalViewer(headers);
  assertLocal(headers);
  return requireKeyViewer(secret);
}
