import "server-only";
import { requireViewer } from "../accounts/read-viewer";
import type { Viewer } from "../auth/viewer";
import { asLoopWork } from "../metrics/loop-holds";
import { startServices } from "../start";

/**
 * The viewer of a request to a page or a route; the first admitted request of a process starts the services. Throws
 * AppError when the request is refused.
 */
export async function admitRequest(headers: Headers): Promise<Viewer> {
  const viewer = await requireViewer(headers);
  beginServices();
  return viewer;
}

/** Starts the services where they have not started. A request that needs the database gets the error of a failed start from `getDb`. */
export function beginServices(): void {
  asLoopWork({ route: "services" }, () => startServices().catch(() => undefined));
}
