import { isAlias, isMap, isNode, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import type { OrderedJson } from "../../flow/flow";
import { toMinimalChange } from "../../flow/text-change";
import { eolOf, lineStartAt, moveRange, type TextChange, type TextRange } from "../../flow/text-range";
import { colonEndOf, dashOf, endOfMap, isExplicit, rangeOfPair, startOfPair } from "../yaml/pair-position";
import { renderKey, renderPair, renderValue, type Slot } from "../yaml/render-yaml";
import { rangeOfNode, type YamlEntry } from "../yaml/yaml-nodes";

interface KeyChange {
  key: string;
  entry: YamlEntry | undefined;
  value: OrderedJson | undefined;
}

/** Minimal changes of mappings in a text: they touch the lines of the entry they name and no other. */
export class EntryEditor {
  readonly eol: string;
  constructor(readonly text: string) {
    this.eol = eolOf(text);
  }

  /** A byte order mark is not part of the first line. */
  lineStart(offset: number): number {
    const start = lineStartAt(this.text, offset);
    return start === 0 && this.text.startsWith("\uFEFF") ? 1 : start;
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
  set(entry: YamlEntry, value: OrderedJson, inFlow: boolean, key?: string): TextChange {
    const node = writtenValue(entry);
    const keyRange = rangeOfNode(entry.keyNode, this.text) ?? { from: 0, to: 0 };
    const { colon, mark } = this.#colonOf(entry, keyRange);
    const valueRange = rangeOfNode(node, this.text);
    const replacedRange = valueRange && valueRange.to > valueRange.from ? valueRange : { from: colon, to: colon };
    const comment = this.#noteOf(node, replacedRange, colon);
    const slot = this.slotOf(entry, inFlow);
    if (becomesProse(node, value)) slot.style = null;
    // A block text would take comments in that follow it and are indented further.
    const isOpen = !isBlockScalar(node) && this.#isFollowedByComment(comment.to, slot.indent);
    const [firstLine = "", ...otherLines] = renderValue(value, isOpen ? { ...slot, inFlow: true } : slot).split(
      this.eol,
    );
    const isMultiline = otherLines.length > 0 || isBlockScalar(node) || isBlockCollection(node);
    const rendered = isMultiline ? [firstLine + comment.text, ...otherLines].join(this.eol) : firstLine;
    const to = Math.max(colon, isMultiline ? comment.to : replacedRange.to);
    const gap = firstLine === "" ? "" : " ";
    if (key !== undefined) {
      const between = this.text.slice(keyRange.to, colon);
      return { from: keyRange.from, to, insert: renderKey(key, inFlow) + between + mark + gap + rendered };
    }
    const keepsPlace = replacedRange.to > replacedRange.from && firstLine !== "" && !isBlockCollection(node);
    const change = {
      from: keepsPlace ? replacedRange.from : colon,
      to,
      insert: keepsPlace ? rendered : mark + gap + rendered,
    };
    return isBlockScalar(node) ? this.#withoutSharedEnds(change) : change;
  }

  /** The offset after the colon of an entry, or where one has to be written, with what has to be written there. */
  #colonOf(entry: YamlEntry, keyRange: TextRange): { colon: number; mark: string } {
    const colon = colonEndOf(entry.pair, this.text);
    if (colon !== null) return { colon, mark: "" };
    const start = startOfPair(entry.pair, this.text);
    const isInLine = this.text.slice(this.lineStart(start), start).trim() !== "";
    if (isInLine || !isExplicit(entry.pair, this.text)) return { colon: keyRange.to, mark: ":" };
    const margin = " ".repeat(start - this.lineStart(start));
    return { colon: this.lineEnd(keyRange.to), mark: `${this.eol}${margin}:` };
  }

  /** Writes lines under the key of an entry that has no value yet; a comment beside the key stays. */
  insertUnder(entry: YamlEntry, lines: readonly string[]): TextChange[] {
    const keyRange = rangeOfNode(entry.keyNode, this.text) ?? { from: 0, to: 0 };
    const { colon, mark } = this.#colonOf(entry, keyRange);
    const written = rangeOfNode(writtenValue(entry), this.text);
    const removal = written && written.to > written.from ? [{ ...written, insert: "" }] : [];
    const insertAt = this.lineEnd(Math.max(colon, written?.to ?? 0));
    return [...removal, { from: insertAt, to: insertAt, insert: mark + lines.map((line) => this.eol + line).join("") }];
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
    const colon = colonEndOf(entry.pair, this.text) ?? range.from;
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
    // The first entry may be in the line of the colon.
    if (isBlockCollection(node) && valueRange.from <= this.lineEnd(colon)) return { text: "", to: valueRange.to };
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
  add(map: YAMLMap, key: string, value: OrderedJson, style: Partial<Slot> = {}): TextChange {
    const [mapStart, mapEnd] = map.range ?? [0, 0];
    const last = map.items.at(-1);
    if (map.flow) {
      const text = renderPair(key, value, { inFlow: true, indent: this.indentAt(mapStart), eol: this.eol, ...style });
      const lastItemEnd = last && rangeOfPair(last, this.text).to;
      if (lastItemEnd !== undefined) return { from: lastItemEnd, to: lastItemEnd, insert: `, ${text}` };
      const close = this.text.lastIndexOf("}", mapEnd - 1);
      return { from: mapStart + 1, to: close, insert: ` ${text} ` };
    }
    const indent = mapStart - this.lineStart(mapStart);
    const insertAt = this.lineEndWithComments(endOfMap(map, this.text), indent);
    const slot = { inFlow: false, indent, eol: this.eol, ...style, ...blockLike(last?.value) };
    return { from: insertAt, to: insertAt, insert: `${this.eol}${" ".repeat(indent)}${renderPair(key, value, slot)}` };
  }

  /** Appends items, which are YAML texts, to a list that has some, in its style. */
  addItems(list: YAMLSeq, items: readonly string[]): TextChange {
    return this.insertItems(list, list.items.length, items);
  }

  /** Inserts items, which are YAML texts, before the item at `index` of a list that has some, in its style. */
  insertItems(list: YAMLSeq, index: number, items: readonly string[]): TextChange {
    const [listStart] = list.range ?? [0];
    const margin = `${this.eol}${" ".repeat(listStart - this.lineStart(listStart))}`;
    if (index === 0) {
      const first = list.items[0];
      const insertAt = list.flow && isNode(first) ? (first.range?.[0] ?? listStart) : listStart;
      const insert = items.map((item) => (list.flow ? `${item}, ` : `- ${item}${margin}`)).join("");
      return { from: insertAt, to: insertAt, insert };
    }
    const before = list.items[index - 1];
    const isLast = index === list.items.length;
    const end = rangeOfNode(isNode(before) && (list.flow || !isLast) ? before : list, this.text)?.to ?? listStart;
    const insertAt = list.flow ? end : this.lineEndWithComments(end, listStart - this.lineStart(listStart));
    const separator = list.flow ? ", " : `${margin}- `;
    return { from: insertAt, to: insertAt, insert: items.map((item) => separator + item).join("") };
  }

  /** Takes an entry out, with its own lines and the comment lines directly above. */
  remove(map: YAMLMap | null, entry: YamlEntry): TextChange {
    const entryRange = rangeOfPair(entry.pair, this.text);
    if (map?.flow) return this.removeFromFlow(map, entryRange);
    return this.#removeFromBlock(entryRange);
  }

  /** Takes items of a list out, from the one at `first` to the one at `last`. */
  removeItems(list: YAMLSeq, first: number, last: number): TextChange {
    const [firstItem, lastItem]: unknown[] = [list.items[first], list.items[last]];
    const from = (isNode(firstItem) && firstItem.range?.[0]) || 0;
    const to = (isNode(lastItem) && rangeOfNode(lastItem, this.text)?.to) || from;
    if (list.flow) return this.removeFromFlow(list, { from, to });
    return this.#removeFromBlock({ from: dashOf(list, first, this.text), to });
  }

  /** An entry or item that begins in the line of a `-`, `:` or `?` leaves it to the one after it. */
  #removeFromBlock({ from: start, to: end }: TextRange): TextChange {
    if (this.text.slice(this.lineStart(start), start).trim() === "") return this.removeLines(start, end);
    const next = this.text.indexOf("\n", end);
    const nextStart = next < 0 ? this.text.length : next + 1 + this.text.slice(next + 1).search(/\S|$/);
    const isInside = nextStart - this.lineStart(nextStart) >= start - this.lineStart(start);
    return { from: start, to: isInside && next >= 0 ? nextStart : this.lineEnd(end), insert: "" };
  }

  /** Adds lines at the end of the document. */
  append(lines: string): TextChange {
    const end = /^\.\.\.(?=\s|$)/m.exec(this.text)?.index ?? this.text.length;
    const before = this.text.slice(0, end).replace(/^\uFEFF/, "");
    const lineBreak = before === "" || before.endsWith("\n") ? "" : this.eol;
    return { from: end, to: end, insert: lineBreak + lines + this.eol };
  }

  removeLines(start: number, end: number): TextChange {
    let firstLineStart = this.lineStart(start);
    const indent = start - firstLineStart;
    const fileStart = this.lineStart(0);
    while (firstLineStart > fileStart) {
      const above = this.lineStart(firstLineStart - 1);
      const line = this.text.slice(above, firstLineStart);
      if (!line.trimStart().startsWith("#") || /^ */.exec(line)?.[0].length !== indent) break;
      firstLineStart = above;
    }
    // A comment that begins the file is about the file.
    if (firstLineStart === fileStart) firstLineStart = this.lineStart(start);
    const next = this.#endOfInnerComments(end, indent);
    if (next >= 0) return { from: firstLineStart, to: next + 1, insert: "" };
    // The last line of the file: the line break before it goes too.
    const before = this.text.slice(0, firstLineStart);
    return { from: before.length - (/\r?\n$/.exec(before)?.[0].length ?? 0), to: this.text.length, insert: "" };
  }

  /**
   * The line break after `end` and the comment lines that follow and are indented further than `indent`: they are inside
   * what ends there. -1: the file ends before.
   */
  #endOfInnerComments(end: number, indent: number): number {
    let lineBreak = this.text.indexOf("\n", end);
    for (let next = lineBreak; next >= 0; ) {
      const line = this.text.slice(next + 1, this.lineEnd(next + 1));
      const column = line.search(/\S/);
      if (column >= 0 && (line[column] !== "#" || column <= indent)) break;
      next = this.text.indexOf("\n", next + 1);
      if (column >= 0 && next < 0) return -1;
      if (column >= 0) lineBreak = next;
    }
    return lineBreak;
  }

  /** The end of the line of `end`, or of the last comment line below that is indented further than `indent`. */
  lineEndWithComments(end: number, indent: number): number {
    const lineBreak = this.#endOfInnerComments(end, indent);
    return lineBreak < 0 ? this.text.length : this.lineEnd(lineBreak);
  }

  #isFollowedByComment(end: number, indent: number): boolean {
    return this.#endOfInnerComments(end, indent) !== this.text.indexOf("\n", end);
  }

  /** Takes entries out of a mapping, which may be neighbours. */
  removeEntries(map: YAMLMap, entries: readonly YamlEntry[]): TextChange[] {
    if (!map.flow) return entries.map((entry) => this.remove(map, entry));
    const isRemoved = map.items.map((pair) =>
      entries.some((entry) => entry.pair === pair || entry.keyNode === pair.key),
    );
    return map.items.flatMap((pair, index) => {
      if (!isRemoved[index] || isRemoved[index - 1]) return [];
      const kept = isRemoved.indexOf(false, index);
      const last = map.items.at(kept < 0 ? -1 : kept - 1) ?? pair;
      const from = rangeOfPair(pair, this.text).from;
      return [this.removeFromFlow(map, { from, to: rangeOfPair(last, this.text).to })];
    });
  }

  /**
   * Takes entries or items out of `{…}` or `[…]`, with the comma after them, or else the one before; comments stay. Of braces without
   * any more entries `{ }` is left, which shows that they had some.
   */
  removeFromFlow({ range }: YAMLMap | YAMLSeq, { from: start, to: end }: TextRange): TextChange {
    const [collectionStart, collectionEnd] = range ?? [0, 0];
    const separatorAfter = /^\s*,\s*/.exec(this.text.slice(end, collectionEnd))?.[0].length;
    if (separatorAfter !== undefined) return { from: start, to: end + separatorAfter, insert: "" };
    const separatorBefore = /\s*,\s*$/.exec(this.text.slice(collectionStart + 1, start))?.[0].length ?? 0;
    const isEmptied = this.text.slice(collectionStart, start) === "{" && this.text[end] === "}";
    return { from: start - separatorBefore, to: end, insert: isEmptied ? " " : "" };
  }
}

