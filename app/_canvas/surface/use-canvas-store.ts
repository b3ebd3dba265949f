import { useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import { toVisibleBox } from "../scene/canvas-box";
import { boundsOfAll, boxOf } from "../scene/notes";
import { activeKey } from "../state/active-node";
import type { CanvasState } from "../state/canvas-store";
import { toOpeningViewport, toViewportShowing } from "./opening-view";

/** Opens the view, reports the visible area, and mounts the nodes of the canvas store. */
export function useCanvasStore(): void {
  const session = useCanvasSession();
  const flow = useStoreApi();
  useEffect(() => {
    let isFitted = false;
    let last = "";
    const reportVisibleArea = (): void => {
      const { width, height, panZoom } = flow.getState();
      if (width === 0 || height === 0 || !panZoom) return;
      if (!isFitted) {
        isFitted = true;
        const state = session.editor.store.getState();
        const bounds = boundsOfAll(state);
        const opening = bounds && toOpeningViewport(bounds, flow.getState(), state.arrangement.direction);
        const active = boxOf(state, activeKey(session) ?? "");
        if (opening) void panZoom.setViewport(active ? toViewportShowing(active, opening, flow.getState()) : opening);
      }
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
