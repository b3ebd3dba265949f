import type * as Y from "yjs";
import { applyChanges } from "../flow/text-change";
import type { TextChange } from "../flow/text-range";
import { noteDeleted } from "../live/deleted-entries";
import { diffTexts } from "../live/diff-texts";
import { addsLines, insertLines } from "../live/insert-lines";
import { replaceLines, writeText } from "../live/live-document";
import { characterAt, type FileEntry } from "../source/together/deleted-entries";
import { isReplaced, noteStructure, type StructureChange, widenStructure } from "./note-structure";

export interface NotedChange {
  /** The changes that lead to `text`, or to a part of it. */
  changes: readonly TextChange[];
  text: string;
  /** Null: nothing of the structure changes, or it is typed letter by letter. */
  structure: StructureChange | null;
  /** The entries of the file that are no longer in `text`. */
  deleted: readonly FileEntry[];
  /** What is deleted was deleted by typing: it is no act on the entries. */
  isTyped: boolean;
}

/** Makes a text of a document, `source`, another one, and notes what that does to the structure. */
export function writeNoted(
  doc: Y.Doc,
  source: string,
  { changes, text, structure, deleted, isTyped }: NotedChange,
): void {
  const entries = deleted.filter((entry) => !structure || !isReplaced(entry, structure));
  noteDeleted(doc, entries, isTyped);
  const widened = structure ? widenStructure(changes, structure) : changes;
  const wide = widened.map((one) =>
    widened.some(({ from: start }) => start === one.to) ? one : widen(source, one, entries),
  );
  for (const change of wide.toSorted((a, b) => b.from - a.from || b.to - a.to))
    if (structure && replacesMembers(change, structure)) replaceLines(doc, change);
    else if (addsLines(source, change)) insertLines(doc, change);
    else writeText(doc, source, [change]);
  const written = applyChanges(source, widened);
  if (written !== text) writeText(doc, written, diffTexts(written, text));
  if (structure) noteStructure(doc, structure);
}

/** Whether a change replaces a field that lists members: what others type at its end comes after what takes its place. */
const replacesMembers = ({ from: start, to: end, insert }: TextChange, { registers }: StructureChange): boolean =>
  insert !== "" &&
  registers.some(({ previous }) => previous?.ranges.some((range) => start <= range.from && range.to <= end));

/** The character after a deleted entry is written anew: what others write before it belongs to the entry. */
function widen(source: string, change: TextChange, deleted: readonly FileEntry[]): TextChange {
  const { from: start, to: end, insert } = change;
  const next = characterAt(source, end);
  const isOpen = next !== "" && deleted.some((entry) => start <= entry.from && end + next.length === entry.to);
  return isOpen ? { from: start, to: end + next.length, insert: insert + next } : change;
}
