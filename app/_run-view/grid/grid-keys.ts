import { toListRow } from "../../_ui/keys/list-keys";
import type { GridRows } from "./grid-rows";

/** What a key does in the grid of steps. `go`, `toggle`: a row. */
export type GridMove =
  | { type: "go"; row: number }
  | { type: "toggle"; row: number }
  | { type: "open" }
  /** Rows of this depth and deeper close; null: none. */
  | { type: "depth"; depth: number | null }
  | { type: "hit" | "error" | "run"; by: 1 | -1 }
  | { type: "search" | "whole" | "play" | "keys" }
  | { type: "zoom"; factor: number };

type GridKey = Pick<KeyboardEvent, "key" | "altKey" | "ctrlKey" | "metaKey">;

const singleKeyMoves = new Map<string, GridMove>([
  ["e", { type: "depth", depth: null }],
  ["w", { type: "depth", depth: 1 }],
  ["n", { type: "hit", by: 1 }],
  ["N", { type: "hit", by: -1 }],
  ["]", { type: "error", by: 1 }],
  ["[", { type: "error", by: -1 }],
  ["j", { type: "run", by: 1 }],
  ["k", { type: "run", by: -1 }],
  ["f", { type: "search" }],
  ["/", { type: "search" }],
  ["0", { type: "whole" }],
  ["+", { type: "zoom", factor: 1 / 1.5 }],
  ["=", { type: "zoom", factor: 1 / 1.5 }],
  ["-", { type: "zoom", factor: 1.5 }],
  [" ", { type: "play" }],
  ["?", { type: "keys" }],
]);

/**
 * The keys of a treegrid (WAI-ARIA Authoring Practices) and those of timelines. `at` is the active row. Null: the key is not
 * ours, or there is nowhere to go.
 */
export function toGridMove(pressed: GridKey, rows: GridRows, activeRow: number, singleKeys: boolean): GridMove | null {
  const { key, altKey, ctrlKey, metaKey } = pressed;
  if (ctrlKey || metaKey) return null;
  if (altKey)
    return key === "ArrowLeft" ? goTo(rows, activeRow, -1) : key === "ArrowRight" ? goTo(rows, activeRow, 1) : null;
  if (singleKeys && /^[1-9]$/.test(key)) return { type: "depth", depth: Number(key) };
  const listRow = toListRow(key, activeRow, rows.length, pageRows);
  if (listRow !== null) return { type: "go", row: listRow };
  const isOpen = activeRow < rows.length ? rows.isOpenAt(activeRow) : null;
  switch (key) {
    case "ArrowRight":
      if (isOpen === false) return { type: "toggle", row: activeRow };
      return isOpen ? { type: "go", row: activeRow + 1 } : null;
    case "ArrowLeft":
      return isOpen ? { type: "toggle", row: activeRow } : goToParent(rows, activeRow);
    default:
      return toSharedMove(key, singleKeys);
  }
}

export function toSharedMove(key: string, singleKeys: boolean): GridMove | null {
  if (key === "Enter") return { type: "open" };
  return (singleKeys && singleKeyMoves.get(key)) || null;
}

const pageRows = 20;

function goToParent(rows: GridRows, activeRow: number): GridMove | null {
  const depth = rows.depthAt(activeRow);
  for (let row = activeRow - 1; row >= 0; row--) if (rows.depthAt(row) < depth) return { type: "go", row };
  return null;
}

function goTo(rows: GridRows, activeRow: number, direction: 1 | -1): GridMove | null {
  const depth = rows.depthAt(activeRow);
  for (let row = activeRow + direction; row >= 0 && row < rows.length; row += direction) {
    if (rows.depthAt(row) < depth) return null;
    if (rows.depthAt(row) === depth) return { type: "go", row };
  }
  return null;
}
