"use client";

import {
  Background,
  BackgroundVariant,
  type EdgeTypes,
  type NodeTypes,
  ReactFlow,
  ReactFlowProvider,
  SelectionMode,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import "./canvas.css";
import { useRef, useState } from "react";
import { useStore } from "zustand";
import { useMedia } from "@/app/_ui/use-media";
import { partDrops } from "../insert/drop-part";
import { PartsStrip } from "../insert/parts-strip";
import { SearchSlot } from "../search/search-slot";
import { useEditorState, useSession, useView } from "../session-context";
import { AgentCard, UnknownCard } from "./agent-card";
import { CanvasHints } from "./canvas-hints";
import { Frame, Place, Zone } from "./frame-nodes";
import { Link } from "./link-edge";
import { Minimap } from "./minimap";
import { NoteCard } from "./note-card";
import { boundsOfAll } from "./notes";
import { createOverlay } from "./overlay";
import { Overview } from "./overview";
import { useActiveDescendant } from "./use-active-descendant";
import { useCamera } from "./use-camera";
import { useCanvasGestures } from "./use-canvas-gestures";
import { useCanvasKeys } from "./use-canvas-keys";
import { farZoom } from "./use-far";
import { useMounted } from "./use-mounted";
import { useSettling } from "./use-settling";
import { useStage } from "./use-stage";

const nodeTypes: NodeTypes = {
  agent: AgentCard,
  unknown: UnknownCard,
  frame: Frame,
  place: Place,
  zone: Zone,
  note: NoteCard,
};
const edgeTypes: EdgeTypes = { link: Link };
const multiSelectionKeys = ["Shift", "Meta", "Control"];
const middleButton = [1];
/** Smallest picture, in pixels, that the whole of any flow must fit into. */
const smallestView = 280;
/** The flow as a picture that can be edited. One Tab stop; arrows move within. */
export function Canvas() {
  return (
    <ReactFlowProvider>
      <CanvasInner />
    </ReactFlowProvider>
  );
}

function CanvasInner() {
  const session = useSession();
  const { canvas } = session;
  const overview = useStore(canvas, (state) => state.overview);
  const box = useRef<HTMLDivElement>(null);
  const [overlay] = useState(createOverlay);
  const gestures = useCanvasGestures(overlay);
  const keys = useCanvasKeys();
  const extent = useEditorState((state) => {
    const { width, height } = boundsOfAll(state) ?? { width: 1, height: 1 };
    return Math.max(width, height, 1);
  });
  const { screenToFlowPosition } = useReactFlow();
  /** A finger on the empty canvas moves it; a mouse draws a selection. */
  const touch = useMedia("(pointer: coarse)") === true;
  const showActive = useActiveDescendant(box);
  const connecting = useView((view) => view.connecting !== null);
  useCamera(box);
  useMounted();
  useStage();
  useSettling(box);

  return (
    <div
      className="relative min-h-0 flex-1"
      data-connecting={connecting || undefined}
      {...partDrops(session, screenToFlowPosition)}
    >
      <ReactFlow
        ref={box}
        id="flow-canvas"
        className="canvas"
        aria-label="Flow canvas"
        aria-describedby="canvas-help"
        tabIndex={0}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        {...gestures}
        onKeyDown={keys}
        onMove={(_, { zoom }) => box.current?.toggleAttribute("data-far", zoom < farZoom)}
        onMoveEnd={showActive}
        nodesFocusable={false}
        edgesFocusable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={multiSelectionKeys}
        selectionOnDrag={!touch}
        selectionMode={SelectionMode.Full}
        panOnDrag={touch || middleButton}
        panOnScroll
        zoomOnDoubleClick={false}
        minZoom={Math.min(0.4, smallestView / extent)}
        maxZoom={2}
        connectionRadius={32}
        connectionDragThreshold={4}
        nodeDragThreshold={3}
        elevateNodesOnSelect={false}
        defaultMarkerColor={null}
        attributionPosition="bottom-left"
      >
        <Overview overlay={overlay} />
        {!overview && <Background variant={BackgroundVariant.Dots} gap={20} size={1.2} color="var(--canvas-dot)" />}
      </ReactFlow>
      <Minimap />
      <CanvasHints />
      <PartsStrip />
      <SearchSlot />
    </div>
  );
}
