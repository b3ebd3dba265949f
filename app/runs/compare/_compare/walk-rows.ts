import type { ComparedRow } from "@/lib/core/trace/model/align-steps";

export function toDifferingRows(rows: readonly ComparedRow[]): ComparedRow[] {
  const differing: ComparedRow[] = [];
  // From the end: the ancestors of a row precede it, at lower depths.
  let parentDepth = 0;
  for (const row of rows.toReversed()) {
    const isAncestor = row.depth < parentDepth;
    if (row.differences.length === 0 && !isAncestor) continue;
    differing.push(row);
    parentDepth = isAncestor ? row.depth : Math.max(row.depth, parentDepth);
  }
  return differing.reverse();
}

/** Where a key leads in the rows from the one at `at`; null: it is not ours, or leads nowhere. */
export function toRowMove(
  key: string,
  rows: readonly ComparedRow[],
  activeRow: number,
  perPage: number,
): number | null {
  const last = rows.length - 1;
  switch (key) {
    case "ArrowDown":
      return Math.min(activeRow + 1, last);
    case "ArrowUp":
      return Math.max(activeRow - 1, 0);
    case "PageDown":
      return Math.min(activeRow + perPage, last);
    case "PageUp":
      return Math.max(activeRow - perPage, 0);
    case "Home":
      return 0;
    case "End":
      return last;
    case "n":
      return findDifference(rows, activeRow, 1);
    case "N":
      return findDifference(rows, activeRow, -1);
    default:
      return null;
  }
}

/** The next row that differs in a direction; null when there is none. */
export function findDifference(rows: readonly ComparedRow[], activeRow: number, step: 1 | -1): number | null {
  for (let row = activeRow + step; row >= 0 && row < rows.length; row += step)
    if ((rows[row]?.differences.length ?? 0) > 0) return row;
  return null;
}
