import { Maximize, ZoomIn, ZoomOut } from "lucide-react";
import { useCanvasSession, useFlowState } from "@/app/_canvas/state/canvas-session";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { zoomStep } from "./picture-keys";

export function ZoomControls() {
  const { camera } = useCanvasSession();
  const isEmpty = useFlowState(({ arrangement }) => arrangement.nodes.length === 0);
  if (isEmpty) return null;
  return (
    <div
      role="group"
      aria-label="View of the canvas"
      className="absolute right-3 bottom-3 z-10 flex gap-0.5 rounded-lg border border-line bg-surface-raised p-0.5"
    >
      <IconButton label="Zoom out (-)" onClick={() => camera.zoomBy(1 / zoomStep)}>
        <ZoomOut size={15} aria-hidden />
      </IconButton>
      <IconButton label="Zoom in (+)" onClick={() => camera.zoomBy(zoomStep)}>
        <ZoomIn size={15} aria-hidden />
      </IconButton>
      <IconButton label="Actual size (0)" onClick={camera.showActualSize}>
        <span className="font-semibold text-[11px]">1:1</span>
      </IconButton>
      <IconButton label="Fit view (Shift 1)" onClick={() => camera.fit()}>
        <Maximize size={15} aria-hidden />
      </IconButton>
    </div>
  );
}
