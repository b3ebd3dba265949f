import {
  applyNodeChanges,
  type Connection,
  type EdgeChange,
  type FinalConnectionState,
  type NodeChange,
} from "@xyflow/react";
import type { MouseEvent as ReactMouseEvent, PointerEvent as ReactPointerEvent } from "react";
import type { StoreApi } from "zustand/vanilla";
import { insertButtonId } from "@/app/_canvas/cards/node-dom-id";
import { findMoved } from "@/app/_canvas/mapping/canvas-mapping";
import type { CanvasNode, LinkEdge } from "@/app/_canvas/mapping/canvas-nodes";
import type { PointerOverlay } from "@/app/_canvas/surface/overlay";
import { focusByPointer } from "@/app/_canvas/surface/pointer-focus";
import { useOverviewGestures } from "@/app/_canvas/surface/use-overview-gestures";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { clearOfCards, toPositionEdits } from "../../state/edits/position-edits";
import type { Session } from "../../state/session";
import { useSession } from "../../state/session-context";
import { moveSelected } from "./move-selected";
import { selectAt, toOverviewGesture } from "./overview-drag";
import { useFrameDrop } from "./use-frame-drop";

export function useCanvasGestures(overlay: StoreApi<PointerOverlay>) {
  const session = useSession();
  const frames = useFrameDrop();
  const overview = useOverviewGestures(overlay, {
    click: (key, adds) => selectAt(session, key, adds),
    hold: (key) => toOverviewGesture(session, overlay, key),
  });
  return {
    ...selectionHandlers(session),
    ...dragHandlers(session, frames),
    ...connectionHandlers(session),
    ...clickHandlers(session),
    ...hoverHandlers,
    ...contextHandlers(session, overview.keyAt),
    /** A click on a card moves the focus to the canvas. */
    onPointerDownCapture: (event: ReactPointerEvent<HTMLDivElement>): void => {
      const isControl = event.target instanceof Element && event.target.closest("button, textarea") !== null;
      if (!isControl) focusByPointer(event.currentTarget);
      session.view.setState({ connecting: null });
      if (overview.press(event)) event.stopPropagation();
    },
    onPointerMove: overview.point,
    onPointerLeave: overview.leave,
    onDoubleClick: overview.zoomIn,
  };
}

/** Selection goes through the editor; positions stay with the canvas until the drop. */
const selectionHandlers = ({ editor, canvas }: Session) => ({
  onNodesChange: (changes: NodeChange<CanvasNode>[]): void => {
    const moves = changes.filter(isMove);
    if (moves.length > 0) canvas.setState(({ nodes }) => ({ nodes: applyNodeChanges(moves, nodes) }));
    const selected = new Set(editor.store.getState().selection);
    let isChanged = false;
    for (const change of changes) {
      if (change.type !== "select") continue;
      isChanged = true;
      if (change.selected) selected.add(change.id);
      else selected.delete(change.id);
    }
    if (isChanged) editor.select([...selected]);
  },
  onEdgesChange: (changes: EdgeChange<LinkEdge>[]): void => {
    for (const change of changes) {
      if (change.type !== "select") continue;
      if (change.selected) editor.selectEdge(change.id);
      else if (editor.store.getState().edge === change.id) editor.selectEdge(null);
    }
  },
});

function dragHandlers(session: Session, frames: ReturnType<typeof useFrameDrop>) {
  const { editor, canvas, actions, live } = session;
  /** Selected nodes that are not mounted move with those that are. */
  const pinDropped = (node: CanvasNode, dragged: CanvasNode[]): void => {
    const { arrangement, layout, selection } = editor.store.getState();
    const [moved] = findMoved([node], arrangement, layout.notes);
    if (moved && selection.length > 1 && selection.includes(node.id)) moveSelected(session, moved.dx, moved.dy);
    else {
      const all = findMoved(dragged, arrangement, layout.notes);
      const [only] = all;
      const edits = toPositionEdits(layout, only && all.length === 1 ? [clearOfCards(only, arrangement)] : all);
      if (edits.length > 0) actions.edit(...edits);
    }
  };
  return {
    onNodeDragStart: (_event: unknown, _node: CanvasNode, dragged: CanvasNode[]): void =>
      canvas.keepMounted(dragged.map((node) => node.id)),
    onNodeDrag: (event: MouseEvent | TouchEvent, node: CanvasNode, dragged: CanvasNode[]): void => {
      frames.drag(event, node, dragged);
      const { arrangement, layout, selection } = editor.store.getState();
      const [moved] = findMoved([node], arrangement, layout.notes);
      if (moved) live.tell({ drag: { keys: [...selection].slice(0, 50), dx: moved.dx, dy: moved.dy } });
    },
    onNodeDragStop: (event: MouseEvent | TouchEvent, node: CanvasNode, dragged: CanvasNode[]): void => {
      if (!frames.drop(event, node, dragged)) pinDropped(node, dragged);
      canvas.keepMounted([]);
      live.tell({ drag: null });
    },
  };
}

