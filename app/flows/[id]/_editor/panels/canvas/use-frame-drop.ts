import { useReactFlow } from "@xyflow/react";
import type { CanvasNode, LinkEdge } from "@/app/_canvas/mapping/canvas-nodes";
import { type DropPoint, planMove } from "../../state/edits/drop-plan";
import { useSession } from "../../state/session-context";
import { findEdgeAt } from "./find-edge-at";

/** Half the height of a frame's header, by which it is dragged. */
const headerMiddle = 18;

type DragPointer = MouseEvent | TouchEvent;

/** A card dragged onto a frame or a link moves there; with Alt only its position changes. */
export function useFrameDrop() {
  const { editor, canvas, actions, view } = useSession();
  const { getInternalNode, getZoom, screenToFlowPosition } = useReactFlow<CanvasNode, LinkEdge>();

  const plan = (event: DragPointer, node: CanvasNode, dragged: CanvasNode[]) => {
    const corner = getInternalNode(node.id)?.internals.positionAbsolute;
    const several = dragged.length > 1 || editor.store.getState().selection.filter((key) => key !== node.id).length > 0;
    if (event.altKey || several || !corner || node.type === "note") return null;
    const { width = 0, height = 0 } = node;
    const centre = { x: corner.x + width / 2, y: corner.y + (node.type === "frame" ? headerMiddle : height / 2) };
    const pointer = toPointer(event);
    const picture = editor.store.getState();
    const at = screenToFlowPosition(pointer);
    // Its own links follow the card.
    const edges = canvas.getState().edges.filter(({ source, target }) => source !== node.id && target !== node.id);
    const point: DropPoint = { ...at, edge: findEdgeAt({ arrangement: picture.arrangement, edges }, at, getZoom()) };
    const move = planMove(picture, node.id, { point, centre });
    return move && { ...move, pointer };
  };

  return {
    drag(event: DragPointer, node: CanvasNode, dragged: CanvasNode[]): void {
      const move = plan(event, node, dragged);
      const before = view.getState().drop;
      if (move || before) view.setState({ drop: move && { ...move.preview, pointer: move.pointer, isMove: true } });
    },
    /** Returns false when the frame stays the same or the move is rejected. */
    drop(event: DragPointer, node: CanvasNode, dragged: CanvasNode[]): boolean {
      view.setState({ drop: null });
      const move = plan(event, node, dragged);
      return move !== null && actions.edit(move.edit);
    },
  };
}

function toPointer(event: DragPointer): { x: number; y: number } {
  const point = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: point?.clientX ?? 0, y: point?.clientY ?? 0 };
}
