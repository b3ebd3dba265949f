import { diffArrays } from "diff";
import { findBoundary } from "../flow/find-boundary";

/** Lines of a text, from one up to another, and those of the next text that take their place. */
export interface LineChange {
  from: number;
  to: number;
  newFrom: number;
  newTo: number;
}

/** Where the shortest changes are looked for: among so many lines that are added or removed, with so many comparisons. */
const [maxEdits, maxComparisons] = [200, 300_000];
/** Comparisons between lines that both texts have once, all together. A search takes as many as `searchCost` besides its own. */
const [maxComparisonsInGaps, searchCost] = [40_000, 10];
/** Texts with more lines are not searched for lines that both have once; more runs than this are not looked into. */
const [maxSearchedLines, maxGaps] = [25_000, 1_000];

/**
 * The runs of lines that differ, in order; all others are equal. They are the shortest ones where texts differ in few lines.
 * Otherwise lines that both texts have once are kept, and between two of these what differs too much is one change. Takes
 * time for each line, and little more.
 */
export function listLineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const all = { from: 0, to: before.length, newFrom: 0, newTo: after.length };
  const changes = findShortest(before, after, all, { left: maxComparisons });
  if (changes) return changes;
  if (Math.max(before.length, after.length) > maxSearchedLines) return [all];
  const gaps = listGaps(before, after).flatMap((gap) => trimEqualLines(before, after, gap) ?? []);
  const budget = { left: maxComparisonsInGaps };
  return gaps.length > maxGaps ? gaps : gaps.flatMap((gap) => findShortest(before, after, gap, budget) ?? [gap]);
}

interface ComparisonBudget {
  left: number;
}

class TooManyComparisons extends Error {}

/** The shortest changes in a run of lines; null: finding them takes more edits or comparisons than it may. */
function findShortest(
  before: readonly string[],
  after: readonly string[],
  run: LineChange,
  budget: ComparisonBudget,
): LineChange[] | null {
  if (run.from === run.to || run.newFrom === run.newTo) return [run];
  budget.left -= searchCost;
  if (budget.left <= 0) return null;
  const comparator = (left: string, right: string): boolean => {
    if (--budget.left < 0) throw new TooManyComparisons();
    return left === right;
  };
  const [lines, newLines] = [before.slice(run.from, run.to), after.slice(run.newFrom, run.newTo)];
  try {
    const hunks = diffArrays(lines, newLines, { comparator, maxEditLength: maxEdits });
    return hunks === undefined ? null : toLineChanges(hunks, run);
  } catch (error) {
    if (error instanceof TooManyComparisons) return null;
    throw error;
  }
}

function toLineChanges(
  hunks: readonly { count: number; added: boolean; removed: boolean }[],
  run: LineChange,
): LineChange[] {
  const changes: LineChange[] = [];
  let [line, newLine] = [run.from, run.newFrom];
  let open: LineChange | null = null;
  for (const { count, added, removed } of hunks) {
    if (!added && !removed) {
      [line, newLine, open] = [line + count, newLine + count, null];
      continue;
    }
    if (open === null) {
      open = { from: line, to: line, newFrom: newLine, newTo: newLine };
      changes.push(open);
    }
    if (removed) line += count;
    else newLine += count;
    [open.to, open.newTo] = [line, newLine];
  }
  return changes;
}

/** A run without the equal lines at its start and end; null: it has no others. */
function trimEqualLines(before: readonly string[], after: readonly string[], run: LineChange): LineChange | null {
  let { from: start, to: end, newFrom, newTo } = run;
  for (; start < end && newFrom < newTo && before[start] === after[newFrom]; start++) newFrom++;
  for (; start < end && newFrom < newTo && before[end - 1] === after[newTo - 1]; end--) newTo--;
  return start === end && newFrom === newTo ? null : { from: start, to: end, newFrom, newTo };
}

/** The runs of lines between those that both texts have once, in the same order. */
function listGaps(before: readonly string[], after: readonly string[]): LineChange[] {
  const gaps: LineChange[] = [];
  let [line, newLine] = [0, 0];
  const end: [number, number] = [before.length, after.length];
  for (const [anchor, newAnchor] of [...listAnchors(before, after), end]) {
    if (anchor > line || newAnchor > newLine) gaps.push({ from: line, to: anchor, newFrom: newLine, newTo: newAnchor });
    [line, newLine] = [anchor + 1, newAnchor + 1];
  }
  return gaps;
}

/** Places in both texts of lines that each text has once: as many as are in the same order. */
function listAnchors(before: readonly string[], after: readonly string[]): [line: number, newLine: number][] {
  const newPlaces = listPlaces(after);
  const pairs = [...listPlaces(before)].flatMap(([text, place]): [number, number][] => {
    const newPlace = newPlaces.get(text) ?? null;
    return place === null || newPlace === null ? [] : [[place, newPlace]];
  });
  return findLongestAscending(pairs.sort(([left], [right]) => left - right));
}

/** By line: where it is; null: in several places. */
function listPlaces(lines: readonly string[]): ReadonlyMap<string, number | null> {
  const places = new Map<string, number | null>();
  for (const [place, text] of lines.entries()) places.set(text, places.has(text) ? null : place);
  return places;
}

interface AscendingEnd {
  pair: [number, number];
  previous: AscendingEnd | null;
}

/** The longest selection of pairs whose second numbers ascend (patience sorting). */
function findLongestAscending(pairs: readonly [number, number][]): [number, number][] {
  const ends: AscendingEnd[] = [];
  for (const pair of pairs) {
    const length = findBoundary(ends.length, (index) => (ends[index]?.pair[1] ?? 0) > pair[1]);
    ends[length] = { pair, previous: ends[length - 1] ?? null };
  }
  const selected: [number, number][] = [];
  for (let end = ends.at(-1) ?? null; end !== null; end = end.previous) selected.push(end.pair);
  return selected.reverse();
}
