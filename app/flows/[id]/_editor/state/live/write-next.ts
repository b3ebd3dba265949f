import type * as Y from "yjs";
import { listInserted } from "@/lib/core/flow/rebase/move-ranges";
import type { TextChange } from "@/lib/core/flow/text-range";
import { diffTexts } from "@/lib/core/live/diff-texts";
import { noteRestored } from "@/lib/core/live/restored-entries";
import { writeSharedText } from "@/lib/core/live/shared-text";
import { findStructureChange, type StructureChange } from "@/lib/core/settle/note-structure";
import { hasTakenOut, noteTakenOut, watchDeleted } from "@/lib/core/settle/note-taken-out";
import { writeNoted } from "@/lib/core/settle/write-noted";
import { type FlowReading, isSourceDocument } from "@/lib/core/source/read/source-document";
import type { FileEntry } from "@/lib/core/source/together/deleted-entries";
import { getEditing } from "../editing/editing";
import type { EditorState } from "../editor/editor";

export interface NextText {
  state: Pick<EditorState, "text" | "change" | "document" | "step">;
  /** What was read of the text before. */
  previous: FlowReading | undefined;
  /** The change was made before the document was open: it replaces whole values, in which others may have written. */
  wasAlone: boolean;
}

/**
 * Makes the text of a document, `source`, the one of an editor: by the changes that were made, where they are known. Else
 * letters in fields come first, so that what others type among them stays there.
 */
export function writeNext(doc: Y.Doc, source: string, next: NextText): void {
  const { text, change } = next.state;
  if (source === text) return;
  const known = change?.before === source && !next.wasAlone ? change : null;
  const changes = known?.changes ?? diffByFields(source, next);
  // What everyone moves in the same way is not deleted.
  if (known?.isShared) writeSharedText(doc, changes);
  else writeOwn(doc, source, changes, next);
}

/** Members of scopes are written as a whole, unless they are typed letter by letter. */
function writeOwn(doc: Y.Doc, source: string, changes: readonly TextChange[], next: NextText): void {
  const { text, change, step } = next.state;
  const structure = change?.isTyped || change?.isReceived ? null : findStructure(source, next);
  const deleted = listDeleted(source, changes, next);
  if (change?.isTyped) watchDeleted(doc, changes);
  writeNoted(doc, source, { changes, text, structure, deleted, isTyped: step === null });
  if (step && step.how !== "did") noteRestored(doc, listRestored(source, changes, next));
  if (change?.isTyped && hasTakenOut(doc)) noteTakenOut(doc, readNext(source, next).after);
}

/** The entries that undo or redo wrote, as those that deleting what it inserted would delete. */
function listRestored(source: string, changes: readonly TextChange[], next: NextText): FileEntry[] {
  if (!changes.some(({ insert }) => insert.includes(":"))) return [];
  const inserted = listInserted(changes).map((range) => ({ ...range, insert: "" }));
  return getEditing().listDeletedEntries(readNext(source, next).after, inserted);
}

function findStructure(source: string, next: NextText): StructureChange | null {
  const { before, after } = readNext(source, next);
  return before.broken || after.broken ? null : findStructureChange(before, after);
}

function readNext(source: string, { state: { text, document }, previous }: NextText) {
  const { readSource } = getEditing();
  const old = previous && isSourceDocument(previous) ? previous : undefined;
  const before = old?.text === source ? old : readSource(source, undefined, old);
  const after = document.text === text && isSourceDocument(document) ? document : readSource(text, undefined, before);
  return { before, after };
}

/** The changes of letters in fields, where there are any; else all. */
function diffByFields(source: string, { state: { text, document: next }, previous }: NextText): readonly TextChange[] {
  const isRead = previous?.text === source && next.text === text;
  const changes =
    isRead && isSourceDocument(previous) && isSourceDocument(next) ? getEditing().diffFields(previous, next) : [];
  return changes.length > 0 ? changes : diffTexts(source, text);
}

/** The entries that are in the text before, and no longer in the next one. */
function listDeleted(source: string, changes: readonly TextChange[], { previous }: NextText): FileEntry[] {
  if (!changes.some(({ from: start, to: end }) => source.slice(start, end).includes(":"))) return [];
  const { readSource, listDeletedEntries } = getEditing();
  const before = previous && isSourceDocument(previous) ? previous : undefined;
  return listDeletedEntries(before?.text === source ? before : readSource(source, undefined, before), changes);
}
