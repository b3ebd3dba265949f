import type { Wrap } from "./gestures";
import type { Direction } from "./navigation";

/** What a key on the canvas asks for. */
export type CanvasKey =
  | { type: "move"; direction: Direction; extend: boolean }
  /** Moves, or makes a note larger or smaller. */
  | { type: "nudge"; direction: Direction; resizes: boolean }
  | { type: "edge"; last: boolean }
  | { type: "open" | "toggle" | "delete" | "connect" | "links" | "insert" | "select-all" | "escape" | "undo" | "redo" }
  | { type: "duplicate" | "search" | "note" }
  | { type: "fit" | "fit-selection" | "actual-size" | "help" | "palette" }
  | { type: "wrap"; wrap: Wrap }
  | { type: "add"; side: "after" | "lane" };

export interface Stroke {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

const arrows: ReadonlyMap<string, Direction> = new Map([
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
]);

const plain: ReadonlyMap<string, CanvasKey> = new Map<string, CanvasKey>([
  ["Enter", { type: "open" }],
  [" ", { type: "toggle" }],
  ["Insert", { type: "insert" }],
  ["Delete", { type: "delete" }],
  ["Backspace", { type: "delete" }],
  ["Escape", { type: "escape" }],
  ["Home", { type: "edge", last: false }],
  ["End", { type: "edge", last: true }],
]);

/** Keys that stand for themselves; people who speak to their computer switch them off. */
const single: ReadonlyMap<string, CanvasKey> = new Map<string, CanvasKey>([
  ["c", { type: "connect" }],
  ["e", { type: "links" }],
  ["+", { type: "insert" }],
  ["t", { type: "note" }],
  ["p", { type: "wrap", wrap: "wrap-parallel" }],
  ["s", { type: "wrap", wrap: "wrap-serial" }],
  ["n", { type: "wrap", wrap: "extract-swarm" }],
  ["u", { type: "wrap", wrap: "unwrap" }],
  ["i", { type: "wrap", wrap: "inline" }],
  ["?", { type: "help" }],
  ["/", { type: "palette" }],
  ["f", { type: "search" }],
]);

const withShift: ReadonlyMap<string, CanvasKey> = new Map<string, CanvasKey>([
  ["Digit1", { type: "fit" }],
  ["Digit2", { type: "fit-selection" }],
]);

const withControl: ReadonlyMap<string, CanvasKey> = new Map<string, CanvasKey>([
  ["ArrowDown", { type: "add", side: "after" }],
  ["ArrowRight", { type: "add", side: "lane" }],
  ["0", { type: "actual-size" }],
  ["a", { type: "select-all" }],
  ["d", { type: "duplicate" }],
  ["f", { type: "search" }],
  ["g", { type: "wrap", wrap: "extract-group" }],
  ["z", { type: "undo" }],
  ["y", { type: "redo" }],
]);

/**
 * Reads a key stroke; null: the canvas has no use for it. Letters count whatever Caps Lock makes of them; without `singleKeys`
 * those that stand for themselves count nothing.
 */
export function readCanvasKey(stroke: Stroke, singleKeys = true): CanvasKey | null {
  const direction = arrows.get(stroke.key);
  if (stroke.altKey) return stroke.shiftKey && direction ? { type: "nudge", direction, resizes: false } : null;
  const key = stroke.key.length === 1 ? stroke.key.toLowerCase() : stroke.key;
  const control = stroke.ctrlKey || stroke.metaKey;
  if (control && stroke.shiftKey && direction) return { type: "nudge", direction, resizes: true };
  if (control && stroke.shiftKey) return key === "z" ? { type: "redo" } : null;
  if (control) return withControl.get(key) ?? null;
  if (direction) return { type: "move", direction, extend: stroke.shiftKey };
  const found = stroke.shiftKey ? withShift.get(stroke.code) : plain.get(key);
  if (found || !singleKeys || (stroke.shiftKey && /[a-z]/.test(key))) return found ?? null;
  return single.get(key) ?? null;
}
