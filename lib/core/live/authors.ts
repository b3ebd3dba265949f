import type * as Y from "yjs";
import type { TextRange } from "../flow/text-range";
import { isShared } from "./shared-text";

/** Who wrote with which document, by its id. */
const authorsOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("authors");

/** Says whose this document is, where that is known. */
export function signDocument(doc: Y.Doc, name: string | undefined): void {
  if (!name) return;
  const id = String(doc.clientID);
  if (authorsOf(doc).get(id) !== name) authorsOf(doc).set(id, name);
}

/** Null: the document did not say whose it is. */
export function findAuthor(doc: Y.Doc, client: number): string | null {
  const name = authorsOf(doc).get(String(client));
  return typeof name === "string" ? name.slice(0, 100) : null;
}

/** Everyone who ever wrote in a document and said so, each once. */
export const listAuthors = (doc: Y.Doc): string[] => [
  ...new Set([...authorsOf(doc).values()].filter((name) => typeof name === "string")),
];

/** The documents with which a range of the text was written, each once. `known`: how much of each document is left out. */
export function listWritersIn(
  doc: Y.Doc,
  { from: start, to: end }: TextRange,
  known: ReadonlyMap<number, number>,
): number[] {
  const writers = new Set<number>();
  let offset = 0;
  for (let item = doc.getText("source")._start; item && offset < end; item = item.right) {
    if (item.deleted || !item.countable) continue;
    offset += item.length;
    const isNew = item.id.clock + item.length > (known.get(item.id.client) ?? 0);
    if (offset > start && isNew && !isShared(item.id)) writers.add(item.id.client);
  }
  return [...writers];
}
