import { isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import type { Json } from "../../flow/flow";
import type { Range, TextChange } from "../../flow/text-range";
import { renderKey, renderPair, renderValue, type Slot } from "../yaml/render-yaml";
import { rangeOfNode, type YamlEntry } from "../yaml/yaml-nodes";

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
  #columnOf(entry: YamlEntry): number {
    const from = entry.keyNode.range?.[0] ?? 0;
    return from - this.lineStart(from);
  }

  slotOf(entry: YamlEntry, inFlow: boolean): Slot {
    const node = writtenValue(entry);
    const style = isScalar(node) ? (node.type ?? null) : null;
    return { inFlow, indent: this.#columnOf(entry), eol: this.eol, style, ...blockLike(node) };
  }

  /**
   * Gives an entry another value (and, if wanted, another key). The comment on its first line stays; an alias gives way
   * to a value of its own.
   */
  set(entry: YamlEntry, value: Json, inFlow: boolean, key?: string): TextChange {
    const node = writtenValue(entry);
    const keyRange = rangeOfNode(entry.keyNode, this.text) ?? { from: 0, to: 0 };
    const colon = this.text.indexOf(":", keyRange.to) + 1;
    const found = rangeOfNode(node, this.text);
    const own = found && found.to > found.from ? found : { from: colon, to: colon };
    const note = this.#noteOf(node, own, colon);
    const [first = "", ...more] = renderValue(value, this.slotOf(entry, inFlow)).split(this.eol);
    const several = more.length > 0 || isBlockScalar(node) || isBlockCollection(node);
    const rendered = several ? [first + note.text, ...more].join(this.eol) : first;
    const to = Math.max(colon, several ? note.to : own.to);
    const gap = first === "" ? "" : " ";
    if (key !== undefined) return { from: keyRange.from, to, insert: `${renderKey(key, inFlow)}:${gap}${rendered}` };
    const keepsPlace = own.to > own.from && first !== "" && !isBlockCollection(node);
    return { from: keepsPlace ? own.from : colon, to, insert: keepsPlace ? rendered : gap + rendered };
  }

  /** The comment on the first line of a value, and where the value ends together with it. */
  #noteOf(node: Node | null, own: Range, colon: number): { text: string; to: number } {
    const lineOf = (from: number): string => this.text.slice(from, this.lineEnd(from));
    if (isBlockCollection(node))
      return { text: /(?:^|\s)(#.*)$/.exec(lineOf(colon))?.[0].replace(/^(?=#)/, " ") ?? "", to: own.to };
    if (isBlockScalar(node)) return { text: /^[|>][-+\d]*(\s+#.*)$/.exec(lineOf(own.from))?.[1] ?? "", to: own.to };
    const text = /^\s+#.*$/.exec(lineOf(own.to))?.[0] ?? "";
    return { text, to: own.to + text.length };
  }

  /** Adds an entry behind the last one of a mapping, in its style. */
  add(map: YAMLMap, key: string, value: Json, style: Partial<Slot> = {}): TextChange {
    const [from, end] = map.range ?? [0, 0];
    const last = map.items.at(-1);
    if (map.flow) {
      const text = renderPair(key, value, { inFlow: true, indent: this.indentAt(from), eol: this.eol, ...style });
      const behind = rangeOfNode(last, this.text)?.to;
      if (behind !== undefined) return { from: behind, to: behind, insert: `, ${text}` };
      const close = this.text.lastIndexOf("}", end - 1);
      return { from: from + 1, to: close, insert: ` ${text} ` };
    }
    const indent = from - this.lineStart(from);
    const at = this.lineEnd(rangeOfNode(map, this.text)?.to ?? end);
    const slot = { inFlow: false, indent, eol: this.eol, ...style, ...blockLike(last?.value) };
    return { from: at, to: at, insert: `${this.eol}${" ".repeat(indent)}${renderPair(key, value, slot)}` };
  }

  /** Takes an entry out, with its own lines and the comment lines directly above. */
  remove(map: YAMLMap | null, entry: YamlEntry): TextChange {
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

/** The value as it stands in the file: an alias is itself. */
const writtenValue = ({ pair, value }: YamlEntry): Node | null => (isAlias(pair.value) ? pair.value : value);

const isBlockCollection = (node: unknown): boolean => (isMap(node) || isSeq(node)) && node.flow !== true;
const isBlockScalar = (node: unknown): boolean =>
  isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");

/** Mappings are written as a neighbour, or what they replace, is. */
const blockLike = (node: unknown): Partial<Slot> => (isMap(node) ? { block: node.flow !== true } : {});

export const asMap = (node: Node | null): YAMLMap | null => (isMap(node) ? node : null);
