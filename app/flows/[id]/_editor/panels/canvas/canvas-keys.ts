import type { KeyboardEvent } from "react";
import { insertButtonId, nodeDomId } from "@/app/_canvas/cards/node-dom-id";
import { type ArrowDirection, findNeighbour, findOutermost } from "@/app/_canvas/navigation/navigation";
import { isAlong, isForward } from "@/app/_canvas/navigation/nearest";
import { activeKey, toggleActive } from "@/app/_canvas/state/active-node";
import { findBinding, type KeyStroke, type PaneKeys, toBindings } from "@/app/_ui/keys/key-chord";
import { singleKeysAreOn } from "@/app/_ui/keys/single-keys";
import { parentKey } from "@/lib/core/flow/node-key";
import { findNote, isNoteKey } from "@/lib/core/flow/note";
import { isFoldable } from "@/lib/core/layout/folded-agents";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { openInspector } from "../../commands/open-inspector";
import { findCommand, getCommand, isAllowed } from "../../commands/registry";
import type { Session } from "../../state/session";
import { useSession } from "../../state/session-context";
import { moveSelected, resizeSelected } from "./move-selected";
import { leaveLink, walkLinks } from "./walk-links";

type CanvasKeyHandler = (session: Session) => void;

/** The keys of the canvas that are no commands. */
export const canvasKeys: readonly PaneKeys<Session>[] = [
  {
    title: "Nearest card in that direction; along the flow, the next and previous step",
    handlers: withArrows("", (direction) => move(direction)),
  },
  {
    title: "Add an agent in that direction: after or before along the flow, otherwise beside",
    shownChords: "Ctrl →, Ctrl ↓",
    handlers: withArrows("Ctrl", (direction) => addTowards(direction)),
  },
  { title: "First and last card", handlers: { Home: selectOutermost(false), End: selectOutermost(true) } },
  { title: "Fold or unfold a group; select or deselect a card", handlers: { Space: foldOrSelect } },
  {
    title: "Extend the selection",
    shownChords: "Shift ↓, Shift →",
    handlers: withArrows("Shift", (direction) => move(direction, true)),
  },
  {
    title: "Open the menu of the card, link or canvas",
    shownChords: "Shift F10, Menu",
    handlers: { "Shift F10": openContextMenu, ContextMenu: openContextMenu },
  },
  { title: "Open the inspector, or edit the text of a note", handlers: { Enter: enter } },
  { title: "Step through the links of the card; Enter or + inserts, Del deletes", handlers: { E: walkLinks } },
  {
    title: "Move the card or note, with any arrow key",
    shownChords: "Alt Shift ↓",
    handlers: withArrows("Alt Shift", (direction) => nudge(moveSelected, direction)),
  },
  {
    title: "Resize the note, with any arrow key",
    shownChords: "Ctrl Shift ↓",
    handlers: withArrows("Ctrl Shift", (direction) => nudge(resizeSelected, direction)),
  },
  { title: "Go to the group, the flow, the toolbar; from the inspector to the canvas", handlers: { Esc: leave } },
];

const bindings = toBindings(canvasKeys);

/** The handler of a key that is no command; null: the canvas does not use it. */
export const findCanvasKey = (stroke: KeyStroke, singleKeys = true): CanvasKeyHandler | null =>
  findBinding(bindings, stroke, { scope: "canvas", singleKeys });

export function useCanvasKeys(): (event: KeyboardEvent<HTMLDivElement>) => void {
  const session = useSession();
  return (event) => {
    if (event.target !== event.currentTarget || event.defaultPrevented) return;
    const command = findCommand(event, "canvas", singleKeysAreOn());
    const handler = command ? null : findCanvasKey(event, singleKeysAreOn());
    if (!command && !handler) return;
    event.preventDefault();
    event.stopPropagation();
    if (command && isAllowed(command, session)) command.run(session, activeKey(session));
    else handler?.(session);
  };
}

