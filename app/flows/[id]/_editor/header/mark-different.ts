export interface MarkedLine {
  /** 1-based. */
  number: number;
  text: string;
  /** Not found, in this order, in the other text. */
  differs: boolean;
}

/** Above this many pairs of lines only what lies between the first and the last difference is marked. */
const mostPairs = 4_000_000;

/** Both texts by line, with the lines that the other does not have (longest common subsequence). */
export function markDifferent(left: string, right: string): [MarkedLine[], MarkedLine[]] {
  const [a, b] = [left.split("\n"), right.split("\n")];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const common = findCommon(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const mark = (lines: string[], shared: ReadonlySet<number>): MarkedLine[] =>
    lines.map((text, index) => {
      const inside = index >= start && index < lines.length - end;
      return { number: index + 1, text, differs: inside && !shared.has(index - start) };
    });
  return [mark(a, new Set(common.map(([i]) => i))), mark(b, new Set(common.map(([, j]) => j)))];
}

/** Pairs of equal lines, rising in both lists, as many as there can be. */
function findCommon(a: readonly string[], b: readonly string[]): [number, number][] {
  if (a.length * b.length > mostPairs) return [];
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint32Array(b.length + 1));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = lengths[i];
      if (row) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const pairs: [number, number][] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}
