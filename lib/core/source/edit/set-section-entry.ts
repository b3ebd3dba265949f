import type { Json } from "../../flow/flow";
import { readEntries } from "../yaml/yaml-nodes";
import type { EditTransaction } from "./edit-transaction";
import { asMap, EntryEditor } from "./entry-editor";
import { declareFirst } from "./write-declaration";

/** Sets one entry of the `limits:` or `vars:` of a flow; undefined takes it out, and the last one takes the section along. */
export function setEntry(
  transaction: EditTransaction,
  key: "limits" | "vars",
  name: string,
  value: Json | undefined,
): undefined {
  const { document } = transaction;
  const editor = new EntryEditor(document.text);
  const section = document.sections.get(key);
  const map = asMap(section?.value ?? null);
  const entry = map && readEntries(map, document.yaml)?.get(name);
  if (map && entry && value === undefined && section && map.items.length === 1)
    transaction.apply([editor.remove(null, section)]);
  else if (map && entry)
    transaction.apply([value === undefined ? editor.remove(map, entry) : editor.set(entry, value, map.flow === true)]);
  else if (value === undefined) return;
  else if (map) transaction.apply([editor.add(map, name, value)]);
  else if (section) transaction.apply([editor.set(section, { [name]: value }, false)]);
  else transaction.apply([declareFirst(document, key, name, value)]);
}
