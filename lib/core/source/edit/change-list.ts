import { isAlias, isNode, isSeq, type Node, type YAMLSeq } from "yaml";
import type { Json } from "../../flow/flow";
import type { Range, TextChange } from "../../flow/text-range";
import { renderValue } from "../yaml/render-yaml";
import { rangeOfNode, type YamlEntry } from "../yaml/yaml-nodes";
import type { EntryEditor } from "./entry-editor";

/** A list as it should be; each item with what it is known by among what the file says. */
export interface TargetList {
  /** What each written item is known by. */
  identify: (item: unknown) => string | null;
  items: readonly { key: string; value: Json }[];
}

/**
 * Makes a list hold other items. What stays keeps its lines and comments, what is new comes behind it; where that
 * cannot be done the list is written anew.
 */
export function changeList(
  editor: EntryEditor,
  entry: YamlEntry,
  wanted: TargetList,
  inFlow: boolean,
): readonly TextChange[] {
  const list = isAlias(entry.pair.value) ? null : entry.value;
  const found = isSeq(list) && list.items.length > 0 ? changeItems(editor, list, wanted) : null;
  const values = wanted.items.map(({ value }) => value);
  return found ?? [editor.set(entry, values, inFlow)];
}

/** Null: nothing stays, or what stays stands in another order. */
function changeItems(editor: EntryEditor, list: YAMLSeq, { identify: known, items }: TargetList): TextChange[] | null {
  const written = list.items.map(known);
  const keys = items.map(({ key }) => key);
  const wanted = new Set(keys);
  const stays = written.map((key) => key !== null && wanted.has(key));
  const kept = written.filter((_, index) => stays[index]);
  const fresh = items.slice(kept.length);
  const goes = stays.includes(false);
  if (kept.length === 0 || kept.some((key, index) => key !== keys[index])) return null;
  if (goes && fresh.length > 0) return null;
  return goes ? removeItems(editor, list, stays) : fresh.length > 0 ? [addItems(editor, list, fresh)] : [];
}

function addItems(editor: EntryEditor, list: YAMLSeq, fresh: TargetList["items"]): TextChange {
  const { text, eol } = editor;
  const render = ({ value }: { value: Json }): string => renderValue(value, { inFlow: true, indent: 0, eol });
  if (list.flow) {
    const at = rangeOfNode(asNode(list.items.at(-1)), text)?.to ?? 0;
    return { from: at, to: at, insert: fresh.map((item) => `, ${render(item)}`).join("") };
  }
  const from = list.range?.[0] ?? 0;
  const margin = `${eol}${" ".repeat(from - editor.lineStart(from))}- `;
  const at = editor.lineEnd(rangeOfNode(list, text)?.to ?? from);
  return { from: at, to: at, insert: fresh.map((item) => margin + render(item)).join("") };
}

function removeItems(editor: EntryEditor, list: YAMLSeq, stays: readonly boolean[]): TextChange[] {
  const places = list.items.map((item) => rangeOfNode(asNode(item), editor.text) ?? { from: 0, to: 0 });
  const changes: TextChange[] = [];
  for (let first = 0; first < stays.length; first++) {
    if (stays[first]) continue;
    let last = first;
    while (stays[last + 1] === false) last++;
    const [from, to] = [places[first]?.from ?? 0, places[last]?.to ?? 0];
    const next = places[last + 1];
    if (!list.flow) changes.push(editor.removeLines(dashOf(editor, from), to));
    else changes.push(removeFromFlow(editor.text, { from, to }, next?.from ?? null, places[first - 1]?.to ?? from));
    first = last;
  }
  return changes;
}

/** With the comma before or behind; a comment between it and its neighbour stays. */
function removeFromFlow(text: string, { from, to }: Range, next: number | null, before: number): TextChange {
  const cut = next === null ? { from: before, to } : { from, to: next };
  const beside = text.slice(next === null ? before : to, next ?? from);
  const comma = /^\s*,/.exec(text.slice(to))?.[0].length ?? 0;
  return beside.includes("#") ? { from, to: to + comma, insert: "" } : { ...cut, insert: "" };
}

/** Where the `-` of an item stands. */
function dashOf(editor: EntryEditor, from: number): number {
  const start = editor.lineStart(from);
  return start + (/^ */.exec(editor.text.slice(start, from))?.[0].length ?? 0);
}

const asNode = (item: unknown): Node | null => (isNode(item) ? item : null);
