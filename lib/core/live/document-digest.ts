import * as Y from "yjs";

/** A 32-bit hash of everything that a document has received, deletions included: equal for equal documents. */
export function toDigest(doc: Y.Doc): number {
  const state = Y.encodeSnapshot(Y.snapshot(doc));
  let hash = 0x811c9dc5;
  for (const byte of state) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Whether a document with the state vector `vector` lacks something that one with the state vector `other` has. */
export function lacksOf(vector: Uint8Array, other: Uint8Array): boolean {
  const clocks = Y.decodeStateVector(vector);
  return [...Y.decodeStateVector(other)].some(([client, clock]) => (clocks.get(client) ?? 0) < clock);
}
