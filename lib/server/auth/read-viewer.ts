import "server-only";
import { requireLocalViewer } from "./local";
import type { Viewer } from "./viewer";

/** The user making a request. Throws AppError: `forbidden` for a request from elsewhere, `unauthorized` for an unknown user. */
export async function requireViewer(headers: Headers): Promise<Viewer> {
  return requireLocalViewer(headers);
}
