import { type ReactFlowState, useStore } from "@xyflow/react";
import { Maximize, Minus, Plus } from "lucide-react";
import type { ReactNode } from "react";
import { useCanvasSession, useFlowState } from "@/app/_canvas/state/canvas-session";
import { IconButton } from "../../_ui/controls/icon-button";
import { zoomStep } from "../state/camera";

/** Left out where there is little room: fingers zoom by themselves. */
const extraClass = "@max-[559px]:hidden";

const percentOf = ({ transform }: ReactFlowState): number => Math.round(transform[2] * 100);

/** `children`: further controls of the view. */
export function ZoomControls({ children }: { children?: ReactNode }) {
  const { camera } = useCanvasSession();
  const percent = useStore(percentOf);
  const isEmpty = useFlowState(({ arrangement }) => arrangement.nodes.length === 0);
  if (isEmpty) return null;
  return (
    <div
      role="group"
      aria-label="View of the canvas"
      className="absolute right-3 bottom-5 z-10 flex items-center gap-0.5 rounded-lg border border-line-strong bg-surface-raised p-0.5 shadow-card @min-[720px]:bottom-3"
    >
      <IconButton label="Zoom out (-)" className={extraClass} onClick={() => camera.zoomBy(1 / zoomStep)}>
        <Minus size={15} aria-hidden />
      </IconButton>
      <IconButton label="Actual size (0)" className={`relative w-10 ${extraClass}`} onClick={camera.showActualSize}>
        {/* Out of the flow: it changes in every frame of a zoom, and the page needs no new layout for it. */}
        <span className="absolute inset-0 overflow-hidden font-semibold text-xs leading-7 tabular-nums contain-strict">
          {percent} %
        </span>
      </IconButton>
      <IconButton label="Zoom in (=)" className={extraClass} onClick={() => camera.zoomBy(zoomStep)}>
        <Plus size={15} aria-hidden />
      </IconButton>
      <IconButton label="Fit view (Shift 1)" onClick={() => camera.fit()}>
        <Maximize size={15} aria-hidden />
      </IconButton>
      {children}
    </div>
  );
}
