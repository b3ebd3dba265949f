/** The old object when the new one says the same. */
export function keep<T extends object>(old: T | undefined, fresh: T): T {
  if (old === undefined) return fresh;
  const next = hold(old, fresh);
  return isSame(old, next) ? old : next;
}

/** A card that is being dragged stays where the hand holds it. */
function hold<T extends object>(old: T, fresh: T): T {
  const held = "dragging" in old && old.dragging === true && "position" in old;
  return held ? { ...fresh, position: old.position, dragging: true } : fresh;
}

/** The old list when every item is the old one. */
export const keepList = <T>(fresh: T[], old: T[]): T[] =>
  fresh.length === old.length && fresh.every((item, index) => item === old[index]) ? old : fresh;

/** Compares plain data by value. `dragging` is React Flow's own and does not count. */
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
