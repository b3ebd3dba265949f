import "server-only";
import * as Y from "yjs";
import { readLayout, readText, seedDocument } from "@/lib/core/live/live-document";
import { mapsOfNotes } from "@/lib/core/live/noted-letters";

/** How deep the types of a document are in one another. A note, which holds its text, is two below the document. */
export const maxTypeDepth = 4;
export const tooDeep = "The update has values inside values that no flow has.";

/** Whether the document has received changes of something that it has not received. */
export const isWaiting = ({ store }: Y.Doc): boolean => store.pendingStructs !== null || store.pendingDs !== null;

/** Forgets those changes. Their sender has to send them again, with what they are changes of. */
export function dropWaiting({ store }: Y.Doc): void {
  store.pendingStructs = null;
  store.pendingDs = null;
}

/** What a document with this state vector lacks, without changes that wait for others: those would be gaps elsewhere. */
export function encodeReceived(doc: Y.Doc, vector?: Uint8Array): Uint8Array {
  const { store } = doc;
  const { pendingStructs, pendingDs } = store;
  dropWaiting(doc);
  try {
    return Y.encodeStateAsUpdate(doc, vector);
  } finally {
    store.pendingStructs = pendingStructs;
    store.pendingDs = pendingDs;
  }
}

/** Whether the types of a document are in one another deeper than a flow's. */
function isTooDeep(doc: Y.Doc): boolean {
  let level = [...doc.share.values()];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxTypeDepth) return true;
    level = level.flatMap(listInnerTypes);
  }
  return false;
}

type SharedType = Y.ContentType["type"];

function listInnerTypes(type: SharedType): SharedType[] {
  const inner: SharedType[] = [];
  const add = (item: Y.Item): void => {
    if (!item.deleted && item.content instanceof Y.ContentType) inner.push(item.content.type);
  };
  for (const item of type._map.values()) add(item);
  for (let item = type._start; item; item = item.right) add(item);
  return inner;
}

/** The insertions that a document consists of, deleted ones included. Work with the whole document grows with them. */
export const countItems = ({ store }: Y.Doc): number =>
  [...store.clients.values()].reduce((sum, { length }) => sum + length, 0);

/** Every update takes time in proportion to the clients that the document has changes of. */
export const countClients = ({ store }: Y.Doc): number => store.clients.size;

/** The most keys that one map of a document has, deleted ones included. */
const countKeys = (doc: Y.Doc): number => Math.max(0, ...[...doc.share.values()].map((type) => type._map.size));

/** Maps of which editors keep few entries, and which are read as a whole. */
export const limitedMaps = ["notes", "members", ...mapsOfNotes] as const;

/** The entries of a map of a document that are not deleted. */
export const countEntries = ({ share }: Y.Doc, name: string): number =>
  [...(share.get(name)?._map.values() ?? [])].filter(({ deleted }) => !deleted).length;

/**
 * A document takes no changes above these. Reading, comparing and sending it takes about 0.1 s at so many insertions, and each
 * update about 2 ms at so many clients. A client is an open tab, or one insertion that several editors made. `entries`: of each
 * limited map.
 */
export const documentLimits = { items: 40_000, keys: 20_000, clients: 3_000, entries: 1_000 } as const;
/** The clients that one update may add to a document. */
export const maxAddedClients = 1_000;
/**
 * Items that Yjs compares with others, which are wanted for one place: while it merges one update, and all updates of a
 * document. A document begins anew above `watched` when it is opened, and also without its unsaved changes above `atOpening`.
 * 100,000 take about 0.1 s.
 */
export const stepLimits = { update: 60_000, document: 150_000, watched: 30_000, atOpening: 600_000 } as const;
/** Above one of these a document is asked how much of it is its past. */
const watchedCounts = { items: 30_000, keys: 15_000 } as const;
/** A document begins anew above these: with the same content and no past it has one client, and notes only. */
const pastLimits = { clients: 1_000, entries: 500 } as const;
/** So many insertions of the past are a reason to begin anew. */
const minPastItems = 5_000;

/** Whether a document soon takes no more changes, and one with the same content and no past takes many. */
export function isOvergrown(doc: Y.Doc): boolean {
  if (countClients(doc) > pastLimits.clients) return true;
  if (limitedMaps.some((name) => countEntries(doc, name) > pastLimits.entries)) return true;
  if (countItems(doc) <= watchedCounts.items && countKeys(doc) <= watchedCounts.keys) return false;
  const next = new Y.Doc();
  Y.applyUpdate(next, seedDocument({ source: readText(doc), layout: readLayout(doc) }));
  return countItems(doc) - countItems(next) >= minPastItems;
}

/** Throws an error where the content of a document cannot be read. */
export function assertReadable(doc: Y.Doc): void {
  if (isTooDeep(doc)) throw new Error(tooDeep);
  readText(doc);
  readLayout(doc);
}
