import type * as Y from "yjs";

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
