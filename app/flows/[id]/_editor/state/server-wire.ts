import { getEditing } from "./editing/editing";
import type { SaveWire } from "./save/autosave-driver";

/** Saves on the server. Nothing is saved before it can be changed. */
export const serverWire: SaveWire = {
  save: (request) => getEditing().requestSave(request),
  current: (flowId) => getEditing().requestCurrent(flowId),
  later: (flowId, base) => getEditing().requestLater(flowId, base),
};

/** For users who may not change the flow: whatever happens in their page, nothing of it is saved. */
export const readingWire: SaveWire = {
  save: async () => ({ type: "failed", message: "You may read this flow, not change it.", retryable: false }),
  current: serverWire.current,
};
