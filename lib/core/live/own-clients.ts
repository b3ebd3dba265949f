import type * as Y from "yjs";

/** The documents of which these are continuations, by their ids. */
const earlierClients = new WeakMap<Y.Doc, Set<number>>();

/** Makes what an earlier document wrote this document's own: a user goes on with it after a reload. */
export function addOwnClient(doc: Y.Doc, client: number): void {
  const clients = earlierClients.get(doc) ?? new Set();
  earlierClients.set(doc, clients.add(client));
}

/** Whether this document, or one that it continues, has that id. */
export const isOwnClient = (doc: Y.Doc, client: number): boolean =>
  client === doc.clientID || earlierClients.get(doc)?.has(client) === true;
