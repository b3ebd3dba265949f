import { toMinimalChange } from "../../flow/text-change";
import { declaringKeys } from "./sections";

/** A stretch of a flow file that can be read on its own: a top-level entry, or one declaration of a section. */
export interface SourceChunk {
  /** Where it begins in the file. */
  from: number;
  text: string;
  /** The section whose declaration it is; null for a top-level entry and for the first lines of a section that was cut. */
  section: string | null;
  /** How far its key must be indented. */
  indent: number;
}

/** The sections that are cut into their declarations. */
const chunkedSections: readonly string[] = declaringKeys;

/** One line that says something: neither empty nor a comment. */
interface ContentLine {
  from: number;
  indent: number;
  /** The first character, and the two first. */
  firstCharacter: string;
  prefix: string;
}

/**
 * Cuts a flow file where YAML allows it: a line that is indented as far as the first one, and goes on with nothing, begins
 * a new entry. What is wrong inside one cut cannot reach another. Null: the form of the file must be read as a whole (one
 * mapping in braces, several documents, directives).
 */
export function splitChunks(text: string): SourceChunk[] | null {
  const lines = linesOf(text, 0, text.length);
  const marked = lines[0]?.prefix === "---" && /^---[ \t]*(?:#.*)?\r?$/.test(lineAt(text, lines[0].from));
  const content = marked ? lines.slice(1) : lines;
  const [first] = content;
  if (!first) return marked ? null : [];
  if (first.indent > 0 || /[{[&*!|>%\t\uFEFF}\]]/.test(first.firstCharacter) || continuesEntry(first)) return null;
  if (content.some(({ indent, prefix: start }) => indent === 0 && (start === "---" || start === "..."))) return null;
  const starts = content.flatMap((line, index) => (line.indent === 0 && !continuesEntry(line) ? [index] : []));
  return starts.flatMap((start, number) => {
    const from = content[start]?.from ?? 0;
    const next = starts[number + 1] ?? content.length;
    const to = content[next]?.from ?? text.length;
    return splitEntry(text, { from, to }, content.slice(start + 1, next));
  });
}

/** A top-level entry as one cut, or as its first lines and its declarations. */
function splitEntry(
  text: string,
  { from, to }: { from: number; to: number },
  inside: readonly ContentLine[],
): SourceChunk[] {
  const whole: SourceChunk = { from, text: text.slice(from, to), section: null, indent: 0 };
  const section = sectionOfHead(lineAt(text, from));
  const [first] = inside;
  if (section === null || !first || !canStartEntries(first)) return [whole];
  const indent = indentOf(text, inside, first);
  const members = splitMembers(text, to, inside, { section, indent });
  return [{ ...whole, text: text.slice(from, first.from) }, ...members];
}

/** How far the declarations of a section are indented: as the first line, unless that is no entry and none is indented like it. */
function indentOf(text: string, inside: readonly ContentLine[], first: ContentLine): number {
  if (looksLikeEntry(lineAt(text, first.from))) return first.indent;
  const entries = inside.filter((line) => line.indent > 0 && looksLikeEntry(lineAt(text, line.from)));
  if (entries.some(({ indent }) => indent === first.indent)) return first.indent;
  return entries.reduce((least, { indent }) => Math.min(least, indent), entries[0]?.indent ?? first.indent);
}

/** The declarations that begin with `inside`, of which the first line begins one whatever it says. */
function splitMembers(
  text: string,
  to: number,
  inside: readonly ContentLine[],
  { section, indent }: Pick<SourceChunk, "section" | "indent">,
): SourceChunk[] {
  const [first] = inside;
  const starts = inside.filter(
    (line) => line === first || (line.indent > 0 && line.indent <= indent && !continuesEntry(line)),
  );
  return starts.map((line, number): SourceChunk => {
    const end = starts[number + 1]?.from ?? to;
    return { from: line.from, text: text.slice(line.from, end), section, indent };
  });
}

/** Cuts of a text before and after a change that lies inside one of them. */
export interface ChangedChunk {
  /** Which one it was. */
  index: number;
  /** What it is now. */
  chunks: SourceChunk[];
  /** How far everything behind it moved. */
  shift: number;
}

/**
 * The cuts of a text that differs from `before` inside one of its cuts only, behind the start of its first line. Null: more
 * may have changed, `splitSource` tells.
 */
export function splitChangedChunk(text: string, before: string, cuts: readonly SourceChunk[]): ChangedChunk | null {
  const change = toMinimalChange(before, text);
  const index = change ? cuts.findLastIndex((cut) => cut.from < change.from) : -1;
  const cut = cuts[index];
  if (!change || !cut) return null;
  const by = text.length - before.length;
  const end = cut.from + cut.text.length;
  const to = end + by;
  // The next cut must still begin a line.
  const endsWell = change.to <= end && (end === before.length || text[to - 1] === "\n");
  if (!endsWell || change.from < cut.from + lengthOfHead(cut, cuts[index - 1])) return null;
  const lines = linesOf(text, cut.from, to);
  const [first, ...rest] = lines;
  const { section, indent } = cut;
  const breaksOut = section !== null && (first?.indent === 0 || !determinesIndent(cuts, index));
  if (breaksOut || rest.some((line) => line.indent === 0 && !continuesEntry(line))) return null;
  if (section !== null) return { index, shift: by, chunks: splitMembers(text, to, lines, { section, indent }) };
  const isWhole = cuts[index + 1]?.section == null && sectionOfHead(lineAt(text, cut.from)) === null;
  return isWhole ? { index, shift: by, chunks: [{ ...cut, text: text.slice(cut.from, to) }] } : null;
}

/** Whether it is the first declaration of a section alone that says how far all of them are indented. */
function determinesIndent(cuts: readonly SourceChunk[], index: number): boolean {
  const head = cuts.findLastIndex((cut, at) => at < index && cut.section === null);
  return looksLikeEntry(lineAt(cuts[head + 1]?.text ?? "", 0));
}

/** How much of a cut tells where it begins: three characters, of the first declaration of a section the whole line. */
function lengthOfHead({ section, text }: SourceChunk, before: SourceChunk | undefined): number {
  const isFirst = section !== null && before?.section === null;
  return isFirst ? lineAt(text, 0).length + 1 : text.search(/\S/) + 3;
}

/**
 * Smaller cuts of a top-level entry that cannot be read. It is a section with a mistake in its first declaration; or its key
 * is none and it stands behind a declaration: somebody typed at the start of a line, and what follows still belongs to the
 * section. Null: neither.
 */
export function splitUnreadableChunk(cut: SourceChunk, before: SourceChunk | undefined): SourceChunk[] | null {
  const [head, ...inside] = linesOf(cut.text, 0, cut.text.length);
  const own = sectionOfHead(lineAt(cut.text, 0));
  const [first] = inside;
  const split = (lines: readonly ContentLine[], section: string, indent: number): SourceChunk[] =>
    splitMembers(cut.text, cut.text.length, lines, { section, indent }).map((one) => ({
      ...one,
      from: cut.from + one.from,
    }));
  if (own !== null && first) {
    return [{ ...cut, text: cut.text.slice(0, first.from) }, ...split(inside, own, indentOf(cut.text, inside, first))];
  }
  const section = before && (before.section ?? sectionOfHead(lineAt(before.text, 0)));
  if (!section || !head || topSectionPattern.test(cut.text)) return null;
  const indent = before.section === null ? first?.indent : before.indent;
  return indent === undefined ? null : split([head, ...inside], section, indent);
}

const topSectionPattern = new RegExp(`^["']?(?:name|vars|compat|limits|swarm|${chunkedSections.join("|")})\\b`);

/** The section that begins with this line, if it can be cut. */
function sectionOfHead(line: string): string | null {
  const section = /^(\w+):[ \t]*(?:#.*)?\r?$/.exec(line)?.[1] ?? "";
  return chunkedSections.includes(section) ? section : null;
}

/** Whether declarations of a section can begin with this line: no list, no braces, nothing that belongs to the section. */
const canStartEntries = (line: ContentLine): boolean =>
  line.indent > 0 && !/[{[&*!|>\t]/.test(line.firstCharacter) && !continuesEntry(line);

/** Whether a line belongs to the entry above although it is not indented further. */
const continuesEntry = ({ firstCharacter: sign, prefix: start }: ContentLine): boolean =>
  /[}\]\t]/.test(sign) || /^[-:](?:\s|$)/.test(start);

/** Whether a line looks like the first of an entry. */
const looksLikeEntry = (line: string): boolean =>
  /^\s*(?:\?\s|(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'].*?)\s*:(?:\s|$))/s.test(line);

/** The key that a line begins with, as far as it can be told without reading YAML; null when there is none. */
export function keyOf(line: string): string | null {
  const found = /^\s*(?:"([^"\\]*)"|'([^']*)'|([^\s#"'{}[\],&*!|>%@`?].*?))\s*:(?:\s|$)/s.exec(line);
  const key = found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
  return key === null || /^-\s|\s#/.test(key) ? null : key;
}

export function lineAt(text: string, from: number): string {
  const end = text.indexOf("\n", from);
  return text.slice(from, end < 0 ? text.length : end);
}

/** The lines of `[from, to)` that say something. */
function linesOf(text: string, from: number, to: number): ContentLine[] {
  const lines: ContentLine[] = [];
  for (let at = from; at < to; ) {
    let first = at;
    while (text[first] === " ") first++;
    const sign = text[first] ?? "";
    const saysNothing = sign === "" || sign === "#" || sign === "\n" || sign === "\r" || isEmptyLine(text, first);
    if (!saysNothing)
      lines.push({ from: at, indent: first - at, firstCharacter: sign, prefix: text.slice(first, first + 3) });
    const end = text.indexOf("\n", first);
    at = end < 0 ? to : end + 1;
  }
  return lines;
}

/** Whether nothing but tabs, spaces and perhaps a comment stands up to the end of the line. */
const isEmptyLine = (text: string, first: number): boolean =>
  text[first] === "\t" && /^[\t ]*(?:#.*)?\r?$/.test(lineAt(text, first));