/** The value as written: an alias is not resolved. */
const writtenValue = ({ pair, value }: YamlEntry): Node | null => (isAlias(pair.value) ? pair.value : value);

const isBlockCollection = (node: unknown): boolean => (isMap(node) || isSeq(node)) && node.flow !== true;
/** Whether a text in quotes gets its second line: lines are for reading, so it leaves its quotes. */
const becomesProse = (node: Node | null, value: OrderedJson): boolean =>
  isScalar(node) && !String(node.value).includes("\n") && typeof value === "string" && /\S\s*\n\s*\S/.test(value);

const isBlockScalar = (node: unknown): boolean =>
  isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");

/** Mappings are written as a neighbour, or what they replace, is; those that were empty a field a line. */
const blockLike = (node: unknown): Partial<Slot> =>
  isMap(node) ? { block: node.flow !== true || node.items.length === 0 } : {};

export const asMap = (node: Node | null): YAMLMap | null => (isMap(node) ? node : null);

/** More equal keys than this are left. */
const maxEqualKeys = 100;

/** Calls `changeNext` while it returns true: of equal keys all are changed, or the second would come to life. */
export function repeatWhile(changeNext: () => boolean): void {
  for (let count = 0; count < maxEqualKeys; count++) if (!changeNext()) return;
}
