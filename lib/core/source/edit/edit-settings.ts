import type { EditOf } from "../../flow/edit";
import type { Json } from "../../flow/flow";
import { canLookUp } from "../../flow/template-variables";
import { renderKey, renderPair } from "../yaml/render-yaml";
import { rangeOfNode, readEntries, readText } from "../yaml/yaml-nodes";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap } from "./entry-editor";
import { assertValidName } from "./preconditions";
import { type Names, renameInConditions, renameInLookUps, withoutOverlaps } from "./rename-declaration";
import { newSection } from "./write-declaration";

/** Sets one entry of the `limits:` or `vars:` of a flow; undefined takes it out, and the last one takes the section along. */
export function setEntry(
  transaction: EditTransaction,
  key: "limits" | "vars",
  name: string,
  value: Json | undefined,
): undefined {
  const { document, editor } = transaction;
  const section = document.sections.get(key);
  const map = asMap(section?.value ?? null);
  const entry = readEntries(map, document.yaml)?.get(name);
  if (section && entry && value === undefined && map?.items.length === 1)
    transaction.apply([editor.remove(null, section)]);
  else if (map) transaction.apply(editor.change(map, { key: name, entry, value }));
  else if (value === undefined) return;
  else if (section) transaction.apply([editor.set(section, { [name]: value }, false)]);
  else {
    const pair = renderPair(name, value, { inFlow: false, indent: 2, eol: editor.eol });
    transaction.apply([newSection(document, key, `${key}:${editor.eol}  ${pair}`)]);
  }
}

/** Sets the name of the flow; a new one is written before the first entry. */
export function setFlowName(transaction: EditTransaction, { name }: EditOf<"set-flow-name">): undefined {
  const { document, editor } = transaction;
  const entry = document.sections.get("name");
  if (entry) return transaction.apply([editor.set(entry, name, false)]) ?? undefined;
  const pair = renderPair("name", name, { inFlow: false, indent: 0, eol: editor.eol });
  const [firstEntry] = document.sections.values();
  const lineStart = editor.lineStart(firstEntry?.keyNode.range?.[0] ?? 0);
  transaction.apply([{ from: lineStart, to: lineStart, insert: pair + editor.eol }]);
}

/** Sets the description of the flow; a new one follows its name, and an empty text takes it out. */
export function setFlowDescription(transaction: EditTransaction, { text }: EditOf<"set-flow-description">): undefined {
  const { document, editor } = transaction;
  const entry = document.sections.get("description");
  const pair = renderPair("description", text, { inFlow: false, indent: 0, eol: editor.eol });
  const end = /\n*$/.exec(readText(entry?.value ?? null) ?? "")?.[0] ?? "";
  if (entry)
    transaction.apply([text === "" ? editor.remove(null, entry) : editor.set(entry, text.trimEnd() + end, false)]);
  else if (text !== "") transaction.apply([newSection(document, "description", pair)]);
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
