import type * as Y from "yjs";

const numbersOf = (map: Y.Map<unknown>): Map<string, number> =>
  new Map([...map].map(([key, value]) => [key, readNumber(value)]));

/** Larger numbers are no editor's, and leave no room for the next ones. */
const maxNumber = 2 ** 48;

/** Zero: a note of an earlier release, or no number of an editor. */
function readNumber(value: unknown): number {
  const number = isObject(value) && "number" in value ? value.number : 0;
  return typeof number === "number" && Number.isInteger(number) && number <= maxNumber ? Math.max(0, number) : 0;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** How far the number of a note is above those that others know: of notes that an editor made while it was offline. */
const maxAhead = 100_000;
/** Maximum number of values inside of one note, and of characters. An editor writes a tenth. */
export const noteSizes = { values: 3_000, characters: 100_000 } as const;

/** The largest number of the notes of a map; zero: it has none. */
export const findLastNumber = (map: Y.Map<unknown>): number => [...map.values()].map(readNumber).reduce(toLarger, 0);

const toLarger = (a: number, b: number): number => Math.max(a, b);

/** Whether a note has the size of one, and a number that may follow those of the map. */
export function isNote(note: unknown, lastNumber: number): boolean {
  if (!isObject(note) || !isSmall(note)) return false;
  const number = "number" in note ? note.number : 0;
  return typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= lastNumber + maxAhead;
}

function isSmall(note: object): boolean {
  let level: unknown[] = [note];
  let [values, characters] = [0, 0];
  for (; level.length > 0; level = level.filter(isObject).flatMap(listInner)) {
    values += level.length;
    for (const value of level) if (typeof value === "string") characters += value.length;
    if (values > noteSizes.values || characters > noteSizes.characters) return false;
  }
  return true;
}

const listInner = (value: object): unknown[] => (Array.isArray(value) ? value : Object.entries(value).flat());

/**
 * Notes something in a map of a document, of which the latest `max` notes stay: of the earliest ones no message is on its way
 * any more. The order of a map's keys says nothing about that once it was received from several people. A note that is too
 * large is left out.
 */
export function noteInMap(map: Y.Map<unknown>, max: number, notes: ReadonlyMap<string, object>): void {
  if (notes.size === 0) return;
  const numbers = numbersOf(map);
  const number = [...numbers.values()].reduce(toLarger, 0) + 1;
  for (const [key, note] of notes) if (isSmall({ ...note, number })) map.set(key, { ...note, number });
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

/** Notes with their keys, the latest first: in the same order in every document. */
export function sortLatest<T>(notes: readonly [string, T][]): [string, T][] {
  const numbers = new Map(notes.map(([key, note]) => [key, readNumber(note)]));
  const numberOf = (key: string): number => numbers.get(key) ?? 0;
  return notes.toSorted(([a], [b]) => numberOf(b) - numberOf(a) || (a < b ? -1 : 1));
}

/** The latest `max` entries of a map of notes, in the order of the map: the same in every document that has the same. */
export function listLatest(map: Y.Map<unknown>, max: number, sizes?: ReadingLimit): [string, unknown][] {
  const entries = [...map].filter(([key]) => key.length <= maxKeyLength);
  if (entries.length <= max && !sizes) return entries;
  const latest = new Set<string>();
  let rest = sizes?.max ?? 0;
  for (const [key, value] of sortLatest(entries).slice(0, max)) {
    rest -= sizes?.measure(value) ?? 0;
    if (rest < 0) break;
    latest.add(key);
  }
  return entries.filter(([key]) => latest.has(key));
}
