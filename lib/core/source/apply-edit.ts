import { type Edit, type EditOf, foldInLayout, type Layout } from "../flow/edit";
import { formatCount } from "../flow/format-count";
import type { Problem, ProblemCode } from "../flow/problem";
import type { TextChange } from "../flow/text-range";
import { turnLayout } from "../layout/turn-layout";
import { assertNothingLost, assertReadable } from "./edit/assert-readable";
import { assertOthersKept } from "./edit/check-result";
import { detachAliases } from "./edit/detach-aliases";
import { addAgent, addControl, declareAgent, deleteNodes, setAgentField } from "./edit/edit-declarations";
import { editNote } from "./edit/edit-notes";
import { setSeparator, setSwarmField, setSwarmType } from "./edit/edit-roster";
import { renameVar, setEntry, setFlowDescription, setFlowName, setVar } from "./edit/edit-settings";
import { connect, disconnect, extractGroup, extractSwarm, setFlowText, wrap } from "./edit/edit-topology";
import { EditRefused, EditTransaction } from "./edit/edit-transaction";
import { inline } from "./edit/inline-group";
import { moveMember } from "./edit/move-member";
import { assertScope, assertWorkflow } from "./edit/preconditions";
import { rename } from "./edit/rename-declaration";
import { setControlField } from "./edit/set-control-field";
import { unwrap } from "./edit/unwrap";
import { insertFragment } from "./fragment/insert-fragment";
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
  const select = perform(transaction, edit);
  try {
    assertKept(document, transaction, edit);
    return { transaction, select };
  } catch (error) {
    const detached = error instanceof EditRefused ? detachAliases(document, transaction.changes(document.text)) : null;
    if (!detached) throw error;
    const secondTransaction = new EditTransaction(document, layout);
    secondTransaction.apply(detached);
    const secondSelect = perform(secondTransaction, edit);
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

type EditByType = { readonly [Type in Edit["type"]]: EditOf<Type> };
type PerformEdit<Type extends Edit["type"]> = (
  transaction: EditTransaction,
  edit: EditByType[Type],
) => string[] | undefined;

/** What performs each edit, and returns the declared names to select afterwards. */
const performers: { readonly [Type in Edit["type"]]: PerformEdit<Type> } = {
  "add-agent": addAgent,
  "declare-agent": declareAgent,
  "insert-fragment": insertFragment,
  connect,
  disconnect,
  "delete-nodes": deleteNodes,
  "wrap-parallel": wrap,
  "wrap-serial": wrap,
  "extract-group": extractGroup,
  "extract-swarm": extractSwarm,
  unwrap,
  inline,
  "move-member": moveMember,
  rename,
  "set-agent-field": setAgentField,
  "add-control": addControl,
  "set-control-field": setControlField,
  "set-swarm-type": setSwarmType,
  "set-swarm-field": (transaction, { scope, field, value }) => setSwarmField(transaction, scope, field, value),
  "set-limit": (transaction, { field, value }) => setEntry(transaction, "limits", field, value),
  "set-var": setVar,
  "rename-var": renameVar,
  "set-separator": setSeparator,
  "set-flow-name": setFlowName,
  "set-flow-description": setFlowDescription,
  "set-flow-text": setFlowText,
  "set-pin": setPin,
  "set-folded": setFolded,
  "set-direction": setDirection,
  "add-note": editNote,
  "change-note": editNote,
  "remove-note": editNote,
};

function performAs<Type extends Edit["type"]>(
  transaction: EditTransaction,
  type: Type,
  edit: EditByType[Type],
): string[] | undefined {
  return performers[type](transaction, edit);
}

function perform(transaction: EditTransaction, edit: Edit): string[] | undefined {
  if ("scope" in edit) {
    assertScope(transaction.document, edit.scope);
    assertWorkflow(transaction.document, edit, edit.scope);
  }
  return performAs(transaction, edit.type, edit);
}

function setDirection(transaction: EditTransaction, { direction }: EditOf<"set-direction">): undefined {
  const { layout, restored } = turnLayout(transaction.document.flow, transaction.layout, direction);
  transaction.layout = layout;
  if (restored.length > 0)
    transaction.notice =
      restored.length === 1
        ? "A card moved back into place."
        : `${formatCount(restored.length)} cards moved back into place.`;
}

function setFolded(transaction: EditTransaction, { keys, folded }: EditOf<"set-folded">): undefined {
  transaction.layout = foldInLayout(transaction.layout, keys, folded);
}

function setPin(transaction: EditTransaction, { key, pin }: EditOf<"set-pin">): undefined {
  const { [key]: _, ...otherPins } = transaction.layout.pins;
  transaction.layout = { ...transaction.layout, pins: pin ? { ...otherPins, [key]: pin } : otherPins };
}
