import { isAlias, isNode, isSeq, type Node, type YAMLSeq } from "yaml";
import type { Json } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import { renderValue } from "../yaml/render-yaml";
import { rangeOfNode, readItems, readText, resolve, type YamlEntry } from "../yaml/yaml-nodes";
import type { EntryEditor } from "./entry-editor";

/** The items that a list should have, each with the key that identifies it among the written items. */
export interface TargetList {
  /** What each written item is known by. */
  identify: (item: unknown) => string | null;
  items: readonly { key: string; value: Json }[];
}

/**
 * Changes the items of a list. Remaining items keep their lines and comments; where none remains the list is
 * written anew.
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

/** Null: the list is written anew, for no item remains, or others stand for one that goes. */
function changeItems(editor: EntryEditor, list: YAMLSeq, { identify, items }: TargetList): TextChange[] | null {
  const written = list.items.map(identify);
  const pairs = matchItems(
    written,
    items.map(({ key }) => key),
  );
  // The comments in braces that are of no item stay.
  if (list.flow && items.length === 0) return [editor.removeItems(list, 0, list.items.length - 1)];
  const slot = { inFlow: true, indent: 0, eol: editor.eol };
  if (pairs.length === 0) {
    if (!list.flow) return null;
    const { from: start, to: end } = editor.removeItems(list, 0, list.items.length - 1);
    const [first] = list.items;
    const from = (isNode(first) && first.range?.[0]) || start;
    return [{ from, to: end, insert: items.map(({ value }) => renderValue(value, slot)).join(", ") }];
  }
  const ends: MatchedItem[] = [...pairs, { oldIndex: written.length, newIndex: items.length }];
  let [oldStart, newStart] = [0, 0];
  const allChanges = ends.map(({ oldIndex, newIndex }): TextChange[] | null => {
    const rendered = items.slice(newStart, newIndex).map(({ value }) => renderValue(value, slot));
    const replaced = list.flow ? [] : replaceItems(editor.text, list.items.slice(oldStart, oldIndex), rendered);
    if (!replaced) return null;
    const rest = oldStart + replaced.length;
    const added = rendered.slice(replaced.length);
    const changes = [
      ...replaced,
      ...(added.length > 0 ? [editor.insertItems(list, rest, added)] : []),
      ...(oldIndex > rest ? [editor.removeItems(list, rest, oldIndex - 1)] : []),
    ];
    [oldStart, newStart] = [oldIndex + 1, newIndex + 1];
    return changes;
  });
  return allChanges.includes(null) ? null : allChanges.flatMap((changes) => changes ?? []);
}

/**
 * In lines, the first of the items that go become the first of those that come: each keeps its line, with its comment. Null:
 * others stand for one of them.
 */
function replaceItems(text: string, items: readonly unknown[], rendered: readonly string[]): TextChange[] | null {
  const changes = items.slice(0, rendered.length).flatMap((item, index): TextChange[] => {
    const range = isNode(item) && !hasAnchor(item) ? rangeOfNode(item, text) : null;
    return range ? [{ ...range, insert: rendered[index] ?? "" }] : [];
  });
  return changes.length < Math.min(items.length, rendered.length) ? null : changes;
}

const hasAnchor = (node: Node): boolean => !isAlias(node) && node.anchor !== undefined;

interface MatchedItem {
  oldIndex: number;
  newIndex: number;
}

/** Items that stay, in their order: each is the next written one with its key. */
function matchItems(written: readonly (string | null)[], keys: readonly string[]): MatchedItem[] {
  const pairs: MatchedItem[] = [];
  let oldIndex = 0;
  for (const [newIndex, key] of keys.entries()) {
    const found = written.indexOf(key, oldIndex);
    if (found < 0) continue;
    pairs.push({ oldIndex: found, newIndex });
    oldIndex = found + 1;
  }
  return pairs;
}

/** Names are identified by their text, links by their ends. */
export function toTargetList(document: SourceDocument, values: readonly Json[]): TargetList {
  const textOf = (node: unknown): string | null => readText(resolve(node, document.yaml))?.trim() ?? null;
  const identify = (node: unknown): string => {
    const ends = isSeq(resolve(node, document.yaml)) ? readItems(node, document.yaml) : null;
    return JSON.stringify(ends ? ends.map(textOf) : textOf(node));
  };
  return { identify, items: values.map((value) => ({ key: JSON.stringify(value), value })) };
}
