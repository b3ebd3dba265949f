import type { EditOf } from "../../flow/edit";
import type { Json } from "../../flow/flow";
import { canLookUp } from "../../flow/template-variables";
import { renderKey } from "../yaml/render-yaml";
import { rangeOfNode, readEntries, readText } from "../yaml/yaml-nodes";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap, repeatWhile } from "./entry-editor";
import { assertNotAliased, assertValidName } from "./preconditions";
import { type Names, renameInConditions, renameInLookUps, withoutOverlaps } from "./rename-declaration";
import { bracesOf, newSection } from "./write-declaration";

/** Sets one entry of the `limits:` or `vars:` of a flow; undefined takes it out, and the last one takes the section along. */
export function setEntry(
  transaction: EditTransaction,
  key: "limits" | "vars",
  name: string,
  value: Json | undefined,
): undefined {
  const { document, editor } = transaction;
  const section = document.sections.get(key);
  if (section) assertNotAliased(section);
  const map = asMap(section?.value ?? null);
  const entry = readEntries(map, document.yaml)?.get(name);
  if (section && entry && value === undefined) removeSetting(transaction, key, name);
  else if (map) transaction.apply(editor.change(map, { key: name, entry, value }));
  else if (value === undefined) return;
  else if (section) transaction.apply([editor.set(section, { [name]: value }, bracesOf(document) !== null)]);
  else transaction.apply([newSection(document, key, { [name]: value })]);
}

/** An entry with the same name further down, which did not count, is taken out too. */
function removeSetting(transaction: EditTransaction, key: "limits" | "vars", name: string): void {
  repeatWhile(() => {
    const { document, editor } = transaction;
    const section = document.sections.get(key);
    const map = asMap(section?.value ?? null);
    const entry = readEntries(map, document.yaml)?.get(name);
    if (!section || !map || !entry) return false;
    const isLast = map.items.length === 1;
    transaction.apply([isLast ? editor.remove(bracesOf(document), section) : editor.remove(map, entry)]);
    return !isLast;
  });
}

/** Sets the name of the flow; a new one is written before the first entry. */
export function setFlowName(transaction: EditTransaction, { name }: EditOf<"set-flow-name">): undefined {
  const { document, editor } = transaction;
  const entry = document.sections.get("name");
  const change = entry ? editor.set(entry, name, bracesOf(document) !== null) : newSection(document, "name", name);
  transaction.apply([change]);
}

/** Sets the description of the flow; a new one follows its name, and an empty text takes it out. */
export function setFlowDescription(transaction: EditTransaction, { text }: EditOf<"set-flow-description">): undefined {
  const { document, editor } = transaction;
  const entry = document.sections.get("description");
  const braces = bracesOf(document);
  const end = /\n*$/.exec(readText(entry?.value ?? null) ?? "")?.[0] ?? "";
  if (entry)
    transaction.apply([
      text === "" ? editor.remove(braces, entry) : editor.set(entry, text.trimEnd() + end, braces !== null),
    ]);
  else if (text !== "") transaction.apply([newSection(document, "description", text)]);
}

/** Sets a variable of the flow; undefined takes it out. */
export function setVar(transaction: EditTransaction, { name, value }: EditOf<"set-var">): undefined {
  if (value !== undefined) assertVariableName(name);
  return setEntry(transaction, "vars", name, value);
}

/** Renames a variable where it is set, in what instructions look up, and in conditions. */
export function renameVar(
  transaction: EditTransaction,
  { from: oldName, to: newName }: EditOf<"rename-var">,
): undefined {
  const { document } = transaction;
  if (oldName === newName) return;
  const map = asMap(document.sections.get("vars")?.value ?? null);
  const entry = readEntries(map, document.yaml)?.get(oldName);
  const range = rangeOfNode(entry?.keyNode, document.text);
  if (!map || !range) throw new EditRefused("unknown-variable", `There is no variable "${oldName}" any more.`);
  assertVariableName(newName);
  if (document.flow.vars.has(newName))
    throw new EditRefused("name-taken", `There is a variable "${newName}" already. Choose another name.`);
  const names: Names = new Map([[oldName, newName]]);
  transaction.apply(
    withoutOverlaps([
      { ...range, insert: renderKey(newName, map.flow === true) },
      ...renameInConditions(document, "vars", names),
      ...renameInLookUps(document, "vars", names),
    ]),
  );
}

function assertVariableName(name: string): void {
  assertValidName(name);
  if (!canLookUp(name))
    throw new EditRefused("invalid-name", `\${vars.…} cannot hold the name "${name}". Choose one without $, { and }.`);
}
