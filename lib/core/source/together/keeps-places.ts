import { isMap, isNode, isSeq, type Pair } from "yaml";
import { listLeft } from "../../flow/rebase/move-ranges";
import { sortChanges } from "../../flow/rebase/rebase-changes";
import type { TextChange, TextRange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { rangeOfPair } from "../yaml/pair-position";
import { rangeOfNode, toEntry } from "../yaml/yaml-nodes";

/** An entry of a mapping, or an item of a list; `key`: null is an item. */
interface Place extends TextRange {
  key: string | null;
  parent: Place | null;
}

/**
 * Whether the letters in `ranges` of a file are in the same fields after `changes`. An entry is the same where its key is, or
 * where its key was written anew. Deleted letters are in none, and what is in no field may be in any afterwards.
 */
export function keepsPlaces(
  [before, after]: readonly [SourceDocument, SourceDocument],
  changes: readonly TextChange[],
  ranges: readonly TextRange[],
): boolean {
  const letters = listLeft(ranges, changes).flatMap((range) => listLetters(before.text, range));
  if (letters.length === 0) return true;
  const [places, nextPlaces] = [listPlaces(before), listPlaces(after)];
  const sorted = sortChanges(changes);
  return letters.every(({ offset, shift }) => {
    const path = listAround(places, offset);
    const nextPath = listAround(nextPlaces, offset + shift);
    return path.every(({ key, from }, index) => {
      const next = nextPath[index];
      return next !== undefined && ((key !== null && key === next.key) || moveStart(from, sorted) === next.from);
    });
  });
}

type LeftRange = ReturnType<typeof listLeft>[number];

/** Where the first and the last letter of each line of a range are, and how far they are moved. */
function listLetters(text: string, { from: start, to: end, shift }: LeftRange): { offset: number; shift: number }[] {
  const lines = text.slice(start, end).matchAll(/\S(?:[^\n]*\S)?/g);
  return Array.from(lines, ({ index, 0: line }) => [start + index, start + index + line.length - 1])
    .flat()
    .map((offset) => ({ offset, shift }));
}

/** The entries and items of a file, in the order of the text. */
function listPlaces(document: SourceDocument): Place[] {
  const places: Place[] = [];
  const addPair = (pair: Pair, parent: Place | null): void => {
    if (!isNode(pair.key) || !pair.key.range) return;
    const place = { ...rangeOfPair(pair, document.text), key: toEntry(pair, document.yaml)?.key ?? null, parent };
    places.push(place);
    addValue(pair.value, place);
  };
  const addValue = (value: unknown, parent: Place): void => {
    if (isMap(value)) for (const pair of value.items) addPair(pair, parent);
    for (const item of isSeq(value) ? value.items : []) {
      const range = isNode(item) ? rangeOfNode(item, document.text) : undefined;
      if (!range) continue;
      const place = { ...range, key: null, parent };
      places.push(place);
      addValue(item, place);
    }
  };
  for (const { pair } of document.sections.values()) addPair(pair, null);
  return places.sort((a, b) => a.from - b.from);
}

/** What an offset is in, the outermost first. */
function listAround(places: readonly Place[], offset: number): Place[] {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((places[middle]?.from ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const around: Place[] = [];
  for (let place = places[low - 1] ?? null; place; place = place.parent) if (offset < place.to) around.unshift(place);
  return around;
}

/** Where a key, or what replaces it, begins after sorted changes. */
function moveStart(offset: number, changes: readonly TextChange[]): number {
  let shift = 0;
  for (const { from: start, to: end, insert } of changes) {
    if (start > offset) break;
    if (end > offset) return start + shift;
    shift += insert.length - (end - start);
  }
  return offset + shift;
}
