import { isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import type { Json } from "../flow/flow";
import type { TextChange } from "../flow/text";
import { renderKey, renderValue, type Slot } from "./render";
import { type Entry, isBlank, rangeOfNode } from "./yaml-view";

/** Minimal changes of mappings in a text: they touch the lines of the entry they name and no other. */
export class EntryEditor {
  readonly eol: string;
  constructor(readonly text: string) {
    this.eol = text.includes("\r\n") ? "\r\n" : "\n";
  }

  lineStart(offset: number): number {
    return this.text.lastIndexOf("\n", offset - 1) + 1;
  }

  /** End of the line without its line break. */
  lineEnd(offset: number): number {
    const end = this.text.indexOf("\n", offset);
    if (end < 0) return this.text.length;
    return this.text[end - 1] === "\r" ? end - 1 : end;
  }

  indentAt(offset: number): number {
    const start = this.lineStart(offset);
    return /^ */.exec(this.text.slice(start, offset))?.[0].length ?? 0;
  }

  /** Columns before the key of the entry, seen from the line's start. */
  #columnOf(entry: Entry): number {
    const from = entry.keyNode.range?.[0] ?? 0;
    return from - this.lineStart(from);
  }

  slotOf(entry: Entry, inFlow: boolean): Slot {
    const style = isScalar(entry.value) ? (entry.value.type ?? null) : null;
    return { inFlow, indent: this.#columnOf(entry), eol: this.eol, style };
  }

  /** Gives an entry another value (and, if wanted, another key). */
  set(entry: Entry, value: Json, inFlow: boolean, key?: string): TextChange {
    const rendered = renderValue(value, this.slotOf(entry, inFlow));
    const keyRange = rangeOfNode(entry.keyNode, this.text) ?? { from: 0, to: 0 };
    const colon = this.text.indexOf(":", keyRange.to) + 1;
    const own = rangeOfNode(entry.value, this.text);
    const block = (isMap(entry.value) || isSeq(entry.value)) && !entry.value.flow;
    if (key !== undefined)
      return {
        from: keyRange.from,
        to: own && own.to > colon ? own.to : colon,
        insert: `${renderKey(key, inFlow)}: ${rendered}`,
      };
    if (isBlank(entry.value) && (!own || own.to === own.from))
      return { from: colon, to: colon, insert: ` ${rendered}` };
    if (block) return { from: colon, to: own?.to ?? colon, insert: ` ${rendered}` };
    return { from: own?.from ?? colon, to: own?.to ?? colon, insert: rendered };
  }

  /** Adds an entry behind the last one of a mapping, in its style. */
  add(map: YAMLMap, key: string, render: (slot: Slot) => string): TextChange {
    const [from, end] = map.range ?? [0, 0];
    if (map.flow) {
      const close = this.text.lastIndexOf("}", end - 1);
      const text = `${renderKey(key, true)}: ${render({ inFlow: true, indent: this.indentAt(from), eol: this.eol })}`;
      const inside = this.text.slice(from + 1, close);
      const last = from + 1 + inside.trimEnd().length;
      if (inside.trim() === "") return { from: from + 1, to: close, insert: ` ${text} ` };
      return { from: last, to: last, insert: `${inside.trimEnd().endsWith(",") ? "" : ","} ${text}` };
    }
    const indent = from - this.lineStart(from);
    const at = this.lineEnd(rangeOfNode(map, this.text)?.to ?? end);
    const value = render({ inFlow: false, indent, eol: this.eol });
    const gap = value === "" || /^[\r\n]/.test(value) ? "" : " ";
    return { from: at, to: at, insert: `${this.eol}${" ".repeat(indent)}${renderKey(key, false)}:${gap}${value}` };
  }

  /** Takes an entry out, with its own lines and the comment lines directly above. */
  remove(map: YAMLMap | null, entry: Entry): TextChange {
    const own = rangeOfNode(entry.pair, this.text) ?? { from: 0, to: 0 };
    if (map?.flow) return this.#removeFromFlow(map, own);
    return this.removeLines(own.from, own.to);
  }

  removeLines(from: number, to: number): TextChange {
    let start = this.lineStart(from);
    const indent = from - start;
    while (start > 0) {
      const above = this.lineStart(start - 1);
      const line = this.text.slice(above, start);
      if (!line.trimStart().startsWith("#") || /^ */.exec(line)?.[0].length !== indent) break;
      start = above;
    }
    const next = this.text.indexOf("\n", to);
    if (next >= 0) return { from: start, to: next + 1, insert: "" };
    // The last line of the file: the line break before it goes too.
    const before = this.text.slice(0, start);
    return { from: before.length - (/\r?\n$/.exec(before)?.[0].length ?? 0), to: this.text.length, insert: "" };
  }

  #removeFromFlow(map: YAMLMap, own: { from: number; to: number }): TextChange {
    const [open, end] = map.range ?? [0, 0];
    const close = this.text.lastIndexOf("}", end - 1);
    const behind = /^\s*,\s*/.exec(this.text.slice(own.to, close))?.[0].length;
    if (behind !== undefined) return { from: own.from, to: own.to + behind, insert: "" };
    const ahead = /\s*,\s*$/.exec(this.text.slice(open + 1, own.from))?.[0].length ?? 0;
    return { from: own.from - ahead, to: own.to, insert: "" };
  }
}

export const asMap = (node: Node | null): YAMLMap | null => (isMap(node) ? node : null);
