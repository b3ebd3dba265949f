import type { ComparedRow } from "@/lib/core/trace/model/align-steps";
import { toListRow } from "../../../_ui/keys/list-keys";

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

/** The row to which a key leads; null: the key leads nowhere. */
export function toRowMove(
  key: string,
  rows: readonly ComparedRow[],
  activeRow: number,
  perPage: number,
): number | null {
  if (key === "n" || key === "N") return findDifference(rows, activeRow, key === "n" ? 1 : -1);
  return toListRow(key, activeRow, rows.length, perPage);
}

/** The next row that differs in a direction; null when there is none. */
export function findDifference(rows: readonly ComparedRow[], activeRow: number, step: 1 | -1): number | null {
  for (let row = activeRow + step; row >= 0 && row < rows.length; row += step)
    if ((rows[row]?.differences.length ?? 0) > 0) return row;
  return null;
}
