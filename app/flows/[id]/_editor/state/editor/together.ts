import type { StoreApi } from "zustand/vanilla";
import type { Offer } from "@/lib/core/check/offer";
import type { Edit, Layout } from "@/lib/core/flow/edit";
import type { ProblemCode } from "@/lib/core/flow/problem";
import type { TextChange } from "@/lib/core/flow/text-range";
import type { EntryDescription } from "@/lib/core/history/describe-edits";
import type { EditResult } from "@/lib/core/source/apply-edit";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import type { JoinRules } from "@/lib/core/source/together/join-sections";
import { getEditing, toDocument } from "../editing/editing";
import { type EditorState, type LastStep, receiveChange } from "./editor-transitions";

/** Of what a user does alone nothing is joined. */
export const joinNone: JoinRules = { isJoined: () => false, mayMove: () => false, isApart: () => false };

export type Together = ReturnType<typeof createTogether>;

interface EditorAccess {
  readPending(): EditorState;
  offer: Offer;
}

/** How fields are written while others write the text too: so that the letters of all of them stay. */
export function createTogether(store: StoreApi<EditorState>, { readPending, offer }: EditorAccess) {
  let isOn = false;
  return {
    isOn: (): boolean => isOn,
    set(next: boolean): void {
      isOn = next;
    },
    /** Makes room for the edits. */
    prepare(edits: readonly Edit[]): void {
      for (const edit of isOn && !isReplacement(edits) ? edits : []) {
        // A field, and then the room for its first letter.
        store.setState(prepareState(readPending(), edit, offer));
        store.setState(prepareState(readPending(), edit, offer));
      }
    },
    /** Mends what the changes of several people made unreadable. Returns whether a field was there twice. */
    repair(rules?: JoinRules): boolean {
      const { findRepairs, maxRepairs } = getEditing();
      let hasJoined = false;
      for (let repairs = 0; repairs < maxRepairs; repairs++) {
        const state = readPending();
        const found = findRepairs(toDocument(state.document), rules);
        if (!found) break;
        hasJoined ||= found.isJoined;
        store.setState(makeShared(state, found.changes, offer));
      }
      return hasJoined;
    },
  };
}

/** Whether a field takes the place of another one: it is written with its value, and of two people one of them stays. */
export const isReplacement = (edits: readonly Edit[]): boolean =>
  edits.length > 1 && edits.some((edit) => edit.type === "set-control-field" && edit.value === undefined);

/** With the room that an edit of one field needs. It is no step of the history: others may write in it when the edit is undone. */
function prepareState(state: EditorState, edit: Edit, offer: Offer): EditorState {
  return makeShared(state, getEditing().prepareEdit(toDocument(state.document), state.layout, edit), offer);
}

/** Whether something of the text can no longer be read. */
export const isWorse = ({ document: after }: EditorState, { document: before }: EditorState): boolean =>
  (after.broken && !before.broken) || after.unreadableRanges.length > before.unreadableRanges.length;

/** Whether more names are of nothing or of two things, or more members and links are none. */
export const isDisconnected = (after: EditorState, before: EditorState): boolean =>
  countMistakes(after) > countMistakes(before);

const mistakes: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  ...(["missing-operand", "missing-member", "empty-group", "bare-parallel", "unbalanced-parenthesis"] as const),
  ...(["unclosed-quote", "text-beside-parenthesis", "not-an-arrow", "duplicate-name"] as const),
  ...(["unknown-name", "invalid-name", "name-taken", "cycle"] as const),
  ...(["yaml-syntax", "invalid-value", "unknown-key"] as const),
]);

const countMistakes = ({ problems }: EditorState): number => problems.filter(({ code }) => mistakes.has(code)).length;

/** With changes that others may make in the same way. */
function makeShared(state: EditorState, changes: readonly TextChange[], offer: Offer): EditorState {
  if (changes.length === 0) return state;
  const changed = receiveChange(state, { changes, layout: state.layout }, offer);
  return { ...changed, change: { before: state.text, changes, isShared: true } };
}

/** Writes only the letters that changed, where the edit is one of a text. */
export function applyTogether(document: SourceDocument, layout: Layout, edit: Edit): EditResult {
  const { writeTextEdit, applyEdit } = getEditing();
  const changes = document.broken ? null : writeTextEdit(document, edit);
  return changes ? { ok: true, changes, layout } : applyEdit(document, layout, edit);
}

/** Typing in one field without a pause is one step, which is announced once; null: the edits are no typing. */
export function describeTyping(
  { document, step: lastStep }: EditorState,
  edits: readonly Edit[],
): { kind: { typing: boolean; words: EntryDescription; key: string }; step: LastStep } | null {
  const { textFieldKey, describeEdits } = getEditing();
  const [edit, ...otherEdits] = edits;
  const key = edit && otherEdits.length === 0 ? textFieldKey(toDocument(document), edit) : null;
  if (key === null) return null;
  const words = describeEdits(edits);
  const isSame = lastStep?.how === "did" && lastStep.words.done === words.done;
  return { kind: { typing: true, words, key }, step: isSame ? lastStep : { how: "did", words } };
}
