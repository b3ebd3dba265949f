import "server-only";
import type * as Y from "yjs";

/**
 * Applies an update of an editor and takes names out that it has no right to: an editor names the author of its own document
 * only, and with the name of its user. A name that is there stays.
 */
export function applyWithNames<T>(doc: Y.Doc, userName: string, apply: () => T): T {
  const authors = doc.getMap("authors");
  /** By document: the name that was there before; undefined: none. */
  const changed = new Map<string, unknown>();
  const collect = ({ changes: { keys } }: Y.YMapEvent<unknown>): void => {
    for (const [key, { oldValue }] of keys) changed.set(key, oldValue);
  };
  authors.observe(collect);
  try {
    return apply();
  } finally {
    authors.unobserve(collect);
    const isOwn = (key: string): boolean =>
      authors.get(key) === userName && authors._map.get(key)?.id.client === Number(key);
    const wrong = [...changed].filter(([key, before]) =>
      before === undefined ? authors.has(key) && !isOwn(key) : authors.get(key) !== before,
    );
    if (wrong.length > 0)
      doc.transact(() => {
        for (const [key, before] of wrong)
          if (before === undefined) authors.delete(key);
          else authors.set(key, before);
      });
  }
}
