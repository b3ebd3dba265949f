import type { Notes } from "../flow/note";
import { diffLetters } from "../flow/rebase/diff-letters";
import { diffTexts } from "./diff-texts";
import type { FlowContent } from "./live-document";

/** Longer lines are compared as a whole. */
const maxComparedPairs = 50_000;

/**
 * The state from which the fewest letters lead to `later`, and of those with the same text the one whose notes are nearest; of
 * several the last one.
 */
export function findNearest(
  [first, ...others]: readonly [FlowContent, ...FlowContent[]],
  later: FlowContent,
): FlowContent {
  let [nearest, least] = [first, measure(first, later)];
  for (const state of others) {
    const distance = measure(state, later);
    const isNearer = distance.text < least.text || (distance.text === least.text && distance.notes <= least.notes);
    if (isNearer) [nearest, least] = [state, distance];
  }
  return nearest;
}

const measure = (before: FlowContent, after: FlowContent) => ({
  text: countChanged(before.source, after.source),
  notes: countChangedNotes(before.layout.notes, after.layout.notes),
});

function countChangedNotes(before: Notes = {}, after: Notes = {}): number {
  if (before === after) return 0;
  const [olds, news] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  let count = 0;
  for (const id of new Set([...olds.keys(), ...news.keys()])) {
    if (olds.has(id) !== news.has(id)) count++;
    count += countChanged(olds.get(id)?.text ?? "", news.get(id)?.text ?? "");
  }
  return count;
}

function countChanged(before: string, after: string): number {
  let count = 0;
  for (const { from: start, to: end, insert } of diffTexts(before, after)) {
    const isShort = (end - start) * insert.length <= maxComparedPairs;
    const changes = isShort ? diffLetters(before.slice(start, end), insert) : [{ from: start, to: end, insert }];
    for (const change of changes) count += change.to - change.from + change.insert.length;
  }
  return count;
}
