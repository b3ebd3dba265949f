import { Background, BackgroundVariant, ReactFlow, type ReactFlowProps } from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import "../cards/cards.css";
import "./canvas.css";
import { useRef } from "react";
import { useStore } from "zustand";
import type { StoreApi } from "zustand/vanilla";
import { useCanvasSession, useFlowState } from "@/app/_canvas/state/canvas-session";
import type { CanvasNode, LinkEdge } from "../mapping/canvas-nodes";
import { boundsOfAll } from "../scene/notes";
import { useHasRun, useManyRunning } from "../state/node-statuses";
import { BeyondChips } from "./beyond-chips";
import { FollowRun } from "./follow-run";
import { leastZoomOf } from "./opening-view";
import type { PointerOverlay } from "./overlay";
import { Overview } from "./overview";
import { useKeyboardFocus } from "./pointer-focus";
import { showScale } from "./show-scale";
import { useActiveDescendant } from "./use-active-descendant";
import { useCamera } from "./use-camera";
import { useCanvasStore } from "./use-canvas-store";
import { useMoveTransition } from "./use-move-transition";

/** A zoom changes the cards no more often: each change costs the style of all of them. */
const scalePauseMs = 250;

type SurfaceProps = { overlay: StoreApi<PointerOverlay> } & ReactFlowProps<CanvasNode, LinkEdge>;

/** Needs a ReactFlowProvider and a CanvasContext above it. */
export function CanvasSurface({ overlay, ...reactFlowProps }: SurfaceProps) {
  const { canvas, camera } = useCanvasSession();
  const overview = useStore(canvas, (state) => state.overview);
  const box = useRef<HTMLDivElement>(null);
  const minZoom = useFlowState((state) => leastZoomOf(boundsOfAll(state) ?? { width: 1, height: 1 }));
  const hasRun = useHasRun();
  const hasManyRunning = useManyRunning();
  const markActive = useActiveDescendant(box);
  const scaleShownAt = useRef(0);
  useCamera(box);
  useCanvasStore();
  useMoveTransition(box);
  useKeyboardFocus(box);

  return (
    <ReactFlow<CanvasNode, LinkEdge>
      ref={box}
      className="canvas"
      data-run={hasRun || undefined}
      data-many-running={hasManyRunning || undefined}
      tabIndex={0}
      onMove={(event, { zoom }) => {
        // Only what users do has an event.
        if (event) camera.reportUserMove();
        const now = performance.now();
        if (now - scaleShownAt.current < scalePauseMs) return;
        scaleShownAt.current = now;
        showScale(box.current, zoom);
      }}
      onMoveEnd={(_, { zoom }) => {
        showScale(box.current, zoom);
        markActive();
      }}
      nodesFocusable={false}
      edgesFocusable={false}
      disableKeyboardA11y
      deleteKeyCode={null}
      selectionKeyCode={null}
      panOnScroll
      zoomOnDoubleClick={false}
      minZoom={minZoom}
      maxZoom={2}
      elevateNodesOnSelect={false}
      defaultMarkerColor={null}
      attributionPosition="bottom-left"
      {...reactFlowProps}
    >
      <Overview overlay={overlay} />
      <FollowRun />
      {!overview && <BeyondChips />}
      {!overview && <Background variant={BackgroundVariant.Dots} gap={20} size={1.2} color="var(--canvas-dot)" />}
    </ReactFlow>
  );
}
