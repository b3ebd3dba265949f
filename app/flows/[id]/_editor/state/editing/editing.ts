import { loadPart } from "@/app/_ui/loading/load-part";
import type { FlowReading, SourceDocument } from "@/lib/core/source/read/source-document";

type EditingParts = typeof import("./editing-parts");

let loaded: EditingParts | null = null;
let loading: Promise<EditingParts> | null = null;

/** Loads what reads, changes and saves flow texts. It is larger than what draws a flow, which the server has read. */
export function loadEditing(): Promise<EditingParts> {
  loading ??= loadPart(() => import("./editing-parts")).then((parts) => {
    loaded = parts;
    return parts;
  });
  return loading;
}

export const isEditingLoaded = (): boolean => loaded !== null;

/** Throws until `loadEditing` is done: what users do before that waits (`holdInput`). */
export function getEditing(): EditingParts {
  if (!loaded) throw new Error("What changes a flow is not loaded yet");
  return loaded;
}

/** At once where possible, else as soon as flows can be changed. */
export function whenEditable(act: () => void): void {
  if (loaded) act();
  else void loadEditing().then(act);
}

/** A part of the page in which the flow is changed. */
export const loadEditingPart = <T>(load: () => Promise<T>): Promise<T> =>
  Promise.all([loadPart(load), loadEditing()]).then(([part]) => part);

/** With the places of everything that was read. */
export const toDocument = (reading: FlowReading): SourceDocument => getEditing().toSourceDocument(reading);
