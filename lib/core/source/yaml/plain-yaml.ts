import { Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";

type PlainValue = Scalar | YAMLMap | YAMLSeq;
type PlainRange = [start: number, valueEnd: number, nodeEnd: number];

/** Deeper texts are left to the library. */
const deepest = 20;

const name = /[A-Za-z_][\w-]*/y;
const word = /[A-Za-z_][\w./-]*/y;
const plain = /^[A-Za-z_][^#]*$/;
const number = /^-?(?:0|[1-9]\d{0,9})(?:\.\d{0,8}[1-9])?$/;
const quoted = /"([^"\\\n]*)"|'([^'\n]*)'/y;
const keyword = /^(?:null|true|false)$/i;

/**
 * Reads the YAML that most declarations are written in: block mappings of plain keys; plain, quoted and block texts,
 * numbers, and short lists and mappings in brackets. It makes the nodes that the library makes of them (without
 * `spaceBefore`), several times as fast. Null: the text holds something else, which may be right or wrong.
 */
export function readPlainYaml(text: string): YAMLMap | null {
  if (/[\t\r]/.test(text)) return null;
  const reader = new PlainReader(text);
  const map = reader.readMapping(-1, 0);
  return reader.isAtEnd ? map : null;
}

class PlainReader {
  /** Where the next line begins that is not empty. */
  #at = 0;

  constructor(readonly text: string) {
    this.#goTo(0);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.text.length;
  }

  /** The mapping that begins here and is indented further than `outer`. */
  readMapping(outer: number, depth: number): YAMLMap | null {
    const indent = this.#indent();
    if (indent <= outer || depth > deepest) return null;
    const start = this.#at + indent;
    const items: Pair[] = [];
    let end = start;
    for (let next = indent; next >= indent; next = this.#indent()) {
      const pair = next === indent ? this.#readPair(indent, depth) : null;
      if (!pair) return null;
      items.push(pair);
      end = pair.value?.range?.[2] ?? end;
    }
    return toMap(items, [start, end, end], false);
  }

