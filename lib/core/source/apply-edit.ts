import type { Edit, Layout } from "../flow/edit";
import type { Problem, ProblemCode } from "../flow/problem";
import type { TextChange } from "../flow/text-range";
import { addControl } from "./edit/add-control";
import { assertNothingLost, assertReadable } from "./edit/assert-readable";
import { addAgent, declareAgent, deleteNodes, setAgentField } from "./edit/edit-declarations";
import { editNote } from "./edit/edit-notes";
import { setSwarmField, setSwarmType } from "./edit/edit-roster";
import { connect, disconnect, extract, setFlowText, setSeparator, wrap } from "./edit/edit-topology";
import { EditRefused, EditTransaction } from "./edit/edit-transaction";
import { renameVar, setVar } from "./edit/edit-vars";
import { EntryEditor } from "./edit/entry-editor";
import { inline } from "./edit/inline-group";
import { moveMember } from "./edit/move-member";
import { assertScope, assertWorkflow } from "./edit/preconditions";
import { rename } from "./edit/rename-declaration";
import { setControlField } from "./edit/set-control-field";
import { setEntry } from "./edit/set-section-entry";
import { unwrap } from "./edit/unwrap";
import { declareDescription } from "./edit/write-declaration";
import { insertFragment } from "./fragment/insert-fragment";
import type { SourceDocument } from "./read/source-document";
import { renderPair } from "./yaml/render-yaml";

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
const layoutEdits: readonly Edit["type"][] = ["set-pin", "set-direction", "add-note", "change-note", "remove-note"];

/** Applies one edit as minimal changes of the text: lines that the edit does not name stay to the byte. Pure. */
export function applyEdit(document: SourceDocument, layout: Layout, edit: Edit): EditResult {
  if (document.broken && !layoutEdits.includes(edit.type))
    return refuse(
      "yaml-syntax",
      "The text has a mistake of form, so the drawing cannot change it. Mend the text first; see the problems.",
    );
  const transaction = new EditTransaction(document, layout);
  try {
    assertReadable(document, edit);
    const select = perform(transaction, edit);
    const changes = transaction.changes(document.text);
    if (document.unreadableRanges.length > 0) assertNothingLost(document, changes, transaction.document);
    if (isFragile(document) && !document.broken && isWorse(transaction.document, document))
      throw new EditRefused(
        "unsupported",
        "The way this file is written (aliases, or braces round everything) cannot take the change. Make it in the text.",
      );
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

/** Text that an alias repeats, or inside braces, can break when a line changes. */
const isFragile = ({ text, structure }: SourceDocument): boolean => text.includes("&") || structure.isBraced;

/** Whether something can no longer be read. */
const isWorse = (after: SourceDocument, before: SourceDocument): boolean =>
  after.broken || after.unreadableRanges.length > before.unreadableRanges.length;

const refuse = (code: ProblemCode, message: string): EditResult => ({
  ok: false,
  problem: { code, severity: "error", message },
});

function perform(transaction: EditTransaction, edit: Edit): string[] | undefined {
  if ("scope" in edit) {
    assertScope(transaction.document, edit.scope);
    assertWorkflow(transaction.document, edit, edit.scope);
  }
  switch (edit.type) {
    case "add-agent":
      return addAgent(transaction, edit);
    case "declare-agent":
      return declareAgent(transaction, edit);
    case "insert-fragment":
      return insertFragment(transaction, edit);
    case "connect":
      return connect(transaction, edit);
    case "disconnect":
      return disconnect(transaction, edit);
    case "delete-nodes":
      return deleteNodes(transaction, edit);
    case "wrap-parallel":
      return wrap(transaction, edit.scope, edit.names, "parallel");
    case "wrap-serial":
      return wrap(transaction, edit.scope, edit.names, "serial");
    case "extract-group":
      return extract(transaction, edit.scope, edit.names, edit.name, edit.group);
    case "extract-swarm":
      return extract(transaction, edit.scope, edit.names, edit.name, "swarm");
    case "unwrap":
      return unwrap(transaction, edit.scope, edit.names);
    case "inline":
      return inline(transaction, edit.scope, edit.name);
    case "move-member":
      return moveMember(transaction, edit);
    case "rename":
      return rename(transaction, edit.from, edit.to);
    case "set-agent-field":
      return setAgentField(transaction, edit.name, edit.field, edit.value);
    case "add-control":
      return addControl(transaction, edit);
    case "set-control-field":
      return setControlField(transaction, edit);
    case "set-swarm-type":
      return setSwarmType(transaction, edit.scope, edit.swarm);
    case "set-swarm-field":
      return setSwarmField(transaction, edit.scope, edit.field, edit.value);
    case "set-limit":
      return setEntry(transaction, "limits", edit.field, edit.value);
    case "set-var":
      return setVar(transaction, edit.name, edit.value);
    case "rename-var":
      return renameVar(transaction, edit.from, edit.to);
    case "set-separator":
      return setSeparator(transaction, edit.scope, edit.separator);
    case "set-flow-name":
      return setFlowName(transaction, edit.name);
    case "set-flow-description":
      return setFlowDescription(transaction, edit.text);
    case "set-flow-text":
      return setFlowText(transaction, edit.scope, edit.text);
    case "set-pin":
      return setPin(transaction, edit);
    case "set-direction":
      transaction.layout = { ...transaction.layout, direction: edit.direction };
      return;
    case "add-note":
    case "change-note":
    case "remove-note":
      return editNote(transaction, edit);
  }
}

function setFlowName(transaction: EditTransaction, name: string): undefined {
  const editor = new EntryEditor(transaction.document.text);
  const entry = transaction.document.sections.get("name");
  if (entry) return transaction.apply([editor.set(entry, name, false)]) ?? undefined;
  const line = `${renderPair("name", name, { inFlow: false, indent: 0, eol: editor.eol })}${editor.eol}`;
  const firstKeyStart = [...transaction.document.sections.values()][0]?.keyNode.range?.[0] ?? 0;
  const lineStart = editor.lineStart(firstKeyStart);
  transaction.apply([{ from: lineStart, to: lineStart, insert: line }]);
}

function setFlowDescription(transaction: EditTransaction, text: string): undefined {
  const { document } = transaction;
  const editor = new EntryEditor(document.text);
  const entry = document.sections.get("description");
  if (entry) transaction.apply([text === "" ? editor.remove(null, entry) : editor.set(entry, text, false)]);
  else if (text !== "") transaction.apply([declareDescription(document, text)]);
}

function setPin(transaction: EditTransaction, { key, pin }: Extract<Edit, { type: "set-pin" }>): undefined {
  const { [key]: _, ...otherPins } = transaction.layout.pins;
  transaction.layout = { ...transaction.layout, pins: pin ? { ...otherPins, [key]: pin } : otherPins };
}
