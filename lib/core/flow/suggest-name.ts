import { groupBy } from "./group-by";

/** The candidate closest to `name` by edit distance, when it is close enough to be a slip of the pen; else null. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  return createSuggester(candidates)(name);
}

/** How many comparisons one suggester makes in all: a text with ten thousand wrong names is still answered at once. */
const mostComparisons = 100_000;

/** `nearest` for many names; once it has compared enough it suggests nothing more. */
export function createSuggester(candidates: Iterable<string>): (name: string) => string | null {
  let byLength: Map<number, Candidate[]> | null = null;
  let left = mostComparisons;
  return (name) => {
    byLength ??= groupByLength(candidates);
    const wanted = name.toLowerCase();
    const most = Math.max(1, Math.floor(Math.min(name.length, 40) / 3));
    let best: { name: string; distance: number; index: number } | null = null;
    for (let length = Math.max(1, name.length - most); length <= name.length + most; length++)
      for (const candidate of byLength.get(length) ?? []) {
        if (left <= 0) return best?.name ?? null;
        left--;
        const limit = best?.distance ?? most;
        const distance = editDistance(wanted, candidate.lower, limit);
        const earlier = best !== null && distance === best.distance && candidate.index < best.index;
        if (distance <= most && (!best || distance < best.distance || earlier))
          best = { name: candidate.name, distance, index: candidate.index };
      }
    return best?.name ?? null;
  };
}

interface Candidate {
  name: string;
  lower: string;
  index: number;
}

function groupByLength(candidates: Iterable<string>): Map<number, Candidate[]> {
  const all = Array.from(candidates, (name, index): Candidate => ({ name, lower: name.toLowerCase(), index }));
  return groupBy(all, ({ name }) => name.length);
}

/** Levenshtein distance, given up as `most + 1` once it is certain to be larger. */
function editDistance(a: string, b: string, most: number): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  let next: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const cost = Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1);
      next.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    row = next;
  }
  return row[b.length] ?? 0;
}
