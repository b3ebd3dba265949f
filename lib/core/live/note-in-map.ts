import type * as Y from "yjs";

const numbersOf = (map: Y.Map<unknown>): Map<string, number> =>
  new Map([...map].map(([key, value]) => [key, readNumber(value)]));

function readNumber(value: unknown): number {
  const number = typeof value === "object" && value !== null && "number" in value ? value.number : 0;
  return typeof number === "number" ? number : 0;
}

/**
 * Notes something in a map of a document, of which the latest `max` notes stay: of the earliest ones no message is on its way
 * any more. The order of a map's keys says nothing about that once it was received from several people.
 */
export function noteInMap(map: Y.Map<unknown>, max: number, notes: ReadonlyMap<string, object>): void {
  if (notes.size === 0) return;
  const numbers = numbersOf(map);
  const number = Math.max(0, ...numbers.values()) + 1;
  for (const [key, note] of notes) map.set(key, { ...note, number });
  const numberOf = (key: string): number => (notes.has(key) ? number : (numbers.get(key) ?? 0));
  const keys = [...map.keys()].toSorted((a, b) => numberOf(a) - numberOf(b));
  for (const key of keys.slice(0, Math.max(0, keys.length - max))) map.delete(key);
}

/** Maximum number of characters of a key. Longer ones are ignored: no editor writes them, and reading them takes long. */
export const maxKeyLength = 4_000;

/** How much is read of a map of notes: values of which the sizes make no more than `max` together. */
interface ReadingLimit {
  max: number;
  measure(value: unknown): number;
}

/** The latest `max` entries of a map of notes, in the order of the map: the same in every document that has the same. */
export function listLatest(map: Y.Map<unknown>, max: number, sizes?: ReadingLimit): [string, unknown][] {
  const entries = [...map].filter(([key]) => key.length <= maxKeyLength);
  if (entries.length <= max && !sizes) return entries;
  const numbers = numbersOf(map);
  const numberOf = (key: string): number => numbers.get(key) ?? 0;
  const sorted = entries.toSorted(([a], [b]) => numberOf(b) - numberOf(a) || (a < b ? -1 : 1));
  const latest = new Set<string>();
  let rest = sizes?.max ?? 0;
  for (const [key, value] of sorted.slice(0, max)) {
    rest -= sizes?.measure(value) ?? 0;
    if (rest < 0) break;
    latest.add(key);
  }
  return entries.filter(([key]) => latest.has(key));
}
