import * as Y from "yjs";

const addTo = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
const seed = 0x811c9dc5;

/** A 32-bit hash of everything that a document has received, deletions included: equal for equal documents. */
export function toDigest(doc: Y.Doc): number {
  const state = Y.encodeSnapshot(Y.snapshot(doc));
  let hash = seed;
  for (const byte of state) hash = addTo(hash, byte);
  return hash >>> 0;
}

/**
 * A 32-bit hash of what is in a document. Documents that received the same have the same content, unless someone wrote with the
 * id of someone else.
 */
export const toContentDigest = (doc: Y.Doc): number => hashTexts(listTypes(doc.share));

function hashTexts(texts: Iterable<string>): number {
  let hash = seed;
  for (const text of texts)
    for (let index = 0; index < text.length; index++) hash = addTo(hash, text.charCodeAt(index));
  return hash >>> 0;
}

/** A plain value as a text. Yjs stores numbers that JSON cannot write. */
export const printPlain = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? `${inner}n` : inner)) ?? "";

/** Hashes of stored values, which never change. */
const hashes = new WeakMap<object, string>();

function printValue(value: unknown): string {
  if (typeof value !== "object" || value === null) return `${printPlain(value)}\u0004`;
  const hash = hashes.get(value) ?? `#${hashTexts([printPlain(value)])}\u0004`;
  hashes.set(value, hash);
  return hash;
}

type SharedType = Y.ContentType["type"];

/** The content of types as texts, in an order that is the same for all. Empty types are left out: reading creates them. */
function* listTypes(types: ReadonlyMap<string, SharedType>): Generator<string> {
  for (const [name, type] of [...types].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    let isEmpty = true;
    for (const text of listContent(type)) {
      if (isEmpty) yield `\u0000${name}\u0000`;
      isEmpty = false;
      yield text;
    }
  }
}

function* listContent(type: SharedType): Generator<string> {
  for (let item = type._start; item; item = item.right) if (!item.deleted) yield* listItem(item);
  const entries = [...type._map].filter(([, { deleted }]) => !deleted);
  for (const [key, item] of entries.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    yield `\u0001${key}\u0001`;
    yield* listItem(item);
  }
}

/** How an insertion is divided into items differs between documents. */
function* listItem({ content }: Y.Item): Generator<string> {
  if (content instanceof Y.ContentString) yield content.str;
  else if (content instanceof Y.ContentType) {
    yield "\u0002";
    yield* listContent(content.type);
    yield "\u0003";
  } else if (content instanceof Y.ContentAny) yield* content.arr.map(printValue);
}

/** Whether a document with the state vector `vector` lacks something that one with the state vector `other` has. */
export function lacksOf(vector: Uint8Array, other: Uint8Array): boolean {
  const clocks = Y.decodeStateVector(vector);
  return [...Y.decodeStateVector(other)].some(([client, clock]) => (clocks.get(client) ?? 0) < clock);
}
