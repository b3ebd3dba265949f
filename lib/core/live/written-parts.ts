import * as Y from "yjs";
import * as z from "zod/mini";
import { findBoundary } from "../flow/find-boundary";
import { groupBy } from "../flow/group-by";
import type { TextRange } from "../flow/text-range";

const numberSchema = z.int().check(z.nonnegative());
export const idSchema = z.object({ client: numberSchema, clock: numberSchema });

/** The first and the last letter of an insertion. */
export const writtenPartSchema = z
  .object({ start: idSchema, end: idSchema })
  .check(z.refine(({ start, end }) => start.client === end.client && start.clock <= end.clock));
export type WrittenPart = z.infer<typeof writtenPartSchema>;

export const printId = ({ client, clock }: Y.ID): string => `${client}:${clock}`;

/** Null: it is no printed id. */
export function parseId(text: string): Y.ID | null {
  const [client = Number.NaN, clock = Number.NaN] = text.split(":").map(Number);
  const isId = [client, clock].every((number) => Number.isSafeInteger(number) && number >= 0);
  return isId ? Y.createID(client, clock) : null;
}

/** The ids of a range of the text; more than one where it was not written at once. */
export function findParts(doc: Y.Doc, { from: start, to: end }: TextRange): WrittenPart[] {
  const parts: WrittenPart[] = [];
  let offset = 0;
  for (let item = doc.getText("source")._start; item && offset < end; item = item.right) {
    if (item.deleted || !item.countable) continue;
    const { client, clock } = item.id;
    const [from, to] = [Math.max(start - offset, 0), Math.min(end - offset, item.length)];
    offset += item.length;
    if (from >= to) continue;
    const last = parts.at(-1);
    const [first, final] = [Y.createID(client, clock + from), Y.createID(client, clock + to - 1)];
    if (last && last.end.client === client && last.end.clock + 1 === first.clock) last.end = final;
    else parts.push({ start: first, end: final });
  }
  return parts;
}

/** The clocks of letters, both included. */
interface Clocks {
  first: number;
  last: number;
}

/** What was read of lists of parts, which never change. */
const readClocks = new WeakMap<readonly WrittenPart[], Map<number, Clocks[]>>();

/** What was written by each client, in order; parts that overlap are one. */
function toClocks(parts: readonly WrittenPart[]): Map<number, Clocks[]> {
  const clocks = readClocks.get(parts) ?? groupClocks(parts);
  readClocks.set(parts, clocks);
  return clocks;
}

function groupClocks(parts: readonly WrittenPart[]): Map<number, Clocks[]> {
  const byClient = groupBy(parts, ({ start }) => start.client);
  return new Map([...byClient].map(([client, written]) => [client, joinOverlapping(written.map(toOwnClocks))]));
}

/** Whether a letter is among what was written. */
export function hasLetter(parts: readonly WrittenPart[], { client, clock }: Y.ID): boolean {
  const all = toClocks(parts).get(client) ?? [];
  const found = all[findBoundary(all.length, (index) => (all[index]?.last ?? clock) >= clock)];
  return found !== undefined && found.first <= clock;
}

const toOwnClocks = ({ start, end }: WrittenPart): Clocks => ({ first: start.clock, last: end.clock });

function joinOverlapping(all: readonly Clocks[]): Clocks[] {
  const joined: Clocks[] = [];
  for (const { first, last } of all.toSorted((a, b) => a.first - b.first)) {
    const previous = joined.at(-1);
    if (previous && first <= previous.last) previous.last = Math.max(previous.last, last);
    else if (first <= last) joined.push({ first, last });
  }
  return joined;
}

/** The ranges of the text that are left of what was written. */
export function findRanges(doc: Y.Doc, parts: readonly WrittenPart[]): TextRange[] {
  const written = toClocks(parts);
  const ranges: TextRange[] = [];
  let offset = 0;
  for (let item = doc.getText("source")._start; item; item = item.right) {
    if (item.deleted || !item.countable) continue;
    const { length } = item;
    const { client, clock } = item.id;
    const all = written.get(client) ?? [];
    const start = findBoundary(all.length, (index) => (all[index]?.last ?? clock) >= clock);
    for (let index = start; index < all.length; index++) {
      const { first, last } = all[index] ?? { first: clock + length, last: 0 };
      if (first >= clock + length) break;
      const [from, to] = [Math.max(first - clock, 0), Math.min(last - clock + 1, length)];
      ranges.push({ from: offset + from, to: offset + to });
    }
    offset += length;
  }
  return ranges;
}

export const countLetters = (parts: readonly WrittenPart[]): number =>
  parts.reduce((sum, { start, end }) => sum + end.clock - start.clock + 1, 0);

