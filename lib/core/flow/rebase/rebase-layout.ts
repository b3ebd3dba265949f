import { type Layout, sameFields, sameLayout } from "../edit";
import { findFreeName } from "../free-name";
import type { Note, Notes } from "../note";
import { applyChanges } from "../text-change";
import type { TextChange } from "../text-range";
import { diffHunks } from "./diff-hunks";
import { rebaseTexts, toWholeWords } from "./rebase-texts";

/** What leads from `before` to `after`, done to `current`: entries that it does not change stay as `current` has them. */
export function rebaseLayout(before: Layout, after: Layout, current: Layout): Layout {
  if (before === current || sameLayout(before, current)) return after;
  if (before === after) return current;
  const notes = rebaseNotes(before.notes ?? {}, after.notes ?? {}, current.notes ?? {});
  const folded = rebaseKeys(before.folded ?? [], after.folded ?? [], current.folded ?? []);
  const direction = before.direction === after.direction ? current.direction : after.direction;
  const fit = sameFields(before.fit, after.fit) ? current.fit : after.fit;
  return {
    pins: rebaseEntries([before.pins, after.pins, current.pins], rebaseFields),
    ...(direction && { direction }),
    ...(Object.keys(notes).length > 0 && { notes }),
    ...(folded.length > 0 && { folded }),
    ...(fit && { fit }),
  };
}

type Entries<T> = Readonly<Record<string, T>>;

/** What becomes of the entry that `current` has; undefined: it has none. */
type RebaseEntry<T> = (before: T | undefined, after: T | undefined, current: T | undefined) => T | undefined;

function rebaseEntries<T extends object>(
  [before, after, current]: readonly [Entries<T>, Entries<T>, Entries<T>],
  rebaseEntry: RebaseEntry<T>,
): Entries<T> {
  const [olds, news] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const result = new Map(Object.entries(current));
  for (const key of new Set([...olds.keys(), ...news.keys()])) {
    const [oldEntry, newEntry] = [olds.get(key), news.get(key)];
    if (oldEntry && newEntry && sameFields(oldEntry, newEntry)) continue;
    const entry = rebaseEntry(oldEntry, newEntry, result.get(key));
    if (entry) result.set(key, entry);
    else result.delete(key);
  }
  return Object.fromEntries(result);
}

/** Of an entry that both changed, only the fields that differ between `before` and `after` are changed. */
function rebaseFields<T extends object>(before: T | undefined, after: T | undefined, current: T | undefined) {
  if (!before || !after || !current) return after;
  const oldFields = new Map(Object.entries(before));
  const changed = Object.entries(after).filter(([name, value]) => oldFields.get(name) !== value);
  return { ...current, ...Object.fromEntries(changed) };
}

const rebaseNotes = (before: Notes, after: Notes, current: Notes): Notes =>
  rebaseEntries([before, renameTwins(before, after, current), current], rebaseNote);

/** Of its text the words of both stay. A note in which the others wrote is not deleted. */
function rebaseNote(before: Note | undefined, after: Note | undefined, current: Note | undefined): Note | undefined {
  if (!before && after && current) return current.text.includes(after.text) ? current : after;
  if (before && !after && current && current.text !== before.text) return current;
  const rebased = rebaseFields(before, after, current);
  if (!before || !after || !current || !rebased) return rebased;
  return { ...rebased, text: rebaseText(before.text, after.text, current.text) };
}

function rebaseText(before: string, after: string, current: string): string {
  if (before === after || after === current) return current;
  const { changes } = rebaseTexts(before, after, current, { diff: diffWords });
  return applyChanges(current, changes);
}

const diffWords = (before: string, after: string): TextChange[] => toWholeWords(before, diffHunks(before, after));

/** `after`. New notes of both sides may have the same id: unless one has the text of the other both are kept. */
function renameTwins(before: Notes, after: Notes, current: Notes): Notes {
  const usedIds = new Set([before, after, current].flatMap((notes) => Object.keys(notes)));
  const toFreeId = (id: string): string => {
    const free = findFreeName(id, (candidate) => usedIds.has(candidate));
    usedIds.add(free);
    return free;
  };
  const isTwin = (id: string, { text }: Note): boolean => {
    const other = Object.hasOwn(before, id) || !Object.hasOwn(current, id) ? undefined : current[id];
    return other !== undefined && !other.text.includes(text) && !text.includes(other.text);
  };
  const renamed = Object.entries(after).map(([id, note]): [string, Note] => [
    isTwin(id, note) ? toFreeId(id) : id,
    note,
  ]);
  return Object.fromEntries(renamed);
}

function rebaseKeys(before: readonly string[], after: readonly string[], current: readonly string[]): string[] {
  const [olds, news, known] = [new Set(before), new Set(after), new Set(current)];
  const added = after.filter((key) => !olds.has(key) && !known.has(key));
  return [...current.filter((key) => !olds.has(key) || news.has(key)), ...added];
}
