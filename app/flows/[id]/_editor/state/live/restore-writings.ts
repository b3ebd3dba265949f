import type * as Y from "yjs";
import { moveOffset } from "@/lib/core/flow/rebase/rebase-changes";
import { rebaseDraft } from "@/lib/core/flow/rebase/rebase-draft";
import { applyChanges } from "@/lib/core/flow/text-change";
import { findRestored, readRestored } from "@/lib/core/live/restored-entries";
import type { WrittenPart } from "@/lib/core/live/written-parts";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing, toDocument } from "../editing/editing";
import { idOfDeclaration } from "../editor/follow-renames";
import type { Session } from "../session";
import { isThere } from "./find-twin";
import type { LostWriting, ResumedField } from "./live";
import { isTextThere } from "./put-back";

/** Where someone undid a deletion, what this user wrote meanwhile is written into what is there again. */
export function restoreWritings(session: Session, doc: Y.Doc): void {
  const { live, notify } = session;
  const waiting = live.store.getState().lost.filter(({ unknown }) => unknown !== undefined);
  const restored = waiting.length > 0 ? readRestored(doc) : new Map<string, readonly WrittenPart[]>();
  for (const writing of waiting) {
    const parts = restored.get(writing.unknown?.entry ?? "");
    if (!parts || !restoreWriting(session, doc, writing, parts)) continue;
    const resumed = live.field.readText() && findResumed(session, writing);
    live.store.setState(({ lost }) => ({ lost: lost.filter((one) => one !== writing), ...(resumed && { resumed }) }));
    notify.info(`${writing.by ?? "Someone else"} restored ${writing.owner}. Your text is in it.`);
  }
}

/** Null: the user is not writing on in the text. */
function findResumed({ editor }: Session, { owner, by, field, text, caret }: LostWriting): ResumedField | null {
  if (!field || caret === undefined) return null;
  const { document, ids } = editor.store.getState();
  const now = getEditing().readField(toDocument(document), field);
  return {
    id: idOfDeclaration(ids, owner),
    by,
    field,
    caret: moveOffset(caret, rebaseDraft({ base: text, text }, now), "own"),
  };
}

/** Returns whether the text is in the flow. */
function restoreWriting({ editor }: Session, doc: Y.Doc, writing: LostWriting, parts: readonly WrittenPart[]): boolean {
  const { field, unknown, text } = writing;
  const document = toDocument(editor.store.getState().document);
  if (!field || !unknown || document.broken || !isThere(document, field)) return false;
  // Who is still writing goes on behind a space that they have just typed.
  if (writing.caret === undefined && isTextThere(document, writing)) return true;
  const { readField, withValue } = getEditing();
  const now = readField(document, field);
  const left = unknown.gone ? readWithout(doc, document, { field, parts, gone: unknown.gone }) : now;
  if (left === null || (!unknown.gone && now !== unknown.base)) return false;
  const own = { base: unknown.base, text: writing.caret === undefined ? unknown.text : text };
  // A space that was typed last may have been unknown to who deleted it, and is no text that could be lost.
  const isUnchanged = left.trimEnd() === own.base.trimEnd();
  const merged = isUnchanged ? own.text : applyChanges(own.text, rebaseDraft(own, left));
  return merged === now || editor.dispatch([withValue(field, merged)]) === null;
}

interface DeletedLetters extends Pick<NonNullable<LostWriting["unknown"]>, "gone"> {
  field: NonNullable<LostWriting["field"]>;
  parts: readonly WrittenPart[];
}

/** The text of a field as it is now, without what this user had deleted of it; null: others have deleted some of that. */
function readWithout(doc: Y.Doc, document: SourceDocument, { field, parts, gone }: DeletedLetters): string | null {
  const { findLetters, readField, readSource } = getEditing();
  const letters = findLetters(document, field);
  const ranges = findRestored(doc, parts, gone ?? []);
  if (!ranges) return null;
  const changes = ranges.flatMap(({ from, to }) =>
    letters && letters.from <= from && to <= letters.to ? [{ from, to, insert: "" }] : [],
  );
  if (changes.length === 0) return readField(document, field);
  return readField(readSource(applyChanges(document.text, changes)), field);
}
