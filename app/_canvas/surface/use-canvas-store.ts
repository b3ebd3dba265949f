import { useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import { toVisibleBox } from "@/lib/core/layout/scene/canvas-box";
import type { CanvasState } from "../state/canvas-store";
import { openView } from "./open-view";

/**
 * Opens the view, and again whenever its size changes until a user moves it; reports the visible area, and mounts the nodes
 * of the canvas store.
 */
export function useCanvasStore(): void {
  const session = useCanvasSession();
  const flow = useStoreApi();
  useEffect(() => {
    let size = "";
    let last = "";
    const reportVisibleArea = (): void => {
      const { width, height, panZoom } = flow.getState();
      if (width === 0 || height === 0 || !panZoom) return;
      const [sizeBefore, sizeNow] = [size, `${width} ${height}`];
      size = sizeNow;
      if (sizeBefore === "") session.camera.setAutomatic(true);
      if (sizeNow !== sizeBefore && (sizeBefore === "" || session.camera.isAutomatic()))
        openView(session, flow, { isFirst: sizeBefore === "" });
      const [x, y, zoom] = flow.getState().transform;
      const now = `${x} ${y} ${zoom} ${width} ${height}`;
      if (now === last) return;
      last = now;
      session.canvas.setVisibleArea(toVisibleBox({ x, y, zoom }, width, height));
    };
    // Not as props: React Flow would render itself with every frame of a drag.
    const mount = ({ nodes, edges }: CanvasState, before?: CanvasState): void => {
      if (nodes !== before?.nodes) flow.getState().setNodes(nodes);
      if (edges !== before?.edges) flow.getState().setEdges(edges);
    };
    mount(session.canvas.getState());
    const stopMounting = session.canvas.subscribe(mount);
    reportVisibleArea();
    const stopReporting = flow.subscribe(reportVisibleArea);
    return () => {
      stopMounting();
      stopReporting();
    };
  }, [session, flow]);
}
