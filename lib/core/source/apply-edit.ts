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

/** What an edit comes to: changes of the text it was applied to and the new layout, or the problem that stands in its way. */
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

/** Edits that leave the text alone, whatever it says. */
const layoutEdits: readonly Edit["type"][] = ["set-pin", "set-direction", "add-note", "change-note", "remove-note"];

/** Applies one edit as minimal changes of the text: lines that the edit does not name stay to the byte. Pure. */
export function applyEdit(document: SourceDocument, layout: Layout, edit: Edit): EditResult {
  if (document.broken && !layoutEdits.includes(edit.type))
    return refuse(
      "yaml-syntax",
      "The text has a mistake of form, so the drawing cannot change it. Mend the text first; see the problems.",
    );
  const changing = new EditTransaction(document, layout);
  try {
    assertReadable(document, edit);
    const select = perform(changing, edit);
    const changes = changing.changes(document.text);
    if (document.unreadableRanges.length > 0) assertNothingLost(document, changes, changing.document);
    if (isFragile(document) && !document.broken && isWorse(changing.document, document))
      throw new EditRefused(
        "unsupported",
        "The way this file is written (aliases, or braces round everything) cannot take the change. Make it in the text.",
      );
    return {
      ok: true,
      changes,
      layout: changing.layout,
      ...(select ? { select } : {}),
      ...(changing.notice ? { notice: changing.notice } : {}),
    };
  } catch (error) {
    if (error instanceof EditRefused) return refuse(error.code, error.message);
    throw error;
  }
}

/** What is repeated elsewhere, or stands in braces, can break when a line changes. */
const isFragile = ({ text, structure: parts }: SourceDocument): boolean => text.includes("&") || parts.isBraced;

/** Whether something can no longer be read. */
const isWorse = (after: SourceDocument, before: SourceDocument): boolean =>
  after.broken || after.unreadableRanges.length > before.unreadableRanges.length;

const refuse = (code: ProblemCode, message: string): EditResult => ({
  ok: false,
  problem: { code, severity: "error", message },
});

function perform(changing: EditTransaction, edit: Edit): string[] | undefined {
  if ("scope" in edit) {
    assertScope(changing.document, edit.scope);
    assertWorkflow(changing.document, edit, edit.scope);
  }
  switch (edit.type) {
    case "add-agent":
      return addAgent(changing, edit);
    case "declare-agent":
      return declareAgent(changing, edit);
    case "insert-fragment":
      return insertFragment(changing, edit);
    case "connect":
      return connect(changing, edit);
    case "disconnect":
      return disconnect(changing, edit);
    case "delete-nodes":
      return deleteNodes(changing, edit);
    case "wrap-parallel":
      return wrap(changing, edit.scope, edit.names, "parallel");
    case "wrap-serial":
      return wrap(changing, edit.scope, edit.names, "serial");
    case "extract-group":
      return extract(changing, edit.scope, edit.names, edit.name, edit.group);
    case "extract-swarm":
      return extract(changing, edit.scope, edit.names, edit.name, "swarm");
    case "unwrap":
      return unwrap(changing, edit.scope, edit.names);
    case "inline":
      return inline(changing, edit.scope, edit.name);
    case "move-member":
      return moveMember(changing, edit);
    case "rename":
      return rename(changing, edit.from, edit.to);
    case "set-agent-field":
      return setAgentField(changing, edit.name, edit.field, edit.value);
    case "add-control":
      return addControl(changing, edit);
    case "set-control-field":
      return setControlField(changing, edit);
    case "set-swarm-type":
      return setSwarmType(changing, edit.scope, edit.swarm);
    case "set-swarm-field":
      return setSwarmField(changing, edit.scope, edit.field, edit.value);
    case "set-limit":
      return setEntry(changing, "limits", edit.field, edit.value);
    case "set-var":
      return setVar(changing, edit.name, edit.value);
    case "rename-var":
      return renameVar(changing, edit.from, edit.to);
    case "set-separator":
      return setSeparator(changing, edit.scope, edit.separator);
    case "set-flow-name":
      return setFlowName(changing, edit.name);
    case "set-flow-description":
      return setFlowDescription(changing, edit.text);
    case "set-flow-text":
      return setFlowText(changing, edit.scope, edit.text);
    case "set-pin":
      return setPin(changing, edit);
    case "set-direction":
      changing.layout = { ...changing.layout, direction: edit.direction };
      return;
    case "add-note":
    case "change-note":
    case "remove-note":
      return editNote(changing, edit);
  }
}

function setFlowName(changing: EditTransaction, name: string): undefined {
  const editor = new EntryEditor(changing.document.text);
  const entry = changing.document.sections.get("name");
  if (entry) return changing.apply([editor.set(entry, name, false)]) ?? undefined;
  const line = `${renderPair("name", name, { inFlow: false, indent: 0, eol: editor.eol })}${editor.eol}`;
  const first = [...changing.document.sections.values()][0]?.keyNode.range?.[0] ?? 0;
  const at = editor.lineStart(first);
  changing.apply([{ from: at, to: at, insert: line }]);
}

function setFlowDescription(changing: EditTransaction, text: string): undefined {
  const { document } = changing;
  const editor = new EntryEditor(document.text);
  const entry = document.sections.get("description");
  if (entry) changing.apply([text === "" ? editor.remove(null, entry) : editor.set(entry, text, false)]);
  else if (text !== "") changing.apply([declareDescription(document, text)]);
}

function setPin(changing: EditTransaction, { key, pin }: Extract<Edit, { type: "set-pin" }>): undefined {
  const { [key]: _, ...others } = changing.layout.pins;
  changing.layout = { ...changing.layout, pins: pin ? { ...others, [key]: pin } : others };
}
