import { getEditing } from "./editing/editing";
import type { SaveWire } from "./save/autosave-driver";

/** Saves on the server. Nothing is saved before it can be changed. */
export const serverWire: SaveWire = {
  save: (request) => getEditing().requestSave(request),
  current: (flowId) => getEditing().requestCurrent(flowId),
};
