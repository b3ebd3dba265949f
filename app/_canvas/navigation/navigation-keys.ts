import type { Direction } from "./navigation";

export type NavigationKey =
  | { type: "move"; direction: Direction; extend: boolean }
  | { type: "edge"; last: boolean }
  | { type: "open" | "escape" | "fit" | "fit-selection" | "actual-size" };

export interface KeyStroke {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
  altKey: boolean;
}

export const arrowDirections: ReadonlyMap<string, Direction> = new Map([
  ["ArrowLeft", "left"],
  ["ArrowRight", "right"],
  ["ArrowUp", "up"],
  ["ArrowDown", "down"],
]);

const plainKeys: ReadonlyMap<string, NavigationKey> = new Map<string, NavigationKey>([
  ["Enter", { type: "open" }],
  ["Escape", { type: "escape" }],
  ["Home", { type: "edge", last: false }],
  ["End", { type: "edge", last: true }],
]);

/** By key code: the characters of these keys depend on the keyboard layout. */
const shiftCodes: ReadonlyMap<string, NavigationKey> = new Map<string, NavigationKey>([
  ["Digit1", { type: "fit" }],
  ["Digit2", { type: "fit-selection" }],
]);

/** Returns null for every other key stroke. */
export function readNavigationKey(stroke: KeyStroke): NavigationKey | null {
  const { key, shiftKey } = stroke;
  if (stroke.altKey) return null;
  if (stroke.ctrlKey || stroke.metaKey) return key === "0" && !shiftKey ? { type: "actual-size" } : null;
  const direction = arrowDirections.get(key);
  if (direction) return { type: "move", direction, extend: shiftKey };
  return (shiftKey ? shiftCodes.get(stroke.code) : plainKeys.get(key)) ?? null;
}
