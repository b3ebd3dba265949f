import { isAlias } from "yaml";
import type { Json } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { readEntries, type YamlEntry } from "../yaml/yaml-nodes";
import type { EditTransaction } from "./edit-transaction";
import { asMap } from "./entry-editor";

type JsonMapping = { readonly [key: string]: Json };

export const isMapping = (value: Json | undefined): value is JsonMapping =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** More differences than this are no change of a mapping any more: it is written anew. */
const mostSteps = 50;

/**
 * Changes the mapping that `find` returns to `target`, one difference after another: lines and comments of what stays
 * are not touched. `find` is asked again after each, for the text has changed.
 */
export function changeMapping(
  transaction: EditTransaction,
  find: () => { entry: YamlEntry; inFlow: boolean } | null,
  target: JsonMapping,
): void {
  for (let step = 0; step <= mostSteps; step++) {
    const location = find();
    if (!location) return;
    const change =
      step === mostSteps
        ? transaction.editor.set(location.entry, target, location.inFlow)
        : findChange(transaction, location.entry, location.inFlow, target);
    if (!change) return;
    transaction.apply([change]);
  }
}

/** The change for the first difference between an entry and its target value; null: they are equal. */
function findChange(transaction: EditTransaction, entry: YamlEntry, inFlow: boolean, target: Json): TextChange | null {
  const { document, editor } = transaction;
  const map = isAlias(entry.pair.value) ? null : asMap(entry.value);
  const entries = [...(readEntries(map, document.yaml)?.values() ?? [])];
  if (!map || !isMapping(target) || entries.length === 0)
    return hasValue(document, entry, target) ? null : editor.set(entry, target, inFlow);
  const isFlow = map.flow === true;
  const keys = entries.map(({ key }) => key);
  const targetKeys = Object.keys(target);
  const renamed = findRenamed(keys, targetKeys);
  const [renamedEntry, newKey] = [entries[renamed], targetKeys[renamed]];
  if (renamedEntry && newKey !== undefined) return editor.set(renamedEntry, target[newKey] ?? null, isFlow, newKey);
  const removedEntry = entries.find(({ key }) => !Object.hasOwn(target, key));
  if (removedEntry) return keys.length === 1 ? editor.set(entry, target, inFlow) : editor.remove(map, removedEntry);
  if (keys.some((key, index) => key !== targetKeys[index])) return editor.set(entry, target, inFlow);
  for (const nestedEntry of entries) {
    const change = findChange(transaction, nestedEntry, isFlow, target[nestedEntry.key] ?? null);
    if (change) return change;
  }
  const next = targetKeys[keys.length];
  return next === undefined ? null : editor.add(map, next, target[next] ?? null);
}

/** Where one key, and no other, has another name; -1: nowhere, or more than that is different. */
function findRenamed(keys: readonly string[], target: readonly string[]): number {
  if (keys.length !== target.length) return -1;
  const different = keys.flatMap((key, index) => (key === target[index] ? [] : [index]));
  const [only = -1] = different;
  return different.length === 1 ? only : -1;
}

function hasValue({ yaml }: SourceDocument, { value }: YamlEntry, target: Json): boolean {
  try {
    return JSON.stringify(value?.toJS(yaml, { maxAliasCount: -1 }) ?? null) === JSON.stringify(target);
  } catch {
    // What cannot be read (too many aliases) is not the same.
    return false;
  }
}
