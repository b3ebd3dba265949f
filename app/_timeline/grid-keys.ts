import type { TraceRow } from "@/lib/core/trace/spans";

/** What a key does in the tree of steps: goes to a row, closes or opens one, or opens what is known of it. */
export type GridMove = { go: number } | { toggle: number; closed: boolean } | { open: true } | null;

/**
 * The keys of a treegrid (WAI-ARIA Authoring Practices): ↑ ↓ Home End go, → opens or goes in, ← closes or goes to the
 * parent, Enter opens the detail. `at` is the place of the active row. Null: the key is not ours, or there is nowhere to go.
 */
export function toGridMove(key: string, rows: readonly TraceRow[], at: number): GridMove {
  const row = rows[at];
  if (!row) return null;
  const isOpen = row.hasChildren && !row.collapsed;
  switch (key) {
    case "ArrowDown":
      return { go: Math.min(at + 1, rows.length - 1) };
    case "ArrowUp":
      return { go: Math.max(at - 1, 0) };
    case "Home":
      return { go: 0 };
    case "End":
      return { go: rows.length - 1 };
    case "ArrowRight":
      if (row.collapsed) return { toggle: row.node.id, closed: false };
      return isOpen ? { go: at + 1 } : null;
    case "ArrowLeft":
      if (isOpen) return { toggle: row.node.id, closed: true };
      return goToParent(rows, at, row.depth);
    case "Enter":
      return { open: true };
    default:
      return null;
  }
}

function goToParent(rows: readonly TraceRow[], at: number, depth: number): GridMove {
  const parent = rows.findLastIndex((row, index) => index < at && row.depth === depth - 1);
  return parent < 0 ? null : { go: parent };
}
