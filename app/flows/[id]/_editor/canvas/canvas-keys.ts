import type { Wrap } from "./gestures";
import type { Direction } from "./navigation";

/** What a key on the canvas asks for. */
export type CanvasKey =
  | { type: "move"; direction: Direction; extend: boolean }
  | { type: "nudge"; direction: Direction }
  | { type: "edge"; last: boolean }
  | { type: "open" | "delete" | "connect" | "select-all" | "escape" | "undo" | "redo" | "fit" | "palette" }
  | { type: "wrap"; wrap: Wrap }
  | { type: "add"; side: "after" | "lane" };

interface Stroke {
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
  ["Delete", { type: "delete" }],
  ["Backspace", { type: "delete" }],
  ["Escape", { type: "escape" }],
  ["Home", { type: "edge", last: false }],
  ["End", { type: "edge", last: true }],
  ["c", { type: "connect" }],
  ["p", { type: "wrap", wrap: "wrap-parallel" }],
  ["s", { type: "wrap", wrap: "wrap-serial" }],
  ["n", { type: "wrap", wrap: "extract-swarm" }],
  ["/", { type: "palette" }],
]);

const withControl: ReadonlyMap<string, CanvasKey> = new Map<string, CanvasKey>([
  ["ArrowRight", { type: "add", side: "after" }],
  ["ArrowDown", { type: "add", side: "lane" }],
  ["a", { type: "select-all" }],
  ["z", { type: "undo" }],
  ["y", { type: "redo" }],
]);

/** Reads a key stroke; null: the canvas has no use for it. Letters count whatever Shift and Caps Lock make of them. */
export function readCanvasKey(stroke: Stroke): CanvasKey | null {
  const direction = arrows.get(stroke.key);
  if (stroke.altKey) return stroke.shiftKey && direction ? { type: "nudge", direction } : null;
  const key = stroke.key.length === 1 ? stroke.key.toLowerCase() : stroke.key;
  const control = stroke.ctrlKey || stroke.metaKey;
  if (control && stroke.shiftKey) return key === "z" ? { type: "redo" } : null;
  if (control) return withControl.get(key) ?? null;
  if (direction) return { type: "move", direction, extend: stroke.shiftKey };
  // On some keyboards a slash takes Shift.
  if (stroke.shiftKey && key !== "/") return stroke.code === "Digit1" ? { type: "fit" } : null;
  return plain.get(key) ?? null;
}
