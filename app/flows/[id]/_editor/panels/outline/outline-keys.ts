import type { MoveWay } from "@/lib/core/flow/move-in-expression";
import type { Outline } from "@/lib/core/layout/outline";
import { titleOf } from "./describe-row";

/** What a key in the outline asks for. */
export type OutlineKey =
  | { type: "go"; by: number; extend: boolean }
  | { type: "edge"; last: boolean; extend: boolean }
  | { type: "in" | "out" | "inspect" | "toggle" | "rename" | "delete" | "menu" | "group" | "select-all" | "canvas" }
  | { type: "add"; side: "after" | "lane" }
  | { type: "move"; way: MoveWay }
  | { type: "find"; letter: string };

interface Stroke {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

const page = 10;
const steps: ReadonlyMap<string, number> = new Map([
  ["ArrowUp", -1],
  ["ArrowDown", 1],
  ["PageUp", -page],
  ["PageDown", page],
]);

const plain: ReadonlyMap<string, OutlineKey> = new Map<string, OutlineKey>([
  ["ArrowRight", { type: "in" }],
  ["ArrowLeft", { type: "out" }],
  ["Enter", { type: "inspect" }],
  [" ", { type: "toggle" }],
  ["F2", { type: "rename" }],
  ["Delete", { type: "delete" }],
  ["Backspace", { type: "delete" }],
  ["ContextMenu", { type: "menu" }],
  ["Escape", { type: "canvas" }],
]);

const withControl: ReadonlyMap<string, OutlineKey> = new Map<string, OutlineKey>([
  ["ArrowDown", { type: "add", side: "after" }],
  ["ArrowRight", { type: "add", side: "lane" }],
  [" ", { type: "toggle" }],
  ["a", { type: "select-all" }],
  ["g", { type: "group" }],
]);

const withAlt: ReadonlyMap<string, OutlineKey> = new Map<string, OutlineKey>([
  ["ArrowUp", { type: "move", way: "up" }],
  ["ArrowDown", { type: "move", way: "down" }],
  ["ArrowLeft", { type: "move", way: "out" }],
  ["ArrowRight", { type: "move", way: "in" }],
]);

/** Reads a key stroke; null: the outline has no use for it. */
export function readOutlineKey({ key, ctrlKey, metaKey, shiftKey, altKey }: Stroke): OutlineKey | null {
  if (altKey) return shiftKey ? null : (withAlt.get(key) ?? null);
  if (ctrlKey || metaKey) return shiftKey ? null : (withControl.get(key.toLowerCase()) ?? withControl.get(key) ?? null);
  if (key === "F10") return shiftKey ? { type: "menu" } : null;
  const by = steps.get(key);
  if (by !== undefined) return { type: "go", by, extend: shiftKey };
  if (key === "Home" || key === "End") return { type: "edge", last: key === "End", extend: shiftKey };
  return plain.get(key) ?? (key.length === 1 ? { type: "find", letter: key } : null);
}

/** The row, at or behind `from` and then from the top, whose title begins with what was typed; -1: none. */
export function findRowByPrefix(outline: Outline, rows: readonly number[], from: number, typed: string): number {
  const prefix = typed.toLowerCase();
  const fits = (row: number | undefined): boolean => {
    const item = outline.items[row ?? -1];
    return item !== undefined && titleOf(item).toLowerCase().startsWith(prefix);
  };
  for (let step = 0; step < rows.length; step++) {
    const position = (from + step) % rows.length;
    if (fits(rows[position])) return position;
  }
  return -1;
}
