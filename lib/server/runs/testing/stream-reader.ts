import "server-only";
import type { Viewer } from "../../auth/viewer";
import type { StreamReader } from "../read/event-stream";

/** A reader of streams whose roles do not change. */
export const toReader = (viewer: Viewer, signal: AbortSignal = new AbortController().signal): StreamReader => ({
  viewer,
  reload: async () => viewer,
  request: { signal },
});
