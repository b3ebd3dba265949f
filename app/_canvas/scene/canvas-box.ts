export interface CanvasBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function boundsOf(nodes: readonly CanvasBox[]): CanvasBox | null {
  if (nodes.length === 0) return null;
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -Infinity, -Infinity];
  for (const { x, y, width, height } of nodes) {
    left = Math.min(left, x);
    top = Math.min(top, y);
    right = Math.max(right, x + width);
    bottom = Math.max(bottom, y + height);
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

export const overlaps = (a: CanvasBox, b: CanvasBox): boolean =>
  a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;

interface CanvasViewport {
  x: number;
  y: number;
  zoom: number;
}

/** What a viewport of this size shows, in canvas pixels. */
export const toVisibleBox = ({ x, y, zoom }: CanvasViewport, width: number, height: number): CanvasBox => ({
  x: -x / zoom,
  y: -y / zoom,
  width: width / zoom,
  height: height / zoom,
});

/** Where a viewport shows a box, in CSS pixels. */
export const toScreenBox = (box: CanvasBox, { x, y, zoom }: CanvasViewport): CanvasBox => ({
  x: box.x * zoom + x,
  y: box.y * zoom + y,
  width: box.width * zoom,
  height: box.height * zoom,
});

export function isInView(box: CanvasBox, viewport: CanvasViewport, area: { width: number; height: number }): boolean {
  const { x, y, width, height } = toScreenBox(box, viewport);
  return x >= 0 && y >= 0 && x + width <= area.width && y + height <= area.height;
}
