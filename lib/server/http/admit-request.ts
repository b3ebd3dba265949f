import "server-only";
import { requireViewer } from "../auth/local";
import type { Viewer } from "../auth/viewer";
import { startServices } from "../start";

/**
 * The viewer of a request to a page or a route; the first admitted request of a process starts the services. Throws
 * AppError when the request is refused.
 */
export function admitRequest(headers: Headers): Viewer {
  const viewer = requireViewer(headers);
  // A request that needs the database gets the error of a failed start from `getDb`.
  startServices().catch(() => undefined);
  return viewer;
}
