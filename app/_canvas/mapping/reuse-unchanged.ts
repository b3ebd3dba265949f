/** Previous items and lists stay the same objects as long as they are equal. */
export function reuseUnchanged<T extends { id: string }>(current: T[], previous: T[]): T[] {
  const previousItems = new Map(previous.map((item) => [item.id, item]));
  const items = current.map((item) => reuseItem(previousItems.get(item.id), item));
  return items.length === previous.length && items.every((item, index) => item === previous[index]) ? previous : items;
}

function reuseItem<T extends object>(previous: T | undefined, current: T): T {
  if (previous === undefined) return current;
  const candidate = keepDraggedPosition(previous, current);
  return isSame(previous, candidate) ? previous : candidate;
}

/** A dragged card stays under the pointer. */
function keepDraggedPosition<T extends object>(previous: T, current: T): T {
  const isDragged = "dragging" in previous && previous.dragging === true && "position" in previous;
  return isDragged ? { ...current, position: previous.position, dragging: true } : current;
}

/** `dragging` belongs to React Flow and is ignored. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isRecord(a) || !isRecord(b)) return false;
  let count = 0;
  for (const key in a) {
    if (key === "dragging") continue;
    if (!(key in b) || !isSame(a[key], b[key])) return false;
    count++;
  }
  for (const key in b) if (key !== "dragging") count--;
  return count === 0;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
