import type { KeyboardEvent } from "react";
import { type Direction, findNeighbour, findOutermost } from "@/app/_canvas/navigation/navigation";
import { activeKey, toggleActive } from "@/app/_canvas/state/active-node";
import { singleKeysAreOn } from "@/app/_ui/keys/single-keys";
import { type NodeKey, parentKey } from "@/lib/core/flow/node-key";
import { findNote, isNoteKey } from "@/lib/core/flow/note";
import { outlineFlow } from "@/lib/core/layout/outline";
import { duplicateSelection } from "../../commands/clipboard-commands";
import { openInspector } from "../../commands/open-inspector";
import { selectAll } from "../../commands/select-all";
import type { Session } from "../../state/session";
import { useSession } from "../../state/session-context";
import { openSearch } from "../search/open-search";
import { type CanvasKey, readCanvasKey } from "./canvas-keys";
import { moveSelected, resizeSelected } from "./move-selected";
import { leaveLink, walkLinks } from "./walk-links";

/** The keyboard's part of the canvas. Single keys work only while the canvas has the focus. */
export function useCanvasKeys(): (event: KeyboardEvent<HTMLDivElement>) => void {
  const session = useSession();
  return (event) => {
    if (event.target !== event.currentTarget || event.defaultPrevented) return;
    const key = readCanvasKey(event, singleKeysAreOn());
    if (!key) return;
    event.preventDefault();
    event.stopPropagation();
    press(key, session);
  };
}

function press(key: CanvasKey, session: Session): void {
  const { editor, commands, view } = session;
  if (key.type === "move") move(key, session);
  else if (key.type === "nudge") nudge(key, session);
  else if (key.type === "edge") selectOutermost(key.last, session);
  else if (key.type === "wrap") commands.wrap(key.wrap);
  else if (key.type === "add") add(key.side, session);
  else if (key.type === "open") enter(session);
  else if (key.type === "toggle") toggleActive(session);
  else if (key.type === "links") walkLinks(session);
  else if (key.type === "insert") insert(session);
  else if (key.type === "escape") leave(session);
  else if (key.type === "delete") commands.deleteSelection();
  else if (key.type === "duplicate") duplicateSelection(session);
  else if (key.type === "undo") editor.undo();
  else if (key.type === "redo") editor.redo();
  else if (key.type === "fit") view.setState({ fit: {} });
  else if (key.type === "fit-selection") view.setState({ fit: { keys: editor.store.getState().selection } });
  else if (key.type === "actual-size") view.setState({ fit: { actualSize: true } });
  else if (key.type === "help") view.setState({ surface: { type: "keys" } });
  else if (key.type === "search") openSearch(session);
  else if (key.type === "palette") view.setState({ surface: { type: "palette" } });
  else if (key.type === "connect") startLink(session);
  else if (key.type === "note") commands.addNote();
  else selectAll(session);
}

function add(side: "after" | "lane", session: Session): void {
  const active = activeKey(session);
  if (active === null) session.commands.addAgent();
  else if (side === "after") session.commands.addAfter(active);
  else session.commands.addLane(active);
}

/** Asks what should come into the selected link, or behind the active node. */
function insert({ view }: Session): void {
  view.setState({ surface: { type: "insert", target: { type: "selection" } } });
}

function move({ direction, extend }: Extract<CanvasKey, { type: "move" }>, session: Session): void {
  const { editor } = session;
  if (editor.store.getState().edge !== null) leaveLink(session);
  const { flow, layout, selection } = editor.store.getState();
  const next = findNeighbour(outlineFlow(flow, layout.notes), activeKey(session), direction);
  if (next === null) return;
  editor.select(extend ? [...selection.filter((key) => key !== next), next] : [next]);
  editor.reveal(next);
}

/** A link begins at a node; notes have none. */
function startLink(session: Session): void {
  const active = activeKey(session);
  if (active === null || !isNoteKey(active)) session.view.setState({ connecting: active });
}

/** How far one key stroke moves what is selected, or the corner of a note, in canvas pixels. */
const nudgeBy = 20;
const nudges: Record<Direction, { dx: number; dy: number }> = {
  left: { dx: -nudgeBy, dy: 0 },
  right: { dx: nudgeBy, dy: 0 },
  up: { dx: 0, dy: -nudgeBy },
  down: { dx: 0, dy: nudgeBy },
};

function nudge({ direction, resizes }: Extract<CanvasKey, { type: "nudge" }>, session: Session): void {
  const { dx, dy } = nudges[direction];
  if (resizes) resizeSelected(session, dx, dy);
  else moveSelected(session, dx, dy);
}

function selectOutermost(last: boolean, { editor }: Session): void {
  const { flow, layout } = editor.store.getState();
  const key = findOutermost(outlineFlow(flow, layout.notes), last);
  if (key === null) return;
  editor.select([key]);
  editor.reveal(key);
}

/** Enter ends connect mode with a link, inserts into a selected link, writes on a note, or opens the inspector. */
function enter(session: Session): void {
  const { commands, editor, view } = session;
  const { connecting } = view.getState();
  const { edge, layout } = editor.store.getState();
  const target = activeKey(session);
  if (connecting !== null && target !== null) {
    view.setState({ connecting: null });
    if (target !== connecting) commands.connect(connecting, target);
  } else if (edge !== null) insert(session);
  else if (target !== null && findNote(layout.notes, target) && !session.canvas.getState().overview) {
    editor.reveal(target);
    view.setState({ writing: target });
  } else openInspector(session, "flow-canvas");
}

/** Escape leaves connect mode or a link, then goes out to the frame, then to the flow itself, then to the toolbar. */
function leave(session: Session): void {
  const { editor, view } = session;
  const { arrangement, edge, selection } = editor.store.getState();
  const active = activeKey(session);
  const out: NodeKey = parentKey(active ?? "");
  if (view.getState().connecting !== null) view.setState({ connecting: null });
  else if (edge !== null) leaveLink(session);
  else if (arrangement.nodes.some((node) => node.key === out)) editor.select([out]);
  else if (selection.length > 0) editor.select([]);
  else document.querySelector<HTMLElement>("#canvas-tools button:not(:disabled)")?.focus();
}
