export interface CanvasPoint {
  x: number;
  y: number;
}

export interface CanvasBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const distanceOf = (a: CanvasPoint, b: CanvasPoint): number => Math.hypot(a.x - b.x, a.y - b.y);

export function boundsOf(nodes: readonly CanvasBox[]): CanvasBox | null {
  if (nodes.length === 0) return null;
  let [minX, minY, maxX, maxY] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, -Infinity, -Infinity];
  for (const { x, y, width, height } of nodes) {
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x + width);
    maxY = Math.max(maxY, y + height);
  }
  return { x: minX, y: minY, width: maxX - minX, height: maxY - minY };
}

export const overlaps = (a: CanvasBox, b: CanvasBox): boolean =>
  a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;

/** Whether `inner` lies in `outer`. */
export const contains = (outer: CanvasBox, inner: CanvasBox): boolean =>
  outer.x <= inner.x &&
  outer.y <= inner.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

interface CanvasViewport {
  x: number;
  y: number;
  zoom: number;
}

/** What a viewport of this size shows, in canvas pixels. */
export const toVisibleBox = (viewport: CanvasViewport, width: number, height: number): CanvasBox =>
  toCanvasBox({ x: 0, y: 0, width, height }, viewport);

/** Where a viewport shows a box, in CSS pixels. */
export const toScreenBox = (box: CanvasBox, { x, y, zoom }: CanvasViewport): CanvasBox => ({
  x: box.x * zoom + x,
  y: box.y * zoom + y,
  width: box.width * zoom,
  height: box.height * zoom,
});

/** What a viewport shows in a box of CSS pixels. */
export const toCanvasBox = (box: CanvasBox, { x, y, zoom }: CanvasViewport): CanvasBox => ({
  x: (box.x - x) / zoom,
  y: (box.y - y) / zoom,
  width: box.width / zoom,
  height: box.height / zoom,
});

export function isInView(box: CanvasBox, viewport: CanvasViewport, area: { width: number; height: number }): boolean {
  const { x, y, width, height } = toScreenBox(box, viewport);
  return x >= 0 && y >= 0 && x + width <= area.width && y + height <= area.height;
}
