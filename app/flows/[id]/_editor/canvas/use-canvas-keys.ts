import type { KeyboardEvent } from "react";
import { type NodeKey, parentKey } from "@/lib/core/flow/keys";
import type { Session } from "../session";
import { useSession } from "../session-context";
import { type CanvasKey, readCanvasKey } from "./canvas-keys";
import { indexNodes, outermost, pinMoved } from "./gestures";
import { type Direction, findNeighbour, readingOrder } from "./navigation";

/** The keyboard's part of the canvas. Single keys work only while the canvas has the focus. */
export function useCanvasKeys(): (event: KeyboardEvent<HTMLDivElement>) => void {
  const session = useSession();
  return (event) => {
    if (event.target !== event.currentTarget) return;
    const key = readCanvasKey(event);
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    press(key, session);
  };
}

function press(key: CanvasKey, session: Session): void {
  const { editor, commands, view } = session;
  if (key.type === "move") move(key, session);
  else if (key.type === "nudge") nudge(key.direction, session);
  else if (key.type === "edge") selectOutermost(key.last, session);
  else if (key.type === "wrap") commands.wrap(key.wrap);
  else if (key.type === "add") add(key.side, session);
  else if (key.type === "open") enter(session);
  else if (key.type === "escape") leave(session);
  else if (key.type === "delete") commands.deleteSelection();
  else if (key.type === "undo") editor.undo();
  else if (key.type === "redo") editor.redo();
  else if (key.type === "fit") view.setState({ fit: {} });
  else if (key.type === "palette") view.setState({ surface: { type: "palette" } });
  else if (key.type === "connect") view.setState({ connecting: activeKey(session) });
  else editor.select(editor.store.getState().arrangement.nodes.map((node) => node.key));
}

/** The node that arrow keys start from: the one selected last. */
const activeKey = ({ editor }: Session): NodeKey | null => editor.store.getState().selection.at(-1) ?? null;

function add(side: "after" | "lane", session: Session): void {
  const active = activeKey(session);
  if (active === null) session.commands.addAgent();
  else if (side === "after") session.commands.addAfter(active);
  else session.commands.addLane(active);
}

function move({ direction, extend }: Extract<CanvasKey, { type: "move" }>, { editor }: Session): void {
  const { arrangement, selection } = editor.store.getState();
  const next = findNeighbour(arrangement, selection.at(-1) ?? null, direction);
  if (next === null) return;
  editor.select(extend ? [...selection.filter((key) => key !== next), next] : [next]);
  editor.reveal(next);
}

/** How far one key stroke moves a node, in canvas pixels. */
const nudgeBy = 20;
const nudges: Record<Direction, { dx: number; dy: number }> = {
  left: { dx: -nudgeBy, dy: 0 },
  right: { dx: nudgeBy, dy: 0 },
  up: { dx: 0, dy: -nudgeBy },
  down: { dx: 0, dy: nudgeBy },
};

function nudge(direction: Direction, { editor, commands }: Session): void {
  const { selection, layout, arrangement } = editor.store.getState();
  const moved = outermost(indexNodes(arrangement), selection).map(({ key }) => ({ key, ...nudges[direction] }));
  if (moved.length > 0) commands.edit(...pinMoved(layout.pins, moved));
}

function selectOutermost(last: boolean, { editor }: Session): void {
  const node = readingOrder(editor.store.getState().arrangement).at(last ? -1 : 0);
  if (!node) return;
  editor.select([node.key]);
  editor.reveal(node.key);
}

/** Enter ends connect mode with a link, or opens the inspector. */
function enter(session: Session): void {
  const { commands, view } = session;
  const { connecting } = view.getState();
  const target = activeKey(session);
  if (connecting !== null && target !== null) {
    view.setState({ connecting: null });
    if (target !== connecting) commands.connect(connecting, target);
    return;
  }
  view.setState({ inspectorOpen: true, narrowPane: "inspector" });
  requestAnimationFrame(() => document.querySelector<HTMLElement>("[data-inspector-first]")?.focus());
}

/** Escape leaves connect mode, then goes out to the frame, then selects nothing. */
function leave(session: Session): void {
  const { editor, view } = session;
  const { arrangement, edge } = editor.store.getState();
  const out = parentKey(activeKey(session) ?? "");
  if (view.getState().connecting !== null) view.setState({ connecting: null });
  else if (edge !== null) editor.selectEdge(null);
  else editor.select(arrangement.nodes.some((node) => node.key === out) ? [out] : []);
}
