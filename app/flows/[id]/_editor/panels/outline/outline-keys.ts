import { type KeyboardEvent, useRef } from "react";
import { findBinding, type KeyStroke, type PaneKeys, toBindings } from "@/app/_ui/keys/key-chord";
import type { MoveWay } from "@/lib/core/flow/move-in-expression";
import type { Outline, OutlineItem } from "@/lib/core/layout/outline";
import { openInspector } from "../../commands/open-inspector";
import { findCommand } from "../../commands/registry";
import type { Session } from "../../state/session";
import { useSession } from "../../state/session-context";
import { titleOf } from "./describe-row";
import { moveRow, rowChords, treeId } from "./row-actions";
import { findInner, type OutlineTree } from "./use-outline-tree";

export interface OutlineKeyContext {
  session: Session;
  tree: OutlineTree;
  item: OutlineItem | undefined;
  rename(id: string): void;
  openMenu(): void;
}

type OutlineKeyHandler = (context: OutlineKeyContext) => void;

const rowsPerPage = 10;
const typingPauseMs = 600;

export const outlineKeys: readonly PaneKeys<OutlineKeyContext>[] = [
  {
    title: "Move; type a name to go to it",
    shownChords: "↓, ↑, Home, End",
    handlers: {
      "↓": step(1),
      "↑": step(-1),
      PageDown: step(rowsPerPage),
      PageUp: step(-rowsPerPage),
      Home: step(Number.NEGATIVE_INFINITY),
      End: step(Number.POSITIVE_INFINITY),
    },
  },
  { title: "Expand and collapse, go in and out", handlers: { "→": goIn, "←": goOut } },
  {
    title: "Extend the selection",
    shownChords: "Shift ↓, Ctrl Space",
    handlers: {
      "Shift ↓": step(1, "extend"),
      "Shift ↑": step(-1, "extend"),
      "Shift PageDown": step(rowsPerPage, "extend"),
      "Shift PageUp": step(-rowsPerPage, "extend"),
      "Shift Home": step(Number.NEGATIVE_INFINITY, "extend"),
      "Shift End": step(Number.POSITIVE_INFINITY, "extend"),
      "Ctrl Space": ({ tree }) => tree.go(tree.active, "toggle"),
      Space: ({ tree }) => tree.go(tree.active, "toggle"),
    },
  },
  {
    title: "Edit it in the inspector; Esc returns",
    handlers: { [rowChords.edit]: ({ session }) => openInspector(session, treeId) },
  },
  {
    title: "Rename in place",
    handlers: {
      [rowChords.rename]: ({ item, rename }) => {
        if (item?.node && item.node.type !== "unknown") rename(item.id);
      },
    },
  },
  {
    title: "Move among its siblings",
    handlers: { [rowChords.up]: moveActive("up"), [rowChords.down]: moveActive("down") },
  },
  {
    title: "Move out of its group, or into the preceding one",
    handlers: { [rowChords.out]: moveActive("out"), [rowChords.in]: moveActive("in") },
  },
  {
    title: "All actions for the row",
    shownChords: "Shift F10",
    handlers: { "Shift F10": ({ openMenu }) => openMenu(), ContextMenu: ({ openMenu }) => openMenu() },
  },
  { title: "Go to the canvas", handlers: { Esc: goToCanvas } },
];

const bindings = toBindings(outlineKeys);

export const findOutlineKey = (stroke: KeyStroke): OutlineKeyHandler | null =>
  findBinding(bindings, stroke, { scope: "outline" });

/** Null: the key types no character. */
export const readTypedCharacter = ({ key, ctrlKey, metaKey, altKey }: KeyStroke): string | null =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey ? key : null;

/** Wraps around; -1: no match. */
export function findRowByPrefix(outline: Outline, rows: readonly number[], start: number, typed: string): number {
  const prefix = typed.toLowerCase();
  const matches = (row: number | undefined): boolean => {
    const item = outline.items[row ?? -1];
    return item !== undefined && titleOf(item).toLowerCase().startsWith(prefix);
  };
  for (let offset = 0; offset < rows.length; offset++) {
    const position = (start + offset) % rows.length;
    if (matches(rows[position])) return position;
  }
  return -1;
}

export function useOutlineKeys(
  tree: OutlineTree,
  { rename, openMenu }: Pick<OutlineKeyContext, "rename" | "openMenu">,
): (event: KeyboardEvent<HTMLElement>) => void {
  const session = useSession();
  const typed = useRef({ text: "", at: 0 });
  const goToTyped = (character: string): void => {
    const now = Date.now();
    const text = now - typed.current.at < typingPauseMs ? typed.current.text + character : character;
    typed.current = { text, at: now };
    // A single letter goes on to the next match, more letters narrow down the current one.
    const row = findRowByPrefix(tree.outline, tree.rows, tree.active + Number(text.length === 1), text);
    if (row >= 0) tree.go(row, "only");
  };
  return (event) => {
    if (event.target !== event.currentTarget) return;
    const item = tree.outline.items[tree.rows[tree.active] ?? -1];
    const command = findCommand(event, "outline");
    const handler = command ? null : findOutlineKey(event);
    const character = command || handler ? null : readTypedCharacter(event);
    if (command) command.run(session, item?.node?.key ?? null);
    else if (handler) handler({ session, tree, item, rename, openMenu });
    else if (character !== null) goToTyped(character);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function step(count: number, mode: "only" | "extend" = "only"): OutlineKeyHandler {
  return ({ tree }) => tree.go(Math.min(Math.max(tree.active + count, 0), tree.rows.length - 1), mode);
}

function moveActive(way: MoveWay): OutlineKeyHandler {
  return ({ session, item }) => {
    if (item) moveRow(session, item, way);
  };
}

function goIn({ tree, item }: OutlineKeyContext): void {
  const firstChild = findInner(tree.outline, tree.rows, tree.active);
  if (item && tree.closed.has(item.id)) tree.toggle(item.id);
  else if (firstChild !== null) tree.go(firstChild, "only");
}

function goOut({ tree, item }: OutlineKeyContext): void {
  if (!item) return;
  const { rows, active, closed } = tree;
  const hasChildren = item.end > (rows[active] ?? -1) + 1;
  if (hasChildren && !closed.has(item.id)) tree.toggle(item.id);
  else if (item.parent >= 0) tree.go(rows.indexOf(item.parent), "only");
}

function goToCanvas({ session }: OutlineKeyContext): void {
  session.view.setState({ narrowPane: "canvas" });
  requestAnimationFrame(() => document.getElementById("flow-canvas")?.focus());
}