const connectionHandlers = ({ canvas, actions }: Session) => ({
  onConnect: ({ source, target }: Connection): void => actions.connect(source, target),
  onConnectStart: (_event: unknown, { nodeId }: { nodeId: string | null }): void =>
    canvas.keepMounted(nodeId === null ? [] : [nodeId]),
  /** A link released away from the handles connects with the card there; on the empty canvas it adds an agent. */
  onConnectEnd: (event: MouseEvent | TouchEvent, { isValid, fromNode, fromHandle }: FinalConnectionState): void => {
    canvas.keepMounted([]);
    if (isValid || !fromNode) return;
    const isForward = fromHandle?.type !== "target";
    const point = "changedTouches" in event ? event.changedTouches[0] : event;
    const element = point ? document.elementFromPoint(point.clientX, point.clientY) : null;
    const card = element?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
    if (card === undefined) {
      if (element?.closest(".react-flow__pane")) actions.addLinked(fromNode.id, isForward ? "after" : "before");
    } else if (card !== fromNode.id) {
      if (isForward) actions.connect(fromNode.id, card);
      else actions.connect(card, fromNode.id);
    }
  },
});

const clickHandlers = ({ actions, camera, editor, canvas, view }: Session) => ({
  /** Selects this one of several selected cards; dragging still moves them all. */
  onNodeClick: (event: ReactMouseEvent, node: CanvasNode): void => {
    const adds = event.shiftKey || event.metaKey || event.ctrlKey;
    if (!adds && editor.store.getState().selection.length > 1) editor.select([node.id]);
    view.setState({ inspectorSheet: true });
  },
  onNodeDoubleClick: (_event: unknown, node: CanvasNode): void => {
    if (node.type === "note") view.setState({ writing: node.id });
    else if (node.type === "folded") actions.fold([node.id], false);
    else if (node.type === "frame") camera.fit([node.id]);
    else view.setState({ inspectorOpen: true, narrowPane: "inspector" });
  },
  onPaneClick: (): void => {
    if (canvas.getState().overview) return;
    editor.select([]);
    editor.selectEdge(null);
  },
});

/** The "+" of a link is not inside of the link, so that no rule of CSS reaches it. */
const markInsertButton = (edge: LinkEdge, isHovered: boolean): void =>
  void document.getElementById(insertButtonId(edge.id))?.toggleAttribute("data-hovered", isHovered);

const hoverHandlers = {
  onEdgeMouseEnter: (_event: unknown, edge: LinkEdge): void => markInsertButton(edge, true),
  onEdgeMouseLeave: (_event: unknown, edge: LinkEdge): void => markInsertButton(edge, false),
};

/** A right click selects what it is on, unless that is selected already. */
const contextHandlers = ({ canvas, editor, view }: Session, keyAt: (event: ReactMouseEvent) => NodeKey | null) => {
  const open = (event: ReactMouseEvent | MouseEvent, key: NodeKey | null): void => {
    event.preventDefault();
    const { selection } = editor.store.getState();
    if (key === null) {
      editor.select([]);
      editor.selectEdge(null);
    } else if (!selection.includes(key)) editor.select([key]);
    view.setState({ surface: { type: "context", at: { x: event.clientX, y: event.clientY } } });
  };
  return {
    onNodeContextMenu: (event: ReactMouseEvent, node: CanvasNode): void => open(event, node.id),
    onPaneContextMenu: (event: ReactMouseEvent | MouseEvent): void =>
      open(event, canvas.getState().overview && "nativeEvent" in event ? keyAt(event) : null),
    onEdgeContextMenu: (event: ReactMouseEvent, edge: LinkEdge): void => {
      event.preventDefault();
      editor.selectEdge(edge.id);
      view.setState({ surface: { type: "context", at: { x: event.clientX, y: event.clientY } } });
    },
  };
};

/** Only dragged positions and resized notes; all other sizes are given, not measured. */
const isMove = (change: NodeChange<CanvasNode>): boolean =>
  change.type === "position" || (change.type === "dimensions" && change.resizing !== undefined);
