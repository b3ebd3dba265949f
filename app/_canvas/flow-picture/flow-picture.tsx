import { type EdgeTypes, type NodeTypes, ReactFlowProvider } from "@xyflow/react";
import { type PointerEvent, useEffect, useId, useState } from "react";
import type { StoreApi } from "zustand/vanilla";
import { type Layout, sameLayout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { Link } from "../cards/link-edge";
import { flowNodeTypes } from "../cards/node-types";
import { NotePaper } from "../cards/note-paper";
import type { CanvasNode } from "../mapping/canvas-nodes";
import { CanvasContext } from "../state/canvas-session";
import { CanvasSurface } from "../surface/canvas-surface";
import { Minimap } from "../surface/minimap";
import { createPointerOverlay, type PointerOverlay } from "../surface/overlay";
import { focusByPointer } from "../surface/pointer-focus";
import { useOverviewGestures } from "../surface/use-overview-gestures";
import { ZoomControls } from "../surface/zoom-controls";
import { PictureHints } from "./picture-hints";
import { pictureKeys } from "./picture-keys";
import { createPictureSession, type PictureSession } from "./picture-session";

const nodeTypes: NodeTypes = { ...flowNodeTypes, note: NotePaper };
const edgeTypes: EdgeTypes = { link: Link };

export interface FlowPictureProps {
  /** Another text or layout replaces the flow. */
  source: string;
  layout: Layout;
  /** Pass unchanged statuses as the same objects: only changed cards render. */
  statuses: NodeStatuses;
  /** A key that is not on the canvas counts as null. */
  selected: NodeKey | null;
  /** Null: nothing is selected. */
  onSelect(key: NodeKey | null): void;
  label: string;
}

export default function FlowPicture({ source, layout, statuses, selected, onSelect, label }: FlowPictureProps) {
  const [opened, setOpened] = useState(() => openPicture(source, layout, selected));
  if (opened.source !== source || !sameLayout(opened.layout, layout)) setOpened(openPicture(source, layout, selected));
  const { picture } = opened;
  useEffect(() => picture.start(), [picture]);
  useEffect(() => picture.listen(onSelect), [picture, onSelect]);
  useEffect(() => picture.statuses.setState(statuses, true), [picture, statuses]);
  useEffect(() => {
    const [now = null] = picture.editor.store.getState().selection;
    if (now !== selected) picture.show(selected);
  }, [picture, selected]);
  return (
    <CanvasContext value={picture}>
      <ReactFlowProvider key={opened.number}>
        <PictureCanvas picture={picture} label={label} />
      </ReactFlowProvider>
    </CanvasContext>
  );
}

let openCount = 0;
const openPicture = (source: string, layout: Layout, selected: NodeKey | null) => ({
  source,
  layout,
  picture: createPictureSession({ source, layout, selected }),
  number: openCount++,
});

function PictureCanvas({ picture, label }: { picture: PictureSession; label: string }) {
  const [overlay] = useState(createPointerOverlay);
  const gestures = usePictureGestures(picture, overlay);
  const help = useId();
  return (
    <div className="@container relative size-full min-h-0 overflow-hidden">
      <CanvasSurface
        overlay={overlay}
        id="flow-picture"
        className="canvas canvas-still"
        aria-label={label}
        aria-describedby={help}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        {...gestures}
        onKeyDown={pictureKeys(picture)}
        nodesDraggable={false}
        nodesConnectable={false}
        elementsSelectable={false}
        connectOnClick={false}
        multiSelectionKeyCode={null}
        panActivationKeyCode={null}
        panOnDrag
      />
      <Minimap />
      <PictureHints id={help} />
      <ZoomControls />
    </div>
  );
}

function usePictureGestures({ camera, canvas, choose, fold }: PictureSession, overlay: StoreApi<PointerOverlay>) {
  const overview = useOverviewGestures(overlay, { click: (key) => choose(key) });
  return {
    onNodeClick: (_event: unknown, node: CanvasNode): void => choose(node.id),
    onNodeDoubleClick: (_event: unknown, node: CanvasNode): void => {
      if (node.type === "folded") fold([node.id], false);
      else if (node.type === "frame") camera.fit([node.id]);
    },
    onPaneClick: (): void => {
      if (!canvas.getState().overview) choose(null);
    },
    /** A click on a card moves the focus to the canvas. */
    onPointerDownCapture: (event: PointerEvent<HTMLDivElement>): void => {
      focusByPointer(event.currentTarget);
      overview.press(event);
    },
    onPointerMove: overview.point,
    onPointerLeave: overview.leave,
    onDoubleClick: overview.zoomIn,
  };
}
