"use client";

import { type EdgeTypes, type NodeTypes, ReactFlowProvider } from "@xyflow/react";
import { useEffect, useId, useState } from "react";
import { type Layout, sameLayout } from "@/lib/core/flow/edit";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { Link } from "../cards/link-edge";
import { flowNodeTypes } from "../cards/node-types";
import { NotePaper } from "../cards/note-paper";
import { CanvasContext } from "../state/canvas-session";
import { CanvasSurface } from "../surface/canvas-surface";
import { Minimap } from "../surface/minimap";
import { createPointerOverlay } from "../surface/overlay";
import { PictureHints } from "./picture-hints";
import { pictureKeys } from "./picture-keys";
import { createPictureSession, type PictureSession } from "./picture-session";
import { usePictureGestures } from "./use-picture-gestures";
import { ZoomControls } from "./zoom-controls";

const nodeTypes: NodeTypes = { ...flowNodeTypes, note: NotePaper };
const edgeTypes: EdgeTypes = { link: Link };

export interface FlowPictureProps {
  /** The flow's text. Another text or layout shows another flow, from the beginning. */
  source: string;
  layout: Layout;
  /** How its nodes are doing. Give what did not change as the same object: only cards whose own changed are rendered. */
  statuses: NodeStatuses;
  /** The selected card; it comes into view. A key that is not on the canvas counts as null. */
  selected: NodeKey | null;
  /** Somebody chose a card, or by null let go of it. */
  onSelect(key: NodeKey | null): void;
  /** What assistive technology calls the canvas. */
  label: string;
}

/** The canvas of a flow as it was saved, to look at: the editor's own, without everything that changes a flow. Fills what it stands in. */
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
    <div className="relative size-full min-h-0 overflow-hidden">
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
