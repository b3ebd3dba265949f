import { isAlias } from "yaml";
import type { Json } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { readEntries, type YamlEntry } from "../yaml/yaml-nodes";
import type { EditTransaction } from "./edit-transaction";
import { asMap, EntryEditor } from "./entry-editor";

type JsonMapping = { readonly [key: string]: Json };

export const isMapping = (value: Json | undefined): value is JsonMapping =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** More differences than this are no change of a mapping any more: it is written anew. */
const mostSteps = 50;

/**
 * Makes the mapping that `find` finds say `wanted`, one difference after the other: lines and comments of what stays
 * are not touched. `find` is asked again after each, for the text has changed.
 */
export function changeMapping(
  changing: EditTransaction,
  find: () => { entry: YamlEntry; inFlow: boolean } | null,
  wanted: JsonMapping,
): void {
  for (let step = 0; step <= mostSteps; step++) {
    const found = find();
    if (!found) return;
    const { document } = changing;
    const editor = new EntryEditor(document.text);
    const change =
      step === mostSteps
        ? editor.set(found.entry, wanted, found.inFlow)
        : findChange({ document, editor }, found.entry, found.inFlow, wanted);
    if (!change) return;
    changing.apply([change]);
  }
}

interface MappingEdit {
  document: SourceDocument;
  editor: EntryEditor;
}

/** The first difference between what an entry says and what it should say; null: there is none. */
function findChange(place: MappingEdit, entry: YamlEntry, inFlow: boolean, wanted: Json): TextChange | null {
  const { document, editor } = place;
  const map = isAlias(entry.pair.value) ? null : asMap(entry.value);
  const entries = map && isMapping(wanted) ? readEntries(map, document.yaml) : null;
  if (!map || !entries || !isMapping(wanted) || entries.length === 0)
    return hasValue(document, entry, wanted) ? null : editor.set(entry, wanted, inFlow);
  const isFlow = map.flow === true;
  const keys = entries.map(({ key }) => key);
  const wantedKeys = Object.keys(wanted);
  const renamed = findRenamed(keys, wantedKeys);
  const [old, fresh] = [entries[renamed], wantedKeys[renamed]];
  if (old && fresh !== undefined) return editor.set(old, wanted[fresh] ?? null, isFlow, fresh);
  const gone = entries.find(({ key }) => !Object.hasOwn(wanted, key));
  if (gone) return keys.length === 1 ? editor.set(entry, wanted, inFlow) : editor.remove(map, gone);
  if (keys.some((key, index) => key !== wantedKeys[index])) return editor.set(entry, wanted, inFlow);
  for (const one of entries) {
    const change = findChange(place, one, isFlow, wanted[one.key] ?? null);
    if (change) return change;
  }
  const next = wantedKeys[keys.length];
  return next === undefined ? null : editor.add(map, next, wanted[next] ?? null);
}

/** Where one key, and no other, has another name; -1: nowhere, or more than that is different. */
function findRenamed(keys: readonly string[], wanted: readonly string[]): number {
  if (keys.length !== wanted.length) return -1;
  const different = keys.flatMap((key, index) => (key === wanted[index] ? [] : [index]));
  const [only = -1] = different;
  return different.length === 1 ? only : -1;
}

function hasValue({ yaml }: SourceDocument, { value }: YamlEntry, wanted: Json): boolean {
  try {
    return JSON.stringify(value?.toJS(yaml, { maxAliasCount: -1 }) ?? null) === JSON.stringify(wanted);
  } catch {
    // What cannot be read (too many aliases) is not the same.
    return false;
  }
}
