import { useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import { boundsOfAll, boxOf } from "../scene/notes";
import { toOpeningViewport, toViewportShowing } from "./opening-view";

export function useVisibleArea(): void {
  const { canvas, editor } = useCanvasSession();
  const flow = useStoreApi();
  useEffect(() => {
    let isFitted = false;
    let last = "";
    const reportVisibleArea = (): void => {
      const { width, height, panZoom } = flow.getState();
      if (width === 0 || height === 0 || !panZoom) return;
      if (!isFitted) {
        isFitted = true;
        const state = editor.store.getState();
        const bounds = boundsOfAll(state);
        const opening = bounds && toOpeningViewport(bounds, flow.getState(), state.arrangement.direction);
        const revealed = state.reveal && boxOf(state, state.reveal.key);
        if (opening)
          void panZoom.setViewport(revealed ? toViewportShowing(revealed, opening, flow.getState()) : opening);
        // The node in the address may be outside of the view.
        const [selected] = state.selection;
        if (selected !== undefined) editor.reveal(selected);
      }
      const [x, y, zoom] = flow.getState().transform;
      const now = `${x} ${y} ${zoom} ${width} ${height}`;
      if (now === last) return;
      last = now;
      canvas.setVisibleArea({ x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom });
    };
    reportVisibleArea();
    return flow.subscribe(reportVisibleArea);
  }, [canvas, editor, flow]);
}
