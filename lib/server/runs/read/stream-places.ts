import "server-only";
import { AppError } from "../../app-error";
import type { Viewer } from "../../auth/viewer";

/** Event streams of one person, or one API key, that are open in a process at the same time. */
const maxStreamsOfViewer = 200;
/** Those of one address, where a viewer stands for all visitors of a link. */
const maxStreamsOfAddress = 10;
/** After how many seconds a refused stream may be opened. */
const retrySeconds = 5;

declare global {
  /** Open streams by viewer, and by viewer and address. Global because the bundles of a process share it. */
  var swarmloomStreams: Map<string, number> | undefined;
}

/**
 * Takes the place of one stream of a viewer, and of one of its addresses if that is given. Returns what frees it, which may be
 * called repeatedly. Throws AppError `rate_limited` where as many streams are open as there may be.
 */
export function takeStreamPlace({ id }: Pick<Viewer, "id">, address?: string): () => void {
  const freeAddress = address === undefined ? null : takePlace(`${id} at ${address}`, maxStreamsOfAddress);
  try {
    const freeViewer = takePlace(id, maxStreamsOfViewer);
    return () => {
      freeAddress?.();
      freeViewer();
    };
  } catch (error) {
    freeAddress?.();
    throw error;
  }
}

function takePlace(key: string, max: number): () => void {
  globalThis.swarmloomStreams ??= new Map();
  const counts = globalThis.swarmloomStreams;
  const count = counts.get(key) ?? 0;
  if (count >= max)
    throw new AppError(
      "rate_limited",
      `You have ${max} event streams of runs open, which is the most. Close some of them, and try again.`,
      undefined,
      retrySeconds,
    );
  counts.set(key, count + 1);
  let isFree = false;
  return () => {
    if (isFree) return;
    isFree = true;
    const rest = (counts.get(key) ?? 1) - 1;
    if (rest > 0) counts.set(key, rest);
    else counts.delete(key);
  };
}
