/**
 * The row of a list to which a key leads: arrows, Home and End, and with `perPage`, the number of rows in view, the page
 * keys. Null: the key leads nowhere.
 */
export function toListRow(key: string, activeRow: number, rowCount: number, perPage = 0): number | null {
  const targets = new Map([
    ["ArrowDown", activeRow + 1],
    ["ArrowUp", activeRow - 1],
    ["PageDown", activeRow + perPage],
    ["PageUp", activeRow - perPage],
    ["Home", 0],
    ["End", rowCount - 1],
  ]);
  const row = targets.get(key);
  if (row === undefined || (perPage === 0 && key.startsWith("Page"))) return null;
  return Math.min(Math.max(row, 0), rowCount - 1);
}