/** The letters of a part in a range that is counted from its first one; none: the range is beside it. */
export function slicePart({ start, end }: WrittenPart, { from, to }: TextRange): WrittenPart[] {
  const [first, last] = [start.clock + Math.max(0, from), Math.min(end.clock, start.clock + to - 1)];
  return first > last ? [] : [{ start: { ...start, clock: first }, end: { ...end, clock: last } }];
}

/** Takes ranges out of the text that do not overlap. */
export function deleteRanges(doc: Y.Doc, ranges: readonly TextRange[]): void {
  const text = doc.getText("source");
  for (const { from: start, to: end } of ranges.toSorted((a, b) => b.from - a.from)) text.delete(start, end - start);
}

/** Whether anything of what was written is left in the text. */
export function isInText(doc: Y.Doc, parts: readonly WrittenPart[]): boolean {
  const text = doc.getText("source");
  for (const [client, all] of toClocks(parts)) {
    const structs = doc.store.clients.get(client) ?? [];
    for (const { first, last } of all) {
      const clock = Math.max(first, 0);
      if (clock >= Y.getState(doc.store, client)) continue;
      for (let index = Y.findIndexSS(structs, clock); index < structs.length; index++) {
        const item = structs[index];
        if (!item || item.id.clock > last) break;
        const isText = item instanceof Y.Item && item.parent === text && item.parentSub === null;
        if (isText && !item.deleted && item.countable) return true;
      }
    }
  }
  return false;
}

/** Where the letter with a printed id is in the text; null: it is deleted. */
export function findLetter(doc: Y.Doc, key: string): number | null {
  const id = parseId(key);
  return id ? (findRanges(doc, [{ start: id, end: id }])[0]?.from ?? null) : null;
}

/** Reads the text once. Returns who wrote the letter at an offset: the first id of its insertion. */
export function readWriters(doc: Y.Doc): (offset: number) => Y.ID | null {
  const written: { end: number; id: Y.ID }[] = [];
  for (let item = doc.getText("source")._start; item; item = item.right)
    if (!item.deleted && item.countable) written.push({ end: (written.at(-1)?.end ?? 0) + item.length, id: item.id });
  return (offset) => written[findBoundary(written.length, (index) => (written[index]?.end ?? 0) > offset)]?.id ?? null;
}

/** A stretch of the text that one document wrote at once. */
interface Place {
  clock: number;
  length: number;
  offset: number;
}

/** Reads the text once. Returns where the first letter of parts is that is left; null: there is none. */
export function readPlaces(doc: Y.Doc): (parts: readonly WrittenPart[]) => number | null {
  const places = new Map<number, Place[]>();
  let offset = 0;
  for (let item = doc.getText("source")._start; item; item = item.right) {
    if (item.deleted || !item.countable) continue;
    const { client, clock } = item.id;
    const all = places.get(client) ?? [];
    if (all.length === 0) places.set(client, all);
    all.push({ clock, length: item.length, offset });
    offset += item.length;
  }
  for (const all of places.values()) all.sort((a, b) => a.clock - b.clock);
  const findFirst = ({ start, end }: WrittenPart): number | null => {
    const all = places.get(start.client) ?? [];
    const place = all[findBoundary(all.length, (index) => endOf(all[index]) > start.clock)];
    return place && place.clock <= end.clock ? place.offset + Math.max(0, start.clock - place.clock) : null;
  };
  return (parts) => {
    const found = parts.map(findFirst).filter((place) => place !== null);
    return found.length > 0 ? found.reduce((first, place) => Math.min(first, place)) : null;
  };
}

const endOf = (place: Place | undefined): number => (place ? place.clock + place.length : 0);

/** Whether the letter with a printed id is in the text. */
export function isLeft(doc: Y.Doc, key: string): boolean {
  const id = parseId(key);
  return id !== null && isInText(doc, [{ start: id, end: id }]);
}

/** Where letters are in the text, by their printed ids; those that are deleted are missing. */
export function findLetters(doc: Y.Doc, keys: Iterable<string>): Map<string, number> {
  const ids = [...keys].flatMap((key) => {
    const id = parseId(key);
    return id && isLeft(doc, key) ? { key, ...id } : [];
  });
  const wanted = groupBy(
    ids.toSorted((a, b) => a.clock - b.clock),
    ({ client }) => client,
  );
  const offsets = new Map<string, number>();
  let offset = 0;
  for (let item = wanted.size > 0 ? doc.getText("source")._start : null; item; item = item.right) {
    if (item.deleted || !item.countable) continue;
    const { length } = item;
    const { client, clock } = item.id;
    const all = wanted.get(client) ?? [];
    const start = findBoundary(all.length, (index) => (all[index]?.clock ?? clock) >= clock);
    for (let index = start; index < all.length; index++) {
      const letter = all[index];
      if (!letter || letter.clock >= clock + length) break;
      offsets.set(letter.key, offset + letter.clock - clock);
    }
    offset += length;
  }
  return offsets;
}
