import { type EdgeTypes, type NodeTypes, ReactFlowProvider, SelectionMode, useReactFlow } from "@xyflow/react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { flowNodeTypes } from "@/app/_canvas/cards/node-types";
import { CanvasSurface } from "@/app/_canvas/surface/canvas-surface";
import { Minimap } from "@/app/_canvas/surface/minimap";
import { createPointerOverlay } from "@/app/_canvas/surface/overlay";
import { ZoomControls } from "@/app/_canvas/surface/zoom-controls";
import { loadPart } from "@/app/_ui/loading/load-part";
import { useMedia } from "@/app/_ui/use-media";
import { useLive, useSession, useView } from "../../state/session-context";
import { Search } from "../search/search";
import { CanvasHints } from "./canvas-hints";
import { useCanvasKeys } from "./canvas-keys";
import { CanvasTools, DirectionTool } from "./canvas-tools";
import { DropPreview } from "./drop-preview";
import { insertDropHandlers } from "./insert-drop";
import { InsertLink } from "./insert-link";
import { InsertStrip } from "./insert-strip";
import { NoteCard } from "./note-card";
import { PictureUntilDrawn } from "./picture-until-drawn";
import { useCanvasGestures } from "./use-canvas-gestures";

const RemoteCanvas = dynamic(() => loadPart(() => import("../together/remote-canvas")), { ssr: false });
const AnswerCard = dynamic(() => loadPart(() => import("../answer/answer-card")), { ssr: false });

const nodeTypes: NodeTypes = { ...flowNodeTypes, note: NoteCard };
const edgeTypes: EdgeTypes = { link: InsertLink };
const multiSelectionKeys = ["Shift", "Meta", "Control"];
const middleButton = [1];

export function Canvas() {
  return (
    <ReactFlowProvider>
      <CanvasInner />
    </ReactFlowProvider>
  );
}

function CanvasInner() {
  const session = useSession();
  const [overlay] = useState(createPointerOverlay);
  const gestures = useCanvasGestures(overlay);
  const keys = useCanvasKeys();
  const viewport = useReactFlow();
  /** A finger pans the empty canvas; a mouse draws a selection. */
  const touch = useMedia("(pointer: coarse)") === true;
  const { mayEdit } = session.access;
  const connecting = useView((view) => view.connecting !== null);
  const hasEndedRun = useView(({ run, figures }) => run !== null && figures?.status === "SUCCESS");
  const hasPeers = useLive(({ peers }) => peers.length > 0);
  const isSearching = useView((view) => view.surface?.type === "search");

  return (
    <div
      className="[container-type:size] relative min-h-0 flex-1"
      data-connecting={connecting || undefined}
      {...insertDropHandlers(session, viewport)}
    >
      <CanvasSurface
        overlay={overlay}
        id="flow-canvas"
        aria-label="Flow canvas"
        aria-describedby="canvas-help"
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        {...gestures}
        onKeyDown={keys}
        multiSelectionKeyCode={multiSelectionKeys}
        selectionOnDrag={!touch}
        selectionMode={SelectionMode.Full}
        panOnDrag={touch || middleButton}
        nodesDraggable={mayEdit}
        nodesConnectable={mayEdit}
        connectionRadius={32}
        connectionDragThreshold={4}
        nodeDragThreshold={3}
      />
      <PictureUntilDrawn />
      <DropPreview />
      {hasPeers && <RemoteCanvas />}
      <Minimap />
      <CanvasHints />
      {mayEdit && <CanvasTools />}
      {mayEdit && <InsertStrip />}
      <ZoomControls>{mayEdit && <DirectionTool />}</ZoomControls>
      {hasEndedRun && <AnswerCard />}
      {isSearching && <Search />}
    </div>
  );
}
