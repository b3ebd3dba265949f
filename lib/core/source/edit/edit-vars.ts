import { nameSchema } from "../../flow/flow";
import { canLookUp } from "../../flow/template-variables";
import { renderKey } from "../yaml/render-yaml";
import { rangeOfNode, readEntries } from "../yaml/yaml-nodes";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap } from "./entry-editor";
import { type Names, renameInConditions, renameInLookUps, withoutOverlaps } from "./rename-declaration";
import { setEntry } from "./set-section-entry";

/** Sets a variable of the flow; undefined takes it out. */
export function setVar(
  transaction: EditTransaction,
  name: string,
  value: string | number | boolean | undefined,
): undefined {
  if (value !== undefined) assertVariableName(name);
  return setEntry(transaction, "vars", name, value);
}

/** Renames a variable where it is set, in what instructions look up, and in conditions. */
export function renameVar(transaction: EditTransaction, oldName: string, newName: string): undefined {
  const { document } = transaction;
  if (oldName === newName) return;
  const map = asMap(document.sections.get("vars")?.value ?? null);
  const entry = map && readEntries(map, document.yaml)?.get(oldName);
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
  const valid = nameSchema.safeParse(name);
  if (!valid.success)
    throw new EditRefused("invalid-name", `The name ${valid.error.issues[0]?.message ?? "is not valid"}.`);
  if (!canLookUp(name))
    throw new EditRefused("invalid-name", `\${vars.…} cannot hold the name "${name}". Choose one without $, { and }.`);
}
