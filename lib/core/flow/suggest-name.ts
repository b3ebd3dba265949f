import { groupBy } from "./group-by";

/** The candidate closest to `name` by edit distance, when it is close enough to be a typing error; else null. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  return createSuggester(candidates)(name);
}

/** Letters that one suggester compares in all: a text with ten thousand wrong names is still checked at once. */
const maxCompared = 5_000_000;
/** Longest name, in UTF-16 units, that is taken for a typing error. */
const maxNameLength = 200;

/** `nearest` for many names. After `maxCompared` letters it returns null. */
export function createSuggester(candidates: Iterable<string>): (name: string) => string | null {
  let byLength: ReadonlyMap<number, readonly { name: string; lower: string; index: number }[]> | null = null;
  let comparedLeft = maxCompared;
  return (name) => {
    if (name.length > maxNameLength || comparedLeft <= 0) return null;
    byLength ??= groupBy(
      Array.from(candidates, (name, index) => ({ name, lower: name.toLowerCase(), index })),
      (candidate) => candidate.name.length,
    );
    const lowerName = name.toLowerCase();
    const maxDistance = Math.max(1, Math.floor(Math.min(name.length, 40) / 3));
    let best: { name: string; distance: number; index: number } | null = null;
    for (let length = Math.max(1, name.length - maxDistance); length <= name.length + maxDistance; length++)
      for (const candidate of byLength.get(length) ?? []) {
        if (comparedLeft <= 0) return best?.name ?? null;
        comparedLeft -= name.length * length;
        const limit = best?.distance ?? maxDistance;
        const distance = editDistance(lowerName, candidate.lower, limit);
        const earlier = best !== null && distance === best.distance && candidate.index < best.index;
        if (distance <= maxDistance && (!best || distance < best.distance || earlier))
          best = { name: candidate.name, distance, index: candidate.index };
      }
    return best?.name ?? null;
  };
}

/** Levenshtein distance; `maxDistance + 1` as soon as it is certain to be larger. */
function editDistance(a: string, b: string, maxDistance: number): number {
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
    if (least > maxDistance) return maxDistance + 1;
    row = next;
  }
  return row[b.length] ?? 0;
}
