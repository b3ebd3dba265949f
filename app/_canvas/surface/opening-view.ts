import { getViewportForBounds, type Viewport } from "@xyflow/system";
import type { FlowDirection } from "@/lib/core/flow/edit";
import { mostReadableCards, narrowScale, narrowWidth, readableScale } from "@/lib/core/layout/choose-arrangement";
import { type CanvasBox, isInView } from "@/lib/core/layout/scene/canvas-box";
import type { ViewArea } from "../state/flow-state";

const lowHeight = 400;

/** Clear of the toolbars that float over the canvas, at the top and at the bottom; a low view has no room for that. */
function marginsOf({ width, height }: ViewArea): { side: number; top: number; bottom: number } {
  if (width < narrowWidth) return { side: 16, top: 56, bottom: 72 };
  return height < lowHeight ? { side: 32, top: 24, bottom: 52 } : { side: 32, top: 56, bottom: 72 };
}

interface OpenedArrangement {
  direction: FlowDirection;
  /** Of a flow that is wrapped. */
  lines: readonly unknown[];
  nodes: readonly unknown[];
}

/** The labels of the rows of many agents are on the left. */
const hasLabels = ({ direction, lines, nodes }: OpenedArrangement): boolean =>
  lines.length > 0 && direction === "right" && nodes.length > mostReadableCards;
const labelRoom = 80;

interface ViewSize extends ViewArea {
  minZoom: number;
}

/** What is left of a view for the flow. */
export function toFreeArea(area: ViewArea): ViewArea {
  const { side, top, bottom } = marginsOf(area);
  const [width, height] = [Math.max(1, area.width - 2 * side), Math.max(1, area.height - top - bottom)];
  return { width, height, leastScale: area.leastScale };
}

const minViewSize = 280;

/** The scale at which a flow is at least this long, so that no one loses it. */
export const leastZoomOf = ({ width, height }: Pick<CanvasBox, "width" | "height">): number =>
  Math.min(0.4, minViewSize / Math.max(width, height, 1));

/** At most at actual size. */
export function toFittingViewport(bounds: CanvasBox, area: ViewSize, arrangement?: OpenedArrangement): Viewport {
  const { side, top, bottom } = marginsOf(area);
  return getViewportForBounds(bounds, area.width, area.height, area.minZoom, 1, {
    left: `${arrangement && hasLabels(arrangement) ? labelRoom : side}px`,
    right: `${side}px`,
    top: `${top}px`,
    bottom: `${bottom}px`,
  });
}

/** Where a flow of many agents would be a line of dots, its beginning is shown at this scale at least. */
const leastScale = 0.3;
/** A fitted flow that fills less of the height is a thin line. */
const thin = 0.25;

/** In a narrow view the width of the flow fits where its cards can still be told apart. */
function toReadableScale(bounds: CanvasBox, area: ViewArea): number {
  if (area.width >= narrowWidth) return readableScale;
  return Math.min(readableScale, Math.max(narrowScale, toFreeArea(area).width / bounds.width));
}

/** The whole flow where it can be read, or is an overview of many agents; otherwise its beginning, at a readable scale. */
export function toOpeningViewport(bounds: CanvasBox, area: ViewSize, arrangement: OpenedArrangement): Viewport {
  const fitting = toFittingViewport(bounds, area, arrangement);
  const scale = toReadableScale(bounds, area);
  if (fitting.zoom >= Math.min(scale, area.leastScale ?? scale)) return fitting;
  const { direction, lines, nodes } = arrangement;
  const isDown = direction === "down";
  const share = isDown ? bounds.width / area.width : bounds.height / area.height;
  const isLarge = nodes.length > mostReadableCards;
  if (isLarge && (fitting.zoom >= leastScale || share * fitting.zoom > thin)) return fitting;
  const zoom = isLarge ? Math.max(leastScale, Math.min(0.8, 0.8 / share)) : scale;
  const free = toFreeArea(area);
  const { side, top } = marginsOf(area);
  const centerX = side + free.width / 2 - (bounds.x + bounds.width / 2) * zoom;
  const centerY = top + free.height / 2 - (bounds.y + bounds.height / 2) * zoom;
  const [startX, startY] = [side - bounds.x * zoom, top - bounds.y * zoom];
  const [isWide, isHigh] = [bounds.width * zoom > free.width, bounds.height * zoom > free.height];
  const isWrapped = lines.length > 0;
  return {
    x: isWide && (!isDown || isWrapped) ? startX : centerX,
    y: isHigh && (isDown || isWrapped) ? startY : centerY,
    zoom,
  };
}

export const toViewportShowing = (box: CanvasBox, viewport: Viewport, area: ViewArea): Viewport =>
  isInView(box, viewport, area)
    ? viewport
    : {
        x: area.width / 2 - (box.x + box.width / 2) * viewport.zoom,
        y: area.height / 2 - (box.y + box.height / 2) * viewport.zoom,
        zoom: viewport.zoom,
      };
