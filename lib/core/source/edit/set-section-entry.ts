import type { Json } from "../../flow/flow";
import { readEntries } from "../yaml/yaml-nodes";
import type { EditTransaction } from "./edit-transaction";
import { asMap, EntryEditor } from "./entry-editor";
import { declareFirst } from "./write-declaration";

/** Sets one entry of the `limits:` or `vars:` of a flow; undefined takes it out, and the last one takes the section along. */
export function setEntry(
  changing: EditTransaction,
  key: "limits" | "vars",
  name: string,
  value: Json | undefined,
): undefined {
  const { document } = changing;
  const editor = new EntryEditor(document.text);
  const section = document.sections.get(key);
  const map = asMap(section?.value ?? null);
  const entry = map && readEntries(map, document.yaml)?.find((one) => one.key === name);
  if (map && entry && value === undefined && section && map.items.length === 1)
    changing.apply([editor.remove(null, section)]);
  else if (map && entry)
    changing.apply([value === undefined ? editor.remove(map, entry) : editor.set(entry, value, map.flow === true)]);
  else if (value === undefined) return;
  else if (map) changing.apply([editor.add(map, name, value)]);
  else if (section) changing.apply([editor.set(section, { [name]: value }, false)]);
  else changing.apply([declareFirst(document, key, name, value)]);
}
