import * as Y from "yjs";
import * as z from "zod/mini";
import type { TextRange } from "../flow/text-range";
import { type DeletedEntry, listEntries, type StoredEntry } from "./deleted-entries";
import { listLatest, noteInMap, sortLatest } from "./note-in-map";
import { isOwnClient } from "./own-clients";
import { countLetters, findParts, findRanges, slicePart, type WrittenPart, writtenPartSchema } from "./written-parts";

const restoredSchema = z.object({
  /** Its letters, in the order of those that were deleted. */
  parts: z.array(writtenPartSchema),
});

/** Deleted entries that are in the text again, by the keys of their notes: undo wrote them anew. */
const restoredOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap("restored");

const maxRestored = 100;

/** Notes that what this document deleted is in the text again, in the transaction that wrote it. Ranges are of the text now. */
export function noteRestored(doc: Y.Doc, entries: readonly DeletedEntry[]): void {
  const own = listEntries(doc).filter(([, { by, parts }]) => parts && isOwnClient(doc, by));
  const notes = entries.flatMap(({ title, ...range }): [string, object][] => {
    const parts = findParts(doc, range);
    const isSame = ([, entry]: [string, StoredEntry]): boolean =>
      entry.title === title && countLetters(entry.parts ?? []) === countLetters(parts);
    const [latest] = sortLatest(own.filter(isSame));
    return latest ? [[latest[0], { parts }]] : [];
  });
  noteInMap(restoredOf(doc), maxRestored, new Map(notes));
}

/** The letters of deleted entries that are in the text again, by the keys of the entries. */
export const readRestored = (doc: Y.Doc): Map<string, readonly WrittenPart[]> =>
  new Map(
    listLatest(restoredOf(doc), maxRestored).flatMap(([key, value]): [string, readonly WrittenPart[]][] => {
      const { data } = restoredSchema.safeParse(value);
      return data ? [[key, data.parts]] : [];
    }),
  );

/**
 * Which letters of an entry, counted from its start, this document had deleted before a transaction that deletes the entry; null:
 * its letters are not known.
 */
export function listGone({ doc, beforeState, deleteSet }: Y.Transaction, { parts }: StoredEntry): TextRange[] | null {
  if (!parts) return null;
  const gone: TextRange[] = [];
  let offset = 0;
  for (const part of parts) {
    const { start, end } = part;
    const known = Math.min(end.clock, (beforeState.get(start.client) ?? 0) - 1);
    for (let clock = start.clock; clock <= known; ) {
      const item: unknown = Y.getItem(doc.store, Y.createID(start.client, clock));
      if (!(item instanceof Y.Item)) return null;
      const next = Math.min(item.id.clock + item.length, known + 1);
      const from = offset + clock - start.clock;
      if (item.deleted && !Y.isDeleted(deleteSet, item.id)) gone.push({ from, to: from + next - clock });
      clock = next;
    }
    offset += countLetters([part]);
  }
  return gone;
}

/** Where letters of an entry, counted from its start, are in the text; null: one of them is not. `parts`: all of its letters. */
export function findRestored(doc: Y.Doc, parts: readonly WrittenPart[], letters: readonly TextRange[]) {
  let offset = 0;
  const wanted = parts.flatMap((part): WrittenPart[] => {
    const start = offset;
    offset += countLetters([part]);
    return letters.flatMap(({ from, to }) => slicePart(part, { from: from - start, to: to - start }));
  });
  const ranges = findRanges(doc, wanted);
  const count = ranges.reduce((sum, { from: start, to: end }) => sum + end - start, 0);
  return count === countLetters(wanted) ? ranges : null;
}
