import type { Direction } from "@/app/_canvas/navigation/navigation";
import {
  arrowDirections,
  type KeyStroke,
  type NavigationKey,
  readNavigationKey,
} from "@/app/_canvas/navigation/navigation-keys";
import type { Wrap } from "../../state/edits/node-edits";

/** A key of the canvas in the editor. */
export type CanvasKey =
  | NavigationKey
  /** Moves the selection, or resizes the selected notes. */
  | { type: "nudge"; direction: Direction; resizes: boolean }
  | { type: "toggle" | "delete" | "connect" | "links" | "insert" | "select-all" | "undo" | "redo" }
  | { type: "duplicate" | "search" | "note" | "help" | "palette" }
  | { type: "wrap"; wrap: Wrap }
  | { type: "add"; side: "after" | "lane" };

const plainKeys: ReadonlyMap<string, CanvasKey> = new Map<string, CanvasKey>([
  [" ", { type: "toggle" }],
  ["Insert", { type: "insert" }],
  ["Delete", { type: "delete" }],
  ["Backspace", { type: "delete" }],
]);

/** Single characters; users of speech input turn them off. */
const characterKeys: ReadonlyMap<string, CanvasKey> = new Map<string, CanvasKey>([
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

const controlKeys: ReadonlyMap<string, CanvasKey> = new Map<string, CanvasKey>([
  ["ArrowDown", { type: "add", side: "after" }],
  ["ArrowRight", { type: "add", side: "lane" }],
  ["a", { type: "select-all" }],
  ["d", { type: "duplicate" }],
  ["f", { type: "search" }],
  ["g", { type: "wrap", wrap: "extract-group" }],
  ["z", { type: "undo" }],
  ["y", { type: "redo" }],
]);

/** Returns null for key strokes without a meaning on the canvas. Caps Lock makes no difference. */
export function readCanvasKey(stroke: KeyStroke, singleKeys = true): CanvasKey | null {
  const { shiftKey } = stroke;
  const direction = arrowDirections.get(stroke.key);
  if (stroke.altKey) return shiftKey && direction ? { type: "nudge", direction, resizes: false } : null;
  const key = stroke.key.length === 1 ? stroke.key.toLowerCase() : stroke.key;
  const control = stroke.ctrlKey || stroke.metaKey;
  if (control && shiftKey && direction) return { type: "nudge", direction, resizes: true };
  if (control && shiftKey) return key === "z" ? { type: "redo" } : null;
  if (control) return controlKeys.get(key) ?? readNavigationKey(stroke);
  const canvasKey = readNavigationKey(stroke) ?? (shiftKey ? null : plainKeys.get(key));
  if (canvasKey || !singleKeys || (shiftKey && /[a-z]/.test(key))) return canvasKey ?? null;
  return characterKeys.get(key) ?? null;
}
