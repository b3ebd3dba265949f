import type { PointerEvent as ReactPointerEvent } from "react";
import type { StoreApi } from "zustand/vanilla";
import type { CanvasNode } from "../mapping/canvas-nodes";
import type { PointerOverlay } from "../surface/overlay";
import { useOverviewGestures } from "../surface/use-overview-gestures";
import type { PictureSession } from "./picture-session";

export function usePictureGestures({ camera, canvas, choose }: PictureSession, overlay: StoreApi<PointerOverlay>) {
  const overview = useOverviewGestures(overlay, { click: (key) => choose(key) });
  return {
    onNodeClick: (_event: unknown, node: CanvasNode): void => choose(node.id),
    onNodeDoubleClick: (_event: unknown, node: CanvasNode): void => {
      if (node.type === "frame") camera.fit([node.id]);
    },
    onPaneClick: (): void => {
      if (!canvas.getState().overview) choose(null);
    },
    /** A click on a card moves the focus to the canvas. */
    onPointerDownCapture: (event: ReactPointerEvent<HTMLDivElement>): void => {
      event.currentTarget.focus({ preventScroll: true });
      overview.press(event);
    },
    onPointerMove: overview.point,
    onPointerLeave: overview.leave,
    onDoubleClick: overview.zoomIn,
  };
}
