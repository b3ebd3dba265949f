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

export function isInView(
  box: CanvasBox,
  viewport: { x: number; y: number; zoom: number },
  area: { width: number; height: number },
): boolean {
  const [left, top] = [box.x * viewport.zoom + viewport.x, box.y * viewport.zoom + viewport.y];
  const [right, bottom] = [left + box.width * viewport.zoom, top + box.height * viewport.zoom];
  return left >= 0 && top >= 0 && right <= area.width && bottom <= area.height;
}
