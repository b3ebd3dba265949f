import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import type { Json } from "../../flow/flow";
import { toMinimalChange } from "../../flow/text-change";
import { moveRange, type TextChange, type TextRange } from "../../flow/text-range";
import { renderKey, renderPair, renderValue, type Slot } from "../yaml/render-yaml";
import { rangeOfNode, type YamlEntry } from "../yaml/yaml-nodes";

interface KeyChange {
  key: string;
  entry: YamlEntry | undefined;
  value: Json | undefined;
}

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
    const keyStart = entry.keyNode.range?.[0] ?? 0;
    return keyStart - this.lineStart(keyStart);
  }

  slotOf(entry: YamlEntry, inFlow: boolean): Slot {
    const node = writtenValue(entry);
    const style = isScalar(node) ? (node.type ?? null) : null;
    return { inFlow, indent: this.#columnOf(entry), eol: this.eol, style, ...blockLike(node), ...this.#blockOf(node) };
  }

  #blockOf(node: Node | null): Pick<Slot, "written"> {
    const range = rangeOfNode(node, this.text);
    if (!range || !isScalar(node) || !isBlockScalar(node) || typeof node.value !== "string") return {};
    return { written: { source: this.text.slice(range.from, range.to), text: node.value } };
  }

  /**
   * Gives an entry another value (and, if wanted, another key). The comment on its first line stays; an alias gives way
   * to a value of its own.
   */
  set(entry: YamlEntry, value: Json, inFlow: boolean, key?: string): TextChange {
    const node = writtenValue(entry);
    const keyRange = rangeOfNode(entry.keyNode, this.text) ?? { from: 0, to: 0 };
    const colon = this.text.indexOf(":", keyRange.to) + 1;
    const valueRange = rangeOfNode(node, this.text);
    const replacedRange = valueRange && valueRange.to > valueRange.from ? valueRange : { from: colon, to: colon };
    const comment = this.#noteOf(node, replacedRange, colon);
    const slot = this.slotOf(entry, inFlow);
    if (becomesProse(node, value)) slot.style = null;
    const [firstLine = "", ...otherLines] = renderValue(value, slot).split(this.eol);
    const isMultiline = otherLines.length > 0 || isBlockScalar(node) || isBlockCollection(node);
    const rendered = isMultiline ? [firstLine + comment.text, ...otherLines].join(this.eol) : firstLine;
    const to = Math.max(colon, isMultiline ? comment.to : replacedRange.to);
    const gap = firstLine === "" ? "" : " ";
    if (key !== undefined) return { from: keyRange.from, to, insert: `${renderKey(key, inFlow)}:${gap}${rendered}` };
    const keepsPlace = replacedRange.to > replacedRange.from && firstLine !== "" && !isBlockCollection(node);
    const change = {
      from: keepsPlace ? replacedRange.from : colon,
      to,
      insert: keepsPlace ? rendered : gap + rendered,
    };
    return isBlockScalar(node) ? this.#withoutSharedEnds(change) : change;
  }

  #withoutSharedEnds({ from: start, to, insert }: TextChange): TextChange {
    const minimal = toMinimalChange(this.text.slice(start, to), insert);
    return minimal ? moveRange(minimal, start) : { from: start, to: start, insert: "" };
  }

  /**
   * Writes an entry whose value is a mapping in braces on one line with one key a line instead; the text of every value
   * and the comment after it stay. Null: the mapping is written over lines, or may have an anchor, alias or tag.
   */
  unfold(entry: YamlEntry): TextChange | null {
    const map = writtenValue(entry);
    const range = rangeOfNode(map, this.text);
    if (!range || !isMap(map) || !map.flow || map.items.length === 0) return null;
    const colon = this.text.indexOf(":", rangeOfNode(entry.keyNode, this.text)?.to ?? 0) + 1;
    const isSimple = !/[\n&*!?]/.test(this.text.slice(colon, range.to));
    const comment = /^\s*(?:#.*)?$/.exec(this.text.slice(range.to, this.lineEnd(range.to)))?.[0];
    if (!isSimple || comment === undefined) return null;
    const margin = `${this.eol}${" ".repeat(this.#columnOf(entry) + 2)}`;
    const lines = map.items.map(({ key, value }) =>
      `${margin}${this.#sourceOf(key)}: ${this.#sourceOf(value)}`.trimEnd(),
    );
    return { from: colon, to: range.to + comment.length, insert: comment.trimEnd() + lines.join("") };
  }

  #sourceOf(node: unknown): string {
    const range = isNode(node) ? rangeOfNode(node, this.text) : undefined;
    return range ? this.text.slice(range.from, range.to) : "";
  }

  /** The comment on the first line of a value, and where the value ends together with it. */
  #noteOf(node: Node | null, valueRange: TextRange, colon: number): { text: string; to: number } {
    const lineOf = (start: number): string => this.text.slice(start, this.lineEnd(start));
    if (isBlockCollection(node))
      return { text: /(?:^|\s)(#.*)$/.exec(lineOf(colon))?.[0].replace(/^(?=#)/, " ") ?? "", to: valueRange.to };
    if (isBlockScalar(node))
      return { text: /^[|>][-+\d]*(\s+#.*)$/.exec(lineOf(valueRange.from))?.[1] ?? "", to: valueRange.to };
    const text = /^\s+#.*$/.exec(lineOf(valueRange.to))?.[0] ?? "";
    return { text, to: valueRange.to + text.length };
  }

  /** Sets a key of a mapping, whose `entry` is missing for a new one; undefined takes it out. */
  change(map: YAMLMap, { key, entry, value }: KeyChange, style?: Partial<Slot>): TextChange[] {
    if (entry) return [value === undefined ? this.remove(map, entry) : this.set(entry, value, map.flow === true)];
    return value === undefined ? [] : [this.add(map, key, value, style)];
  }

  /** Appends an entry to a mapping, in its style. */
  add(map: YAMLMap, key: string, value: Json, style: Partial<Slot> = {}): TextChange {
    const [mapStart, mapEnd] = map.range ?? [0, 0];
    const last = map.items.at(-1);
    if (map.flow) {
      const text = renderPair(key, value, { inFlow: true, indent: this.indentAt(mapStart), eol: this.eol, ...style });
      const lastItemEnd = rangeOfNode(last, this.text)?.to;
      if (lastItemEnd !== undefined) return { from: lastItemEnd, to: lastItemEnd, insert: `, ${text}` };
      const close = this.text.lastIndexOf("}", mapEnd - 1);
      return { from: mapStart + 1, to: close, insert: ` ${text} ` };
    }
    const indent = mapStart - this.lineStart(mapStart);
    const insertAt = this.lineEnd(rangeOfNode(map, this.text)?.to ?? mapEnd);
    const slot = { inFlow: false, indent, eol: this.eol, ...style, ...blockLike(last?.value) };
    return { from: insertAt, to: insertAt, insert: `${this.eol}${" ".repeat(indent)}${renderPair(key, value, slot)}` };
  }

  /** Appends items, which are YAML texts, to a list that has some, in its style. */
  addItems(list: YAMLSeq, items: readonly string[]): TextChange {
    const [listStart] = list.range ?? [0];
    const last = list.items.at(-1);
    const end = rangeOfNode(list.flow && isNode(last) ? last : list, this.text)?.to ?? listStart;
    const insertAt = list.flow ? end : this.lineEnd(end);
    const separator = list.flow ? ", " : `${this.eol}${" ".repeat(listStart - this.lineStart(listStart))}- `;
    return { from: insertAt, to: insertAt, insert: items.map((item) => separator + item).join("") };
  }

  /** Takes an entry out, with its own lines and the comment lines directly above. */
  remove(map: YAMLMap | null, entry: YamlEntry): TextChange {
    const entryRange = rangeOfNode(entry.pair, this.text) ?? { from: 0, to: 0 };
    return map?.flow ? this.removeFromFlow(map, entryRange) : this.removeLines(entryRange.from, entryRange.to);
  }

  /** Adds lines at the end of the text. */
  append(lines: string): TextChange {
    const end = this.text.length;
    const lineBreak = this.text === "" || this.text.endsWith("\n") ? "" : this.eol;
    return { from: end, to: end, insert: lineBreak + lines + this.eol };
  }

  removeLines(start: number, end: number): TextChange {
    let firstLineStart = this.lineStart(start);
    const indent = start - firstLineStart;
    while (firstLineStart > 0) {
      const above = this.lineStart(firstLineStart - 1);
      const line = this.text.slice(above, firstLineStart);
      if (!line.trimStart().startsWith("#") || /^ */.exec(line)?.[0].length !== indent) break;
      firstLineStart = above;
    }
    const next = this.text.indexOf("\n", end);
    if (next >= 0) return { from: firstLineStart, to: next + 1, insert: "" };
    // The last line of the file: the line break before it goes too.
    const before = this.text.slice(0, firstLineStart);
    return { from: before.length - (/\r?\n$/.exec(before)?.[0].length ?? 0), to: this.text.length, insert: "" };
  }

  /** Takes entries or items out of `{…}` or `[…]`, with the comma after them, or else the one before; comments stay. */
  removeFromFlow({ range }: YAMLMap | YAMLSeq, { from: start, to: end }: TextRange): TextChange {
    const [collectionStart, collectionEnd] = range ?? [0, 0];
    const separatorAfter = /^\s*,\s*/.exec(this.text.slice(end, collectionEnd))?.[0].length;
    if (separatorAfter !== undefined) return { from: start, to: end + separatorAfter, insert: "" };
    const separatorBefore = /\s*,\s*$/.exec(this.text.slice(collectionStart + 1, start))?.[0].length ?? 0;
    return { from: start - separatorBefore, to: end, insert: "" };
  }
}

/** The value as written: an alias is not resolved. */
const writtenValue = ({ pair, value }: YamlEntry): Node | null => (isAlias(pair.value) ? pair.value : value);

const isBlockCollection = (node: unknown): boolean => (isMap(node) || isSeq(node)) && node.flow !== true;
/** Whether a text in quotes gets its second line: lines are for reading, so it leaves its quotes. */
const becomesProse = (node: Node | null, value: Json): boolean =>
  isScalar(node) && !String(node.value).includes("\n") && typeof value === "string" && /\S\s*\n\s*\S/.test(value);

const isBlockScalar = (node: unknown): boolean =>
  isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");

/** Mappings are written as a neighbour, or what they replace, is; those that were empty a field a line. */
const blockLike = (node: unknown): Partial<Slot> =>
  isMap(node) ? { block: node.flow !== true || node.items.length === 0 } : {};

export const asMap = (node: Node | null): YAMLMap | null => (isMap(node) ? node : null);
