import "server-only";
import type * as Y from "yjs";

/**
 * Applies an update of an editor and takes names out that it has no right to: an editor names the author of its own document
 * only, and with the name of its user.
 */
export function applyWithNames<T>(doc: Y.Doc, userName: string, apply: () => T): T {
  const authors = doc.getMap("authors");
  const changed = new Set<string>();
  const collect = ({ keysChanged }: Y.YMapEvent<unknown>): void => {
    for (const key of keysChanged) changed.add(key);
  };
  authors.observe(collect);
  try {
    return apply();
  } finally {
    authors.unobserve(collect);
    const isOwn = (key: string): boolean =>
      authors.get(key) === userName && authors._map.get(key)?.id.client === Number(key);
    const foreign = [...changed].filter((key) => authors.has(key) && !isOwn(key));
    if (foreign.length > 0)
      doc.transact(() => {
        for (const key of foreign) authors.delete(key);
      });
  }
}