function withArrows(modifiers: string, toHandler: (direction: ArrowDirection) => CanvasKeyHandler) {
  const arrows = { "↓": "down", "↑": "up", "→": "right", "←": "left" } as const;
  return Object.fromEntries(
    Object.entries(arrows).map(([arrow, direction]) => [`${modifiers} ${arrow}`.trim(), toHandler(direction)]),
  );
}

function move(direction: ArrowDirection, extend = false) {
  return (session: Session): void => {
    const { editor, camera } = session;
    if (editor.store.getState().edge !== null) leaveLink(session);
    const state = editor.store.getState();
    const { selection } = state;
    const next = findNeighbour(state, activeKey(session), direction);
    if (next === null) return;
    editor.select(extend ? [...selection.filter((key) => key !== next), next] : [next]);
    camera.reveal(next);
  };
}

function addTowards(direction: ArrowDirection) {
  return (session: Session): void => {
    const { actions, editor } = session;
    const target = activeKey(session);
    if (target === null || isNoteKey(target)) actions.addAgent();
    else if (!isAlong(direction, editor.store.getState().arrangement.direction))
      actions.addLane(target, isForward(direction) ? "after" : "before");
    else if (isForward(direction)) actions.addAfter(target);
    else actions.addBefore(target);
  };
}

function nudge(apply: (session: Session, dx: number, dy: number) => void, direction: ArrowDirection) {
  const canvasPixels = direction === "left" || direction === "up" ? -20 : 20;
  const isHorizontal = direction === "left" || direction === "right";
  return (session: Session): void => (isHorizontal ? apply(session, canvasPixels, 0) : apply(session, 0, canvasPixels));
}

function selectOutermost(last: boolean) {
  return ({ editor, actions }: Session): void => {
    const key = findOutermost(editor.store.getState(), last);
    if (key !== null) actions.show(key);
  };
}

function foldOrSelect(session: Session): void {
  const { actions, editor } = session;
  const { arrangement, flow } = editor.store.getState();
  const node = indexNodes(arrangement).get(activeKey(session) ?? "");
  if (node?.folded) actions.fold([node.key], false);
  else if (node?.frame && isFoldable(flow, node.name)) actions.fold([node.key], true);
  else toggleActive(session);
}

/** At the card or link that the keys act on, otherwise in the middle of the canvas. */
function openContextMenu(session: Session): void {
  const { editor, view } = session;
  const { edge, selection } = editor.store.getState();
  const target = activeKey(session);
  if (edge === null && target !== null && !selection.includes(target)) editor.select([target]);
  const id = edge !== null ? insertButtonId(edge) : target !== null ? nodeDomId(target) : "";
  const element = document.getElementById(id) ?? document.getElementById("flow-canvas");
  const { left = 0, top = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
  view.setState({ surface: { type: "context", at: { x: left + width / 2, y: top + height / 2 } } });
}

/** Completes a connection, inserts into a selected link, edits a note, or opens the inspector. */
function enter(session: Session): void {
  const { actions, camera, editor, view } = session;
  const { connecting } = view.getState();
  const { edge, layout } = editor.store.getState();
  const target = activeKey(session);
  if (connecting !== null && target !== null) {
    view.setState({ connecting: null });
    if (target !== connecting) actions.connect(connecting, target);
  } else if (edge !== null) getCommand("insert").run(session);
  else if (target !== null && findNote(layout.notes, target) && !session.canvas.getState().overview) {
    camera.reveal(target);
    view.setState({ writing: target });
  } else openInspector(session, "flow-canvas");
}

/** Cancels a connection or leaves a link, then goes to the frame, the flow itself, and the toolbar. */
function leave(session: Session): void {
  const { editor, view } = session;
  const { arrangement, edge, selection } = editor.store.getState();
  const frame = parentKey(activeKey(session) ?? "");
  if (view.getState().connecting !== null) view.setState({ connecting: null });
  else if (edge !== null) leaveLink(session);
  else if (arrangement.nodes.some((node) => node.key === frame)) editor.select([frame]);
  else if (selection.length > 0) editor.select([]);
  else document.querySelector<HTMLElement>("#insert-tools button:not(:disabled)")?.focus();
}
