import { useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import type { CanvasState } from "../state/canvas-store";

/**
 * Gives React Flow the nodes and links that are mounted. Not as its properties: it would render itself anew with every
 * frame of a drag, where only the card that moves has to.
 */
export function useMountedNodes(): void {
  const { canvas } = useCanvasSession();
  const flow = useStoreApi();
  useEffect(() => {
    const update = ({ nodes, edges }: CanvasState, before?: CanvasState): void => {
      if (nodes !== before?.nodes) flow.getState().setNodes(nodes);
      if (edges !== before?.edges) flow.getState().setEdges(edges);
    };
    update(canvas.getState());
    return canvas.subscribe(update);
  }, [canvas, flow]);
}
