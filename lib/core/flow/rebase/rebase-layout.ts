import { type Layout, sameFields, sameLayout } from "../edit";

/** What leads from `before` to `after`, done to `current`: entries that it does not change stay as `current` has them. */
export function rebaseLayout(before: Layout, after: Layout, current: Layout): Layout {
  if (before === current || sameLayout(before, current)) return after;
  if (before === after) return current;
  const notes = rebaseEntries(before.notes ?? {}, after.notes ?? {}, current.notes ?? {});
  const folded = rebaseKeys(before.folded ?? [], after.folded ?? [], current.folded ?? []);
  const direction = before.direction === after.direction ? current.direction : after.direction;
  const fit = sameFields(before.fit, after.fit) ? current.fit : after.fit;
  return {
    pins: rebaseEntries(before.pins, after.pins, current.pins),
    ...(direction && { direction }),
    ...(Object.keys(notes).length > 0 && { notes }),
    ...(folded.length > 0 && { folded }),
    ...(fit && { fit }),
  };
}

type Entries<T> = Readonly<Record<string, T>>;

/** Of an entry that both changed, only the fields that differ between `before` and `after` are changed. */
function rebaseEntries<T extends object>(before: Entries<T>, after: Entries<T>, current: Entries<T>): Entries<T> {
  const [olds, news] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const result = new Map(Object.entries(current));
  for (const key of new Set([...olds.keys(), ...news.keys()])) {
    const [oldEntry, newEntry, entry] = [olds.get(key), news.get(key), result.get(key)];
    if (oldEntry && newEntry && sameFields(oldEntry, newEntry)) continue;
    if (newEntry === undefined) result.delete(key);
    else result.set(key, oldEntry && entry ? rebaseFields(oldEntry, newEntry, entry) : newEntry);
  }
  return Object.fromEntries(result);
}

function rebaseFields<T extends object>(before: T, after: T, current: T): T {
  const oldFields = new Map(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => oldFields.get(name) !== value);
  return { ...current, ...Object.fromEntries(changed) };
}

function rebaseKeys(before: readonly string[], after: readonly string[], current: readonly string[]): string[] {
  const [olds, news, known] = [new Set(before), new Set(after), new Set(current)];
  const added = after.filter((key) => !olds.has(key) && !known.has(key));
  return [...current.filter((key) => !olds.has(key) || news.has(key)), ...added];
}
