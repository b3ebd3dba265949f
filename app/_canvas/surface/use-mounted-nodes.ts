import { useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import type { CanvasState } from "../state/canvas-store";

/** Not as props: React Flow would render itself with every frame of a drag. */
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
