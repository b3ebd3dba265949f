import { getViewportForBounds, type Viewport } from "@xyflow/react";
import type { FlowDirection } from "@/lib/core/flow/edit";
import { type CanvasBox, isInView } from "../scene/canvas-box";

const padding = 32;
const below = 64;

interface ViewSize {
  width: number;
  height: number;
  minZoom: number;
}

/** At most at actual size. */
export const toFittingViewport = (bounds: CanvasBox, { width, height, minZoom }: ViewSize): Viewport =>
  getViewportForBounds(bounds, width, height, minZoom, 1, {
    x: `${padding}px`,
    top: `${padding}px`,
    bottom: `${below}px`,
  });

/** Smaller cards can hardly be read; a flow is opened so that they can. */
const readable = { least: 0.3, usual: 0.8 };
/** A fitted flow that fills less of the height is a thin line. */
const thin = 0.25;

/** The whole flow, or its beginning where the whole would be unreadably small. */
export function toOpeningViewport(bounds: CanvasBox, area: ViewSize, direction: FlowDirection): Viewport {
  const fitting = toFittingViewport(bounds, area);
  const down = direction === "down";
  const share = down ? bounds.width / area.width : bounds.height / area.height;
  if (fitting.zoom >= readable.least || share * fitting.zoom > thin) return fitting;
  const zoom = Math.max(readable.least, Math.min(readable.usual, readable.usual / share));
  return down
    ? { x: area.width / 2 - (bounds.x + bounds.width / 2) * zoom, y: padding - bounds.y * zoom, zoom }
    : {
        x: padding - bounds.x * zoom,
        y: (area.height + padding - below) / 2 - (bounds.y + bounds.height / 2) * zoom,
        zoom,
      };
}

export const toViewportShowing = (box: CanvasBox, viewport: Viewport, area: Omit<ViewSize, "minZoom">): Viewport =>
  isInView(box, viewport, area)
    ? viewport
    : {
        x: area.width / 2 - (box.x + box.width / 2) * viewport.zoom,
        y: area.height / 2 - (box.y + box.height / 2) * viewport.zoom,
        zoom: viewport.zoom,
      };
