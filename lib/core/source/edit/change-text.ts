import { isAlias, isScalar, type Scalar } from "yaml";
import { applyChanges } from "../../flow/text-change";
import { moveRange, type TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { readsAs, renderValue } from "../yaml/render-yaml";
import { scalarOffsets } from "../yaml/scalar-offsets";
import { rangeOfNode, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { EntryEditor } from "./entry-editor";

/**
 * Changes of the text that an entry holds, as changes of the file. Quotes, folds and comments stay where the text can
 * be changed in place; else it is written anew. What an alias repeats is changed where it is written.
 */
export function changeText(document: SourceDocument, entry: YamlEntry, changes: readonly TextChange[]): TextChange[] {
  const node = entry.value;
  const value = readText(node);
  if (!isScalar(node) || value === null || changes.length === 0) return [];
  const newText = applyChanges(value, changes);
  const inFlow = document.structure.isInFlow(node.range?.[0] ?? 0);
  const offsets = scalarOffsets(document.text, node);
  const inPlace = offsets && changes.map((change) => offsets.toChange(change));
  if (inPlace && (node.type !== "PLAIN" || staysPlain({ text: document.text, node, inFlow }, inPlace, newText)))
    return inPlace;
  const editor = new EntryEditor(document.text);
  if (!isAlias(entry.pair.value)) return [editor.set(entry, newText, inFlow)];
  const range = rangeOfNode(node, document.text);
  return range ? [{ ...range, insert: renderValue(newText, { inFlow: true, indent: 0, eol: editor.eol }) }] : [];
}

/** Whether a plain scalar is still read as exactly `newText` after the changes. */
function staysPlain(
  { text, node, inFlow }: { text: string; node: Scalar; inFlow: boolean },
  changes: readonly TextChange[],
  newText: string,
): boolean {
  const [start, end] = node.range ?? [0, 0];
  const moved = changes.map((change) => moveRange(change, -start));
  const source = applyChanges(text.slice(start, end), moved).replaceAll(/[ \t]*\r?\n[ \t]*/g, " ");
  return readsAs(source, newText, { inFlow, indent: 0, eol: "\n" });
}
