import { useReactFlow, useStoreApi } from "@xyflow/react";
import { type RefObject, useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { boundsOf, isInView } from "../scene/canvas-box";
import { boundsOfAll, boxOf } from "../scene/notes";
import { toFittingViewport } from "./opening-view";

/** No motion for users who prefer reduced motion. */
export const cameraDuration = (): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150);

/** A flow that was completely visible stays so when it grows; otherwise the edited node comes into view. */
export function useCamera(box: RefObject<HTMLDivElement | null>): void {
  const { camera, editor } = useCanvasSession();
  const { setCenter, getViewport, setViewport, zoomTo } = useReactFlow();
  const flow = useStoreApi();

  useEffect(() => {
    let frame = 0;
    const showAll = (keys?: readonly NodeKey[]): void => {
      frame = 0;
      const state = editor.store.getState();
      const bounds = keys ? boundsOf(keys.flatMap((key) => boxOf(state, key) ?? [])) : boundsOfAll(state);
      if (bounds) void setViewport(toFittingViewport(bounds, flow.getState()), { duration: cameraDuration() });
    };
    const fitSoon = (keys?: readonly NodeKey[]): void => {
      cancelAnimationFrame(frame);
      // A pane that opens at the same time has its size one frame later.
      frame = requestAnimationFrame(() => showAll(keys));
    };
    const stopEditor = editor.store.subscribe((state, before) => {
      const area = box.current?.getBoundingClientRect();
      if (!area || state.flow === before.flow) return;
      const [previousBounds, bounds] = [boundsOfAll(before), boundsOfAll(state)];
      const wasWhole = previousBounds === null || isInView(previousBounds, getViewport(), area);
      if (bounds && wasWhole && !isInView(bounds, getViewport(), area)) fitSoon();
    });
    const detach = camera.attach({
      fit: fitSoon,
      reveal(key) {
        const node = boxOf(editor.store.getState(), key);
        const area = box.current?.getBoundingClientRect();
        if (!node || !area || frame !== 0 || isInView(node, getViewport(), area)) return;
        const { zoom } = getViewport();
        void setCenter(node.x + node.width / 2, node.y + node.height / 2, { zoom, duration: cameraDuration() });
      },
      showActualSize: () => void zoomTo(1, { duration: cameraDuration() }),
      zoomBy: (factor) => void zoomTo(getViewport().zoom * factor, { duration: cameraDuration() }),
    });
    return () => {
      stopEditor();
      detach();
      cancelAnimationFrame(frame);
    };
  }, [camera, editor, box, flow, getViewport, setCenter, setViewport, zoomTo]);
}
