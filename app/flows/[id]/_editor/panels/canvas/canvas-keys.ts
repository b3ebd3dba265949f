import { type Direction, findNeighbour, findOutermost } from "@/app/_canvas/navigation/navigation";
import { activeKey, toggleActive } from "@/app/_canvas/state/active-node";
import { findBinding, type KeyStroke, type PaneKeys, toBindings } from "@/app/_ui/keys/key-chord";
import { parentKey } from "@/lib/core/flow/node-key";
import { findNote } from "@/lib/core/flow/note";
import { outlineFlow } from "@/lib/core/layout/outline";
import { openInspector } from "../../commands/open-inspector";
import { getCommand } from "../../commands/registry";
import type { Session } from "../../state/session";
import { moveSelected, resizeSelected } from "./move-selected";
import { leaveLink, walkLinks } from "./walk-links";

/** The keys of the canvas that are no commands. */
export const canvasKeys: readonly PaneKeys<Session>[] = [
  {
    title: "Next and previous step of the series, in either layout direction",
    handlers: { "↓": move("down"), "↑": move("up") },
  },
  { title: "Adjacent parallel lane", handlers: { "→": move("right"), "←": move("left") } },
  { title: "First and last card", handlers: { Home: selectOutermost(false), End: selectOutermost(true) } },
  { title: "Select or deselect the card", handlers: { Space: toggleActive } },
  {
    title: "Extend the selection",
    shownChords: "Shift ↓, Shift →",
    handlers: {
      "Shift ↓": move("down", true),
      "Shift ↑": move("up", true),
      "Shift →": move("right", true),
      "Shift ←": move("left", true),
    },
  },
  { title: "Open the inspector, or edit the text of a note", handlers: { Enter: enter } },
  { title: "Step through the links of the card; Enter or + inserts, Del deletes", handlers: { E: walkLinks } },
  {
    title: "Move the card or note, with any arrow key",
    shownChords: "Alt Shift ↓",
    handlers: {
      "Alt Shift ↓": nudge(moveSelected, "down"),
      "Alt Shift ↑": nudge(moveSelected, "up"),
      "Alt Shift →": nudge(moveSelected, "right"),
      "Alt Shift ←": nudge(moveSelected, "left"),
    },
  },
  {
    title: "Resize the note, with any arrow key",
    shownChords: "Ctrl Shift ↓",
    handlers: {
      "Ctrl Shift ↓": nudge(resizeSelected, "down"),
      "Ctrl Shift ↑": nudge(resizeSelected, "up"),
      "Ctrl Shift →": nudge(resizeSelected, "right"),
      "Ctrl Shift ←": nudge(resizeSelected, "left"),
    },
  },
  { title: "Go to the group, the flow, the toolbar; from the inspector to the canvas", handlers: { Esc: leave } },
];

const bindings = toBindings(canvasKeys);

/** The handler of a key that is no command; null: the canvas does not use it. */
export const findCanvasKey = (stroke: KeyStroke, singleKeys = true): ((session: Session) => void) | null =>
  findBinding(bindings, stroke, { scope: "canvas", singleKeys });

function move(direction: Direction, extend = false) {
  return (session: Session): void => {
    const { editor, camera } = session;
    if (editor.store.getState().edge !== null) leaveLink(session);
    const { flow, layout, selection } = editor.store.getState();
    const next = findNeighbour(outlineFlow(flow, layout.notes), activeKey(session), direction);
    if (next === null) return;
    editor.select(extend ? [...selection.filter((key) => key !== next), next] : [next]);
    camera.reveal(next);
  };
}

function nudge(apply: (session: Session, dx: number, dy: number) => void, direction: Direction) {
  const canvasPixels = 20;
  const offsets: Record<Direction, readonly [dx: number, dy: number]> = {
    left: [-canvasPixels, 0],
    right: [canvasPixels, 0],
    up: [0, -canvasPixels],
    down: [0, canvasPixels],
  };
  return (session: Session): void => apply(session, ...offsets[direction]);
}

function selectOutermost(last: boolean) {
  return ({ editor, actions }: Session): void => {
    const { flow, layout } = editor.store.getState();
    const key = findOutermost(outlineFlow(flow, layout.notes), last);
    if (key !== null) actions.show(key);
  };
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
  else document.querySelector<HTMLElement>("#canvas-tools button:not(:disabled)")?.focus();
}
