import { useStoreApi } from "@xyflow/react";
import { useEffect } from "react";
import { useSession } from "../session-context";
import { boundsOfAll } from "./notes";
import { toOpening } from "./opening-view";

/** Shows the flow as soon as the canvas has a size; from then on tells what of the flow is seen. */
export function useStage(): void {
  const { canvas, editor } = useSession();
  const flow = useStoreApi();
  useEffect(() => {
    let isFitted = false;
    let last = "";
    const look = (): void => {
      const { width, height, panZoom } = flow.getState();
      if (width === 0 || height === 0 || !panZoom) return;
      if (!isFitted) {
        isFitted = true;
        const state = editor.store.getState();
        const bounds = boundsOfAll(state);
        if (bounds) void panZoom.setViewport(toOpening(bounds, flow.getState(), state.arrangement.direction));
      }
      const [x, y, zoom] = flow.getState().transform;
      const now = `${x} ${y} ${zoom} ${width} ${height}`;
      if (now === last) return;
      last = now;
      canvas.look({ x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom });
    };
    look();
    return flow.subscribe(look);
  }, [canvas, editor, flow]);
}
