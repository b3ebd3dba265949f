import type { Edit, Layout } from "../flow/edit";
import type { Problem, ProblemCode } from "../flow/problem";
import type { TextChange } from "../flow/text-range";
import { assertNothingLost, assertReadable } from "./edit/assert-readable";
import { assertOthersKept } from "./edit/check-result";
import { detachAliases } from "./edit/detach-aliases";
import { EditRefused, EditTransaction } from "./edit/edit-transaction";
import { performEdit } from "./perform-edit";
import type { SourceDocument } from "./read/source-document";
import { rememberReading } from "./read-source";

/** The result of an edit: changes of the text it was applied to and the new layout, or the problem that prevents it. */
export type EditResult =
  | {
      ok: true;
      changes: TextChange[];
      layout: Layout;
      /** Declared names to select afterwards. */
      select?: string[];
      /** Something that happened besides, in a sentence: a link that became superfluous. */
      notice?: string;
    }
  | { ok: false; problem: Problem };

/** Edits that change the layout only, never the text. */
const layoutEdits: readonly Edit["type"][] = [
  "set-pin",
  "set-folded",
  "set-direction",
  "add-note",
  "change-note",
  "remove-note",
];

/**
 * Applies one edit as minimal changes of the text: lines that the edit does not name stay to the byte. The result is read,
 * and refused when something that the edit does not name became unreadable, changed or disappeared. Pure.
 */
export function applyEdit(document: SourceDocument, layout: Layout, edit: Edit): EditResult {
  if (document.broken && !layoutEdits.includes(edit.type))
    return refuse(
      "yaml-syntax",
      "The text has a mistake of form, so the drawing cannot change it. Mend the text first; see the problems.",
    );
  try {
    assertReadable(document, edit);
    const { transaction, select } = performKept(document, layout, edit);
    const changes = transaction.changes(document.text);
    rememberReading(document, transaction.document);
    return {
      ok: true,
      changes,
      layout: transaction.layout,
      ...(select ? { select } : {}),
      ...(transaction.notice ? { notice: transaction.notice } : {}),
    };
  } catch (error) {
    if (error instanceof EditRefused) return refuse(error.code, error.message);
    throw error;
  }
}

interface PerformedEdit {
  transaction: EditTransaction;
  select: string[] | undefined;
}

/** Performs an edit that keeps everything else. What repeats a changed text through an alias gets a text of its own first. */
function performKept(document: SourceDocument, layout: Layout, edit: Edit): PerformedEdit {
  const transaction = new EditTransaction(document, layout);
  const select = performEdit(transaction, edit);
  try {
    assertKept(document, transaction, edit);
    return { transaction, select };
  } catch (error) {
    const detached = error instanceof EditRefused ? detachAliases(document, transaction.changes(document.text)) : null;
    if (!detached) throw error;
    const secondTransaction = new EditTransaction(document, layout);
    secondTransaction.apply(detached);
    const secondSelect = performEdit(secondTransaction, edit);
    assertKept(document, secondTransaction, edit);
    secondTransaction.notice ??= "What repeated this text through an alias has a text of its own now.";
    return { transaction: secondTransaction, select: secondSelect };
  }
}

function assertKept(document: SourceDocument, transaction: EditTransaction, edit: Edit): void {
  if (document.unreadableRanges.length > 0)
    assertNothingLost(document, transaction.changes(document.text), transaction.document);
  assertOthersKept(document, transaction.document, edit);
}

const refuse = (code: ProblemCode, message: string): EditResult => ({
  ok: false,
  problem: { code, severity: "error", message },
});
