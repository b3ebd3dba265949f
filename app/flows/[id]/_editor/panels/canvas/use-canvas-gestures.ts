import {
  applyNodeChanges,
  type Connection,
  type EdgeChange,
  type FinalConnectionState,
  type NodeChange,
} from "@xyflow/react";
import type { MouseEvent as ReactMouseEvent, PointerEvent as ReactPointerEvent } from "react";
import type { StoreApi } from "zustand/vanilla";
import { type CanvasNode, findMoved, type LinkEdge } from "@/app/_canvas/mapping/canvas-mapping";
import type { Overlay } from "@/app/_canvas/surface/overlay";
import { useOverviewGestures } from "@/app/_canvas/surface/use-overview-gestures";
import { toPositionEdits } from "../../state/edits/position-edits";
import { useSession } from "../../state/session-context";
import { moveSelected } from "./move-selected";
import { holdInOverview, selectAt } from "./overview-drag";
import { useFrameDrop } from "./use-frame-drop";

/** The pointer's part of the canvas, as props of React Flow: every gesture ends in a command. */
export function useCanvasGestures(overlay: StoreApi<Overlay>) {
  const session = useSession();
  const { editor, canvas, commands, view } = session;
  const overview = useOverviewGestures(overlay, {
    click: (key, adds) => selectAt(session, key, adds),
    hold: (key) => holdInOverview(session, overlay, key),
  });

  const frames = useFrameDrop();

  /** Selection goes through the editor; positions stay with the canvas until the drop. */
  const onNodesChange = (changes: NodeChange<CanvasNode>[]): void => {
    const moves = changes.filter(isMove);
    if (moves.length > 0) canvas.setState(({ nodes }) => ({ nodes: applyNodeChanges(moves, nodes) }));
    const selected = new Set(editor.store.getState().selection);
    let touched = false;
    for (const change of changes) {
      if (change.type !== "select") continue;
      touched = true;
      if (change.selected) selected.add(change.id);
      else selected.delete(change.id);
    }
    if (touched) editor.select([...selected]);
  };

  const onEdgesChange = (changes: EdgeChange<LinkEdge>[]): void => {
    for (const change of changes) {
      if (change.type !== "select") continue;
      if (change.selected) editor.selectEdge(change.id);
      else if (editor.store.getState().edge === change.id) editor.selectEdge(null);
    }
  };

  /** Into or out of a frame, else a new place in the picture. Nodes that are selected but not mounted go with those that are. */
  const onNodeDragStop = (event: { altKey: boolean }, node: CanvasNode, dragged: CanvasNode[]): void => {
    if (!frames.drop(event, node, dragged)) pinDropped(node, dragged);
    canvas.hold([]);
  };

  const pinDropped = (node: CanvasNode, dragged: CanvasNode[]): void => {
    const { arrangement, layout, selection } = editor.store.getState();
    const [moved] = findMoved([node], arrangement, layout.notes);
    if (moved && selection.length > 1 && selection.includes(node.id)) moveSelected(session, moved.dx, moved.dy);
    else {
      const edits = toPositionEdits(layout, findMoved(dragged, arrangement, layout.notes));
      if (edits.length > 0) commands.edit(...edits);
    }
  };

  const onConnect = ({ source, target }: Connection): void => commands.connect(source, target);

  /** A link let go beside every handle: on a card it connects, on the empty canvas it adds an agent. */
  const onConnectEnd = (
    event: MouseEvent | TouchEvent,
    { isValid, fromNode, fromHandle }: FinalConnectionState,
  ): void => {
    canvas.hold([]);
    if (isValid || !fromNode) return;
    const forward = fromHandle?.type !== "target";
    const point = "changedTouches" in event ? event.changedTouches[0] : event;
    const under = point ? document.elementFromPoint(point.clientX, point.clientY) : null;
    const card = under?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
    if (card === undefined) {
      if (under?.closest(".react-flow__pane")) commands.addLinked(fromNode.id, forward ? "after" : "before");
    } else if (card !== fromNode.id) {
      if (forward) commands.connect(fromNode.id, card);
      else commands.connect(card, fromNode.id);
    }
  };

  return {
    onNodesChange,
    onEdgesChange,
    onNodeDrag: frames.drag,
    onNodeDragStart: (_event: unknown, _node: CanvasNode, dragged: CanvasNode[]): void =>
      canvas.hold(dragged.map((node) => node.id)),
    onNodeDragStop,
    onConnect,
    onConnectStart: (_event: unknown, { nodeId }: { nodeId: string | null }): void =>
      canvas.hold(nodeId === null ? [] : [nodeId]),
    onConnectEnd,
    /** A click on one of several selected cards means this one; dragging still moves them all. */
    onNodeClick: (event: ReactMouseEvent, node: CanvasNode): void => {
      const adds = event.shiftKey || event.metaKey || event.ctrlKey;
      if (!adds && editor.store.getState().selection.length > 1) editor.select([node.id]);
      view.setState({ inspectorSheet: true });
    },
    onNodeDoubleClick: (_event: unknown, node: CanvasNode): void => {
      if (node.type === "note") view.setState({ writing: node.id });
      else if (node.type === "frame") view.setState({ fit: { keys: [node.id] } });
      else view.setState({ inspectorOpen: true, narrowPane: "inspector" });
    },
    onPaneClick: (): void => {
      if (canvas.getState().overview) return;
      editor.select([]);
      editor.selectEdge(null);
    },
    /** A click on a card is a click on the canvas: the keyboard follows the pointer. */
    onPointerDownCapture: (event: ReactPointerEvent<HTMLDivElement>): void => {
      const isControl = event.target instanceof Element && event.target.closest("button, textarea") !== null;
      if (!isControl) event.currentTarget.focus({ preventScroll: true });
      view.setState({ connecting: null });
      if (overview.press(event)) event.stopPropagation();
    },
    onPointerMove: overview.point,
    onPointerLeave: overview.leave,
    onDoubleClick: overview.zoomIn,
  };
}

/** Somebody drags a node, or the corner of a note; other sizes are given, not measured. */
const isMove = (change: NodeChange<CanvasNode>): boolean =>
  change.type === "position" || (change.type === "dimensions" && change.resizing !== undefined);
