import type { Edit } from "../../flow/edit";
import { diffLetters } from "../../flow/rebase/diff-letters";
import { toMinimalChange } from "../../flow/text-change";
import type { TextChange, TextRange } from "../../flow/text-range";
import { isAgentField } from "../../kinds/agent";
import { type FieldTypes, toSharedWriting } from "../../kinds/field-types";
import { kindOf } from "../../kinds/registry";
import type { SourceDeclaration, SourceDocument } from "../read/source-document";
import { readEntries } from "../yaml/yaml-nodes";
import { withValue } from "./text-site";
import { readTextField, writeTextEdit } from "./write-text-edit";

/**
 * The changes of the texts in fields that lead from one file to another: each is one of letters, never of the indentation or
 * the quotes around them. Other changes are left out.
 */
export function diffFields(before: SourceDocument, after: SourceDocument): TextChange[] {
  const whole = toMinimalChange(before.text, after.text);
  if (!whole || before.broken || after.broken) return [];
  return listTexts(before, whole).flatMap((edit) => {
    const [oldText, newText] = [readTextField(before, edit), readTextField(after, edit)];
    if (oldText === null || newText === null || oldText === newText) return [];
    return writeTextEdit(before, withValue(edit, newText), diffLetters) ?? [];
  });
}

/** The texts in a range of a file, as edits that set them. */
export function listTexts(document: SourceDocument, range: TextRange): Edit[] {
  const description: Edit = { type: "set-flow-description", text: "" };
  const vars = readEntries(document.sections.get("vars")?.value, document.yaml)?.keys() ?? [];
  const declared = [...document.declarations].flatMap(([name, declaration]) =>
    touches(document.rangeOf(name), range) ? listDeclaredTexts(document, name, declaration) : [],
  );
  return [description, ...Array.from(vars, (name): Edit => ({ type: "set-var", name, value: "" })), ...declared];
}

const touches = (declared: TextRange | null, { from: start, to: end }: TextRange): boolean =>
  declared !== null && declared.from <= end && start <= declared.to + 1;

function listDeclaredTexts(document: SourceDocument, name: string, { type, entries }: SourceDeclaration): Edit[] {
  const { fieldTypes, nestedFieldTypes } = kindOf({ type });
  if (type === "agent")
    return textsOf(fieldTypes)
      .filter(isAgentField)
      .map((field): Edit => ({ type: "set-agent-field", name, field, value: "" }));
  const toEdit = (...path: string[]): Edit => ({ type: "set-control-field", name, path, value: "" });
  const nestedTexts = Object.entries(nestedFieldTypes).flatMap(([field, types]) => {
    const lanes = readEntries(entries.get(field)?.value, document.yaml)?.keys() ?? [];
    return Array.from(lanes).flatMap((lane) => textsOf(types).map((nested) => toEdit(field, lane, nested)));
  });
  return [...textsOf(fieldTypes).map((field) => toEdit(field)), ...nestedTexts];
}

/** The fields whose letters merge. */
const textsOf = (types: FieldTypes): string[] =>
  Object.entries(types).flatMap(([field, type]) => (["lines", "line"].includes(toSharedWriting(type)) ? [field] : []));
