import "server-only";
import { AppError } from "../../app-error";
import type { Viewer } from "../../auth/viewer";

/** Event streams of one person, or one API key, that are open in a process at the same time. */
const maxStreamsOfViewer = 200;
/** After how many seconds a refused stream may be opened. */
const retrySeconds = 5;

declare global {
  /** Open streams by viewer. Global because the bundles of a process share it. */
  var swarmloomStreams: Map<string, number> | undefined;
}

/**
 * Takes the place of one stream of a viewer. Returns what frees it, which may be called repeatedly. Throws AppError
 * `rate_limited` where the viewer has as many open streams as there may be.
 */
export function takeStreamPlace({ id }: Pick<Viewer, "id">): () => void {
  globalThis.swarmloomStreams ??= new Map();
  const counts = globalThis.swarmloomStreams;
  const count = counts.get(id) ?? 0;
  if (count >= maxStreamsOfViewer)
    throw new AppError(
      "rate_limited",
      `You have ${maxStreamsOfViewer} event streams of runs open, which is the most. Close some of them, and try again.`,
      undefined,
      retrySeconds,
    );
  counts.set(id, count + 1);
  let isFree = false;
  return () => {
    if (isFree) return;
    isFree = true;
    const rest = (counts.get(id) ?? 1) - 1;
    if (rest > 0) counts.set(id, rest);
    else counts.delete(id);
  };
}
