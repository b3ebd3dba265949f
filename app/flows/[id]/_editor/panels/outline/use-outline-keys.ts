import { type KeyboardEvent, useRef } from "react";
import type { OutlineItem } from "@/lib/core/layout/outline";
import { openInspector } from "../../commands/open-inspector";
import { selectAll } from "../../commands/select-all";
import type { Session } from "../../state/session";
import { useSession } from "../../state/session-context";
import { findRowByPrefix, type OutlineKey, readOutlineKey } from "./outline-keys";
import { moveRow, treeId } from "./row-actions";
import { findInner, type OutlineTree } from "./use-outline-tree";

/** A pause after which the next letter begins a new word. */
const typingPauseMs = 600;

interface Doors {
  rename(id: string): void;
  menu(): void;
}

/** The keyboard's part of the outline. */
export function useOutlineKeys(tree: OutlineTree, doors: Doors): (event: KeyboardEvent<HTMLElement>) => void {
  const session = useSession();
  const typed = useRef({ text: "", at: 0 });
  return (event) => {
    if (event.target !== event.currentTarget) return;
    const key = readOutlineKey(event);
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    if (key.type === "find") {
      const now = Date.now();
      const text = now - typed.current.at < typingPauseMs ? typed.current.text + key.letter : key.letter;
      typed.current = { text, at: now };
      // One letter goes on to the next such row, more of them narrow down where one stands.
      const match = findRowByPrefix(tree.outline, tree.rows, tree.active + Number(text.length === 1), text);
      if (match >= 0) tree.go(match, "only");
    } else press(key, tree, session, doors);
  };
}

function press(key: Exclude<OutlineKey, { type: "find" }>, tree: OutlineTree, session: Session, doors: Doors): void {
  const { rows, active, outline } = tree;
  const item = outline.items[rows[active] ?? -1];
  const { commands, view } = session;
  if (key.type === "go") tree.go(clamp(active + key.by, rows.length), key.extend ? "extend" : "only");
  else if (key.type === "edge") tree.go(key.last ? rows.length - 1 : 0, key.extend ? "extend" : "only");
  else if (key.type === "toggle") tree.go(active, "toggle");
  else if (key.type === "in") goIn(tree, item);
  else if (key.type === "out") goOut(tree, item);
  else if (key.type === "inspect") openInspector(session, treeId);
  else if (key.type === "delete") commands.deleteSelection();
  else if (key.type === "group") commands.wrap("extract-group");
  else if (key.type === "select-all") selectAll(session);
  else if (key.type === "menu") doors.menu();
  else if (key.type === "canvas") {
    view.setState({ narrowPane: "canvas" });
    requestAnimationFrame(() => document.getElementById("flow-canvas")?.focus());
  } else if (key.type === "add") add(key.side, item, session);
  else if (item?.node && key.type === "move") moveRow(session, item, key.way);
  else if (item?.node && item.node.type !== "unknown") doors.rename(item.id);
}

function add(side: "after" | "lane", item: OutlineItem | undefined, { commands }: Session): void {
  if (!item?.node) commands.addAgent();
  else if (side === "after") commands.addAfter(item.node.key);
  else commands.addLane(item.node.key);
}

const clamp = (position: number, count: number): number => Math.min(Math.max(position, 0), count - 1);

/** Opens a closed row, or goes to the first that it holds. */
function goIn(tree: OutlineTree, item: OutlineItem | undefined): void {
  const firstChild = findInner(tree.outline, tree.rows, tree.active);
  if (item && tree.closed.has(item.id)) tree.toggle(item.id);
  else if (firstChild !== null) tree.go(firstChild, "only");
}

/** Closes an open row, or goes to the one that holds it. */
function goOut(tree: OutlineTree, item: OutlineItem | undefined): void {
  const { rows, active, closed } = tree;
  if (!item) return;
  const holds = item.end > (rows[active] ?? -1) + 1;
  if (holds && !closed.has(item.id)) tree.toggle(item.id);
  else if (item.parent >= 0) tree.go(rows.indexOf(item.parent), "only");
}
