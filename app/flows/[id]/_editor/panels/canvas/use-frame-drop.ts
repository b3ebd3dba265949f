import { useReactFlow } from "@xyflow/react";
import type { CanvasNode, LinkEdge } from "@/app/_canvas/mapping/canvas-nodes";
import { indexNodes } from "@/app/_canvas/scene/node-index";
import { type DropTarget, findDropTarget, toDropEdit } from "../../state/edits/drop-target";
import { useSession } from "../../state/session-context";

/** Half the height of a frame's header, by which it is dragged. */
const headerMiddle = 18;

interface Modified {
  altKey: boolean;
}

/** A card dragged onto a frame moves into it; with Alt only its position changes. */
export function useFrameDrop() {
  const { editor, actions, view } = useSession();
  const { getInternalNode } = useReactFlow<CanvasNode, LinkEdge>();

  const find = (event: Modified, node: CanvasNode, dragged: CanvasNode[]): DropTarget | null => {
    const corner = getInternalNode(node.id)?.internals.positionAbsolute;
    const several = dragged.length > 1 || editor.store.getState().selection.filter((key) => key !== node.id).length > 0;
    if (event.altKey || several || !corner || node.type === "note") return null;
    const { width = 0, height = 0 } = node;
    const point = { x: corner.x + width / 2, y: corner.y + (node.type === "frame" ? headerMiddle : height / 2) };
    return findDropTarget(editor.store.getState().arrangement, node.id, point);
  };

  return {
    drag(event: Modified, node: CanvasNode, dragged: CanvasNode[]): void {
      const drop = find(event, node, dragged);
      const name = indexNodes(editor.store.getState().arrangement).get(node.id)?.name ?? "";
      const before = view.getState().drop;
      const same = before?.frame === drop?.frame && before?.at?.member === drop?.at?.member;
      if (!same || before?.at?.side !== drop?.at?.side) view.setState({ drop: drop && { ...drop, name } });
    },
    /** Returns false when the frame stays the same or the move is rejected. */
    drop(event: Modified, node: CanvasNode, dragged: CanvasNode[]): boolean {
      view.setState({ drop: null });
      const drop = find(event, node, dragged);
      const { flow, arrangement } = editor.store.getState();
      const moved = indexNodes(arrangement).get(node.id);
      return drop !== null && moved !== undefined && actions.edit(toDropEdit(flow, moved, drop));
    },
  };
}
