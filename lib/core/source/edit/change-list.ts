import { isAlias, isNode, isSeq, type YAMLSeq } from "yaml";
import type { Json } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import { renderValue } from "../yaml/render-yaml";
import { rangeOfNode, type YamlEntry } from "../yaml/yaml-nodes";
import type { EntryEditor } from "./entry-editor";

/** The items that a list should have, each with the key that identifies it among the written items. */
export interface TargetList {
  /** What each written item is known by. */
  identify: (item: unknown) => string | null;
  items: readonly { key: string; value: Json }[];
}

/**
 * Changes the items of a list. Remaining items keep their lines and comments, new ones are appended; where that
 * cannot be done the list is written anew.
 */
export function changeList(
  editor: EntryEditor,
  entry: YamlEntry,
  target: TargetList,
  inFlow: boolean,
): readonly TextChange[] {
  const list = isAlias(entry.pair.value) ? null : entry.value;
  const itemChanges = isSeq(list) && list.items.length > 0 ? changeItems(editor, list, target) : null;
  const values = target.items.map(({ value }) => value);
  return itemChanges ?? [editor.set(entry, values, inFlow)];
}

/** Null: no item remains, or the remaining ones change their order. */
function changeItems(editor: EntryEditor, list: YAMLSeq, { identify, items }: TargetList): TextChange[] | null {
  const written = list.items.map(identify);
  const keys = items.map(({ key }) => key);
  const targetKeys = new Set(keys);
  const stays = written.map((key) => key !== null && targetKeys.has(key));
  const keptKeys = written.filter((_, index) => stays[index]);
  const newItems = items.slice(keptKeys.length);
  const removesItems = stays.includes(false);
  if (keptKeys.length === 0 || keptKeys.some((key, index) => key !== keys[index])) return null;
  if (removesItems && newItems.length > 0) return null;
  if (removesItems) return removeItems(editor, list, stays);
  const slot = { inFlow: true, indent: 0, eol: editor.eol };
  const rendered = newItems.map(({ value }) => renderValue(value, slot));
  return rendered.length > 0 ? [editor.addItems(list, rendered)] : [];
}

function removeItems(editor: EntryEditor, list: YAMLSeq, stays: readonly boolean[]): TextChange[] {
  const itemRanges = list.items.map((item) => (isNode(item) ? rangeOfNode(item, editor.text) : undefined));
  const changes: TextChange[] = [];
  for (let firstIndex = 0; firstIndex < stays.length; firstIndex++) {
    if (stays[firstIndex]) continue;
    let lastIndex = firstIndex;
    while (stays[lastIndex + 1] === false) lastIndex++;
    const [start, end] = [itemRanges[firstIndex]?.from ?? 0, itemRanges[lastIndex]?.to ?? 0];
    const dash = editor.lineStart(start) + editor.indentAt(start);
    changes.push(list.flow ? editor.removeFromFlow(list, { from: start, to: end }) : editor.removeLines(dash, end));
    firstIndex = lastIndex;
  }
  return changes;
}