  #readPair(indent: number, depth: number): Pair<Scalar, PlainValue> | null {
    const keyStart = this.#at + indent;
    const key = this.#match(name, keyStart);
    const colon = keyStart + (key?.length ?? 0);
    if (key === null || keyword.test(key) || this.text[colon] !== ":") return null;
    const lineEnd = endOfLine(this.text, colon);
    let start = colon + 1;
    while (this.text[start] === " ") start++;
    if (start >= lineEnd) {
      this.#goTo(lineEnd + 1);
      const map = start === colon + 1 ? this.readMapping(indent, depth + 1) : null;
      return map && new Pair(toScalar(key, "PLAIN", key, [keyStart, colon, colon]), map);
    }
    if (start === colon + 1 || this.text[lineEnd - 1] === " ") return null;
    const value = this.#readValue(start, lineEnd, indent);
    return value && new Pair(toScalar(key, "PLAIN", key, [keyStart, colon, colon]), value);
  }

  /** The value that begins on the line of its key, which is indented by `indent`. */
  #readValue(start: number, lineEnd: number, indent: number): PlainValue | null {
    const written = this.text.slice(start, lineEnd);
    const nodeEnd = Math.min(lineEnd + 1, this.text.length);
    const sign = written[0];
    if (sign === "|" || sign === ">") return this.#readBlock(start, lineEnd, indent);
    this.#goTo(lineEnd + 1);
    if (sign === "[") return this.#readList(start, lineEnd, nodeEnd);
    if (sign === "{") return this.#readBraces(start, lineEnd, nodeEnd);
    if (sign === '"' || sign === "'") return this.#readQuoted(start, lineEnd, nodeEnd);
    const range: PlainRange = [start, lineEnd, nodeEnd];
    if (number.test(written)) return toScalar(Number(written), "PLAIN", written, range);
    const isPlain = plain.test(written) && !keyword.test(written) && !written.includes(": ") && !written.endsWith(":");
    return isPlain ? toScalar(written, "PLAIN", written, range) : null;
  }

  #readQuoted(start: number, end: number, nodeEnd = end): Scalar | null {
    quoted.lastIndex = start;
    const match = quoted.exec(this.text);
    if (!match || quoted.lastIndex !== end) return null;
    const value = match[1] ?? match[2] ?? "";
    const type = match[1] === undefined ? "QUOTE_SINGLE" : "QUOTE_DOUBLE";
    return toScalar(value, type, value, [start, end, nodeEnd]);
  }

  /** `[a, "b"]` on one line. */
  #readList(start: number, end: number, nodeEnd: number): YAMLSeq | null {
    const items: Scalar[] = [];
    let position = start + 1;
    while (this.text[position] !== "]" || items.length === 0) {
      const item = this.#readItem(position);
      if (!item) return null;
      items.push(item);
      position = item.range?.[1] ?? end;
      if (this.text.startsWith(", ", position)) position += 2;
      else if (this.text[position] !== "]") return null;
    }
    // The last item may be followed by a comma.
    if (position + 1 !== end || this.text[position - 1] === " ") return null;
    return Object.assign(new YAMLSeq(), { items, flow: true, range: [start, end, nodeEnd] satisfies PlainRange });
  }

  /** `{ a: "b", c: d }` on one line. */
  #readBraces(start: number, end: number, nodeEnd: number): YAMLMap | null {
    const items: Pair[] = [];
    let position = start + 1;
    if (this.text[position] === " ") position++;
    while (position < end) {
      const key = this.#match(name, position);
      const colon = position + (key?.length ?? 0);
      const value =
        key !== null && !keyword.test(key) && this.text.startsWith(": ", colon) ? this.#readItem(colon + 2) : null;
      if (key === null || !value?.range) return null;
      items.push(new Pair(toScalar(key, "PLAIN", key, [position, colon, colon]), value));
      position = value.range[1];
      if (this.text.startsWith(", ", position)) {
        position += 2;
        continue;
      }
      if (this.text[position] === " ") value.range[2] = ++position;
      return this.text[position] === "}" && position + 1 === end ? toMap(items, [start, end, nodeEnd], true) : null;
    }
    return null;
  }

  /** A word or a quoted text inside brackets. */
  #readItem(start: number): Scalar | null {
    const plainWord = this.#match(word, start);
    const end = start + (plainWord?.length ?? 0);
    if (plainWord !== null)
      return keyword.test(plainWord) ? null : toScalar(plainWord, "PLAIN", plainWord, [start, end, end]);
    const quote = this.text[start];
    if (quote !== '"' && quote !== "'") return null;
    const close = this.text.indexOf(quote, start + 1);
    return close < 0 ? null : this.#readQuoted(start, close + 1);
  }

  /** `|`, `|-`, `>` or `>-` and the lines below, indented further than the key. */
  #readBlock(start: number, lineEnd: number, outer: number): Scalar | null {
    const [style, strips] = [this.text[start], this.text[start + 1] === "-"];
    if (lineEnd !== start + (strips ? 2 : 1) || !this.text.endsWith("\n")) return null;
    const indent = indentAt(this.text, lineEnd + 1);
    if (indent <= outer) return null;
    const lines: string[] = [];
    let position = lineEnd + 1;
    let last = position;
    for (; position < this.text.length; position = endOfLine(this.text, position) + 1) {
      const lineIndent = indentAt(this.text, position);
      const end = endOfLine(this.text, position);
      if (position + lineIndent === end && lineIndent > 0) return null;
      if (lineIndent < indent && lineIndent < end - position) {
        if (lineIndent > outer) return null;
        break;
      }
      lines.push(this.text.slice(Math.min(position + indent, end), end));
      if (lineIndent < end - position) last = end + 1;
    }
    const isFolded = style === ">";
    if (lines[0] === "" || (isFolded && lines.some((line) => line.startsWith(" ") || line.endsWith(" ")))) return null;
    while (lines.at(-1) === "") lines.pop();
    this.#goTo(position);
    const value = (isFolded ? fold(lines) : lines.join("\n")) + (strips ? "" : "\n");
    return toScalar(value, isFolded ? "BLOCK_FOLDED" : "BLOCK_LITERAL", value, [start, last, last]);
  }

  #match(pattern: RegExp, start: number): string | null {
    pattern.lastIndex = start;
    return pattern.exec(this.text)?.[0] ?? null;
  }

  #goTo(start: number): void {
    this.#at = start;
    while (this.text[this.#at] === "\n") this.#at++;
  }

  /** How far the next line is indented; -1: there is none. */
  #indent(): number {
    return this.isAtEnd ? -1 : indentAt(this.text, this.#at);
  }
}

/** One line break becomes a space, of several the first one goes. */
function fold(lines: readonly string[]): string {
  let text = "";
  for (const [index, line] of lines.entries()) {
    const joint = index === 0 ? "" : line === "" ? "\n" : text.endsWith("\n") ? "" : " ";
    text += joint + line;
  }
  return text;
}

function indentAt(text: string, start: number): number {
  let end = start;
  while (text[end] === " ") end++;
  return end - start;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

const toScalar = (value: string | number, type: Scalar.Type, source: string, range: PlainRange): Scalar =>
  Object.assign(new Scalar(value), { range, source, type });

const toMap = (items: Pair[], range: PlainRange, flow: boolean): YAMLMap =>
  Object.assign(new YAMLMap(), { items, range, ...(flow && { flow }) });
