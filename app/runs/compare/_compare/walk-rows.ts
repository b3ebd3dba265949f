import type { ComparedRow } from "@/lib/core/trace/model/align-steps";

/** The rows that differ, below the rows that hold them. */
export function keepDifferences(rows: readonly ComparedRow[]): ComparedRow[] {
  const kept: ComparedRow[] = [];
  // From the end: what holds a row stands before it, at the next lower depth.
  let wantedDepth = 0;
  for (const row of rows.toReversed()) {
    const holds = row.depth < wantedDepth;
    if (row.differences.length === 0 && !holds) continue;
    kept.push(row);
    wantedDepth = holds ? row.depth : Math.max(row.depth, wantedDepth);
  }
  return kept.reverse();
}

/** Where a key leads in the rows from the one at `at`; null: it is not ours, or leads nowhere. */
export function toRowMove(key: string, rows: readonly ComparedRow[], at: number, perPage: number): number | null {
  const last = rows.length - 1;
  switch (key) {
    case "ArrowDown":
      return Math.min(at + 1, last);
    case "ArrowUp":
      return Math.max(at - 1, 0);
    case "PageDown":
      return Math.min(at + perPage, last);
    case "PageUp":
      return Math.max(at - perPage, 0);
    case "Home":
      return 0;
    case "End":
      return last;
    case "n":
      return findDifference(rows, at, 1);
    case "N":
      return findDifference(rows, at, -1);
    default:
      return null;
  }
}

/** The next row that differs in a direction; null when there is none. */
export function findDifference(rows: readonly ComparedRow[], at: number, step: 1 | -1): number | null {
  for (let place = at + step; place >= 0 && place < rows.length; place += step)
    if ((rows[place]?.differences.length ?? 0) > 0) return place;
  return null;
}
