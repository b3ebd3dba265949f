import * as Y from "yjs";
import * as z from "zod/mini";
import { listLatest, noteInMap } from "./note-in-map";
import { isOwnClient } from "./own-clients";
import { printId } from "./written-parts";

const restoredSchema = z.object({
  /** As it is told: "the version First draft". */
  version: z.string(),
});

/** Versions that someone restored, by the ids of their notes. */
const restoredOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("restored-versions");

const maxRestored = 20;
const maxLength = 200;

/** Notes for the others that everything is as it was in a version from now on. */
export function noteRestoredVersion(doc: Y.Doc, version: string): void {
  const { clientID: client, store } = doc;
  const key = printId({ client, clock: Y.getState(store, client) });
  noteInMap(restoredOf(doc), maxRestored, new Map([[key, { version: version.slice(0, maxLength) }]]));
}

/** What others restored, with the document that did. `known`: how much of each document is left out. */
export const listRestoredVersions = (
  doc: Y.Doc,
  known: ReadonlyMap<number, number>,
): { version: string; by: number }[] =>
  listLatest(restoredOf(doc), maxRestored).flatMap(([key, value]) => {
    const id = restoredOf(doc)._map.get(key)?.id;
    const { data } = restoredSchema.safeParse(value);
    if (!id || !data || isOwnClient(doc, id.client) || id.clock < (known.get(id.client) ?? 0)) return [];
    return [{ version: data.version.slice(0, maxLength), by: id.client }];
  });
