import type { Edit } from "@/lib/core/flow/edit";
import { diffLetters } from "@/lib/core/flow/rebase/diff-letters";
import { rebaseChanges } from "@/lib/core/flow/rebase/rebase-changes";
import { applyChanges } from "@/lib/core/flow/text-change";
import { getEditing, toDocument } from "../editing/editing";
import { applyTogether } from "../editor/together";
import type { Session } from "../session";
import type { TwinText } from "./live";
import { rememberKept } from "./twins/tell-of-removed";

/**
 * Makes a field the text that the user chose of two. What others typed in the field since the question was asked stays.
 * Returns why it is impossible, else null.
 */
export function keepText({ editor }: Pick<Session, "editor">, twin: TwinText, chosen: string): string | null {
  const edit = toKeepingEdit(editor, twin, chosen);
  return edit && (editor.dispatch([edit])?.message ?? null);
}

/** Makes a field one text without a question: undo takes back only what its user typed. */
export function settleText({ editor }: Pick<Session, "editor">, twin: TwinText, text: string): void {
  const { document, layout } = editor.store.getState();
  const edit = toKeepingEdit(editor, twin, text);
  const result = edit && applyTogether(toDocument(document), layout, edit);
  if (result?.ok) editor.receive(result.changes, result.layout);
}

function toKeepingEdit(editor: Session["editor"], { field, merged }: TwinText, chosen: string): Edit | null {
  const { readField, withValue } = getEditing();
  const now = readField(toDocument(editor.store.getState().document), field);
  const changes = rebaseChanges(diffLetters(merged, chosen), diffLetters(merged, now));
  return changes.length === 0 ? null : withValue(field, applyChanges(now, changes));
}

/** Answers a question, unless it has changed since the user saw it. Returns why it is impossible, else null: it stays open. */
export function answerTwin(session: Session, twin: TwinText, chosen: string): string | null {
  const { twins } = session.live.store.getState();
  if (!twins.includes(twin)) return null;
  setTwins(
    session,
    twins.filter((other) => other !== twin),
  );
  const problem = keepText(session, twin, chosen);
  const own = twin.parts.find(({ name }) => name === null)?.text ?? "";
  if (problem !== null) setTwins(session, twins);
  else if (own !== "" && chosen.includes(own)) rememberKept(session, twin.field, own);
  return problem;
}

/** The dialog closes with the last question. */
export function setTwins({ live, view }: Session, twins: readonly TwinText[]): void {
  live.store.setState({ twins });
  if (twins.length === 0 && view.getState().dialog === "twins") view.setState({ dialog: null });
}
