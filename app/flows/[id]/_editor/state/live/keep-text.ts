import { diffLetters } from "@/lib/core/flow/rebase/diff-letters";
import { rebaseChanges } from "@/lib/core/flow/rebase/rebase-changes";
import { applyChanges } from "@/lib/core/flow/text-change";
import { getEditing, toDocument } from "../editing/editing";
import type { Session } from "../session";
import type { TwinText } from "./live";

/**
 * Makes a field the text that the user chose of two. What others typed in the field since the question was asked stays.
 * Returns why it is impossible, else null.
 */
export function keepText(
  { editor }: Pick<Session, "editor">,
  { field, merged }: TwinText,
  chosen: string,
): string | null {
  const { readField, withValue } = getEditing();
  const now = readField(toDocument(editor.store.getState().document), field);
  const changes = rebaseChanges(diffLetters(merged, chosen), diffLetters(merged, now));
  if (changes.length === 0) return null;
  return editor.dispatch([withValue(field, applyChanges(now, changes))])?.message ?? null;
}
