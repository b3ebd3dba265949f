import { toMinimalChange } from "../../flow/text-change";
import { declaringSections } from "./sections";

/** A stretch of a flow file that can be read on its own: a top-level entry, or one declaration of a section. */
export interface SourceChunk {
  /** Where it begins in the file. */
  from: number;
  text: string;
  /** The section whose declaration it is; null for a top-level entry and for the first lines of a section that was split. */
  section: string | null;
  /** How far its key must be indented. */
  indent: number;
}

/** A line with content: neither empty nor a comment. */
interface ContentLine {
  from: number;
  indent: number;
  /** The first character, and the two first. */
  firstCharacter: string;
  prefix: string;
}

/**
 * Splits a flow file where YAML allows it: a line that is indented as far as the first one and continues no entry begins a
 * new one. A mistake inside one chunk does not affect another. Null: the form of the file must be read as a whole (one
 * mapping in braces, several documents, directives).
 */
export function splitChunks(text: string): SourceChunk[] | null {
  const lines = linesOf(text, 0, text.length);
  const marked = lines[0]?.prefix === "---" && /^---[ \t]*(?:#.*)?\r?$/.test(lineAt(text, lines[0].from));
  const content = marked ? lines.slice(1) : lines;
  const [firstLine] = content;
  if (!firstLine) return marked ? null : [];
  if (firstLine.indent > 0 || /[{[&*!|>%\t\uFEFF}\]]/.test(firstLine.firstCharacter) || continuesEntry(firstLine))
    return null;
  if (content.some(({ indent, prefix: start }) => indent === 0 && (start === "---" || start === "..."))) return null;
  const starts = content.flatMap((line, index) => (line.indent === 0 && !continuesEntry(line) ? [index] : []));
  return starts.flatMap((start, number) => {
    const offset = content[start]?.from ?? 0;
    const next = starts[number + 1] ?? content.length;
    const to = content[next]?.from ?? text.length;
    return splitEntry(text, { from: offset, to }, content.slice(start + 1, next));
  });
}

/** A top-level entry as one chunk, or as its first lines and its declarations. */
function splitEntry(
  text: string,
  { from: offset, to: end }: { from: number; to: number },
  inside: readonly ContentLine[],
): SourceChunk[] {
  const entryChunk: SourceChunk = { from: offset, text: text.slice(offset, end), section: null, indent: 0 };
  const section = sectionOfHead(lineAt(text, offset));
  const [firstInside] = inside;
  if (section === null || !firstInside || !canStartEntries(firstInside)) return [entryChunk];
  const indent = indentOf(text, inside, firstInside);
  const members = splitMembers(text, end, inside, { section, indent });
  return [{ ...entryChunk, text: text.slice(offset, firstInside.from) }, ...members];
}

/** How far the declarations of a section are indented: as the first line, unless that is no entry and none is indented like it. */
function indentOf(text: string, inside: readonly ContentLine[], firstLine: ContentLine): number {
  if (looksLikeEntry(lineAt(text, firstLine.from))) return firstLine.indent;
  const entries = inside.filter((line) => line.indent > 0 && looksLikeEntry(lineAt(text, line.from)));
  if (entries.some(({ indent }) => indent === firstLine.indent)) return firstLine.indent;
  return entries.reduce((least, { indent }) => Math.min(least, indent), entries[0]?.indent ?? firstLine.indent);
}

/** The declarations that begin with `inside`; its first line always begins one. */
function splitMembers(
  text: string,
  textEnd: number,
  inside: readonly ContentLine[],
  { section, indent }: Pick<SourceChunk, "section" | "indent">,
): SourceChunk[] {
  const [firstLine] = inside;
  const starts = inside.filter(
    (line) => line === firstLine || (line.indent > 0 && line.indent <= indent && !continuesEntry(line)),
  );
  return starts.map((line, number): SourceChunk => {
    const end = starts[number + 1]?.from ?? textEnd;
    return { from: line.from, text: text.slice(line.from, end), section, indent };
  });
}

/** The chunk of a text that contains a change, and the chunks that replace it. */
export interface ChangedChunk {
  /** Its index before the change. */
  index: number;
  /** Its replacements. */
  chunks: SourceChunk[];
  /** How far everything after it moved. */
  shift: number;
}

/**
 * The chunks of a text that differs from `before` inside one chunk only, after the start of its first line. Null: more
 * may have changed, use `splitChunks`.
 */
export function splitChangedChunk(text: string, before: string, chunks: readonly SourceChunk[]): ChangedChunk | null {
  const change = toMinimalChange(before, text);
  const index = change ? chunks.findLastIndex((chunk) => chunk.from < change.from) : -1;
  const chunk = chunks[index];
  if (!change || !chunk) return null;
  const shift = text.length - before.length;
  const end = chunk.from + chunk.text.length;
  const newEnd = end + shift;
  // The next chunk must still begin a line.
  const endsWell = change.to <= end && (end === before.length || text[newEnd - 1] === "\n");
  if (!endsWell || change.from < chunk.from + lengthOfHead(chunk, chunks[index - 1])) return null;
  const lines = linesOf(text, chunk.from, newEnd);
  const [firstLine, ...otherLines] = lines;
  const { section, indent } = chunk;
  const breaksOut = section !== null && (firstLine?.indent === 0 || !determinesIndent(chunks, index));
  if (breaksOut || otherLines.some((line) => line.indent === 0 && !continuesEntry(line))) return null;
  if (section !== null) return { index, shift, chunks: splitMembers(text, newEnd, lines, { section, indent }) };
  const isWhole = chunks[index + 1]?.section == null && sectionOfHead(lineAt(text, chunk.from)) === null;
  return isWhole ? { index, shift, chunks: [{ ...chunk, text: text.slice(chunk.from, newEnd) }] } : null;
}

/** Whether the first declaration of a section alone determines the indentation of all of them. */
function determinesIndent(chunks: readonly SourceChunk[], index: number): boolean {
  const head = chunks.findLastIndex((chunk, chunkIndex) => chunkIndex < index && chunk.section === null);
  return looksLikeEntry(lineAt(chunks[head + 1]?.text ?? "", 0));
}

/** How many characters of a chunk determine where it begins: three characters, of the first declaration of a section the whole line. */
function lengthOfHead({ section, text }: SourceChunk, before: SourceChunk | undefined): number {
  const isFirst = section !== null && before?.section === null;
  return isFirst ? lineAt(text, 0).length + 1 : text.search(/\S/) + 3;
}

/**
 * Smaller chunks of a top-level entry that cannot be read. It is a section with a mistake in its first declaration; or its key
 * is invalid and it follows a declaration: text was typed at the start of a line, and what follows still belongs to the
 * section. Null: neither.
 */
export function splitUnreadableChunk(chunk: SourceChunk, before: SourceChunk | undefined): SourceChunk[] | null {
  const [head, ...inside] = linesOf(chunk.text, 0, chunk.text.length);
  const ownSection = sectionOfHead(lineAt(chunk.text, 0));
  const [firstInside] = inside;
  const split = (lines: readonly ContentLine[], section: string, indent: number): SourceChunk[] =>
    splitMembers(chunk.text, chunk.text.length, lines, { section, indent }).map((member) => ({
      ...member,
      from: chunk.from + member.from,
    }));
  if (ownSection !== null && firstInside) {
    return [
      { ...chunk, text: chunk.text.slice(0, firstInside.from) },
      ...split(inside, ownSection, indentOf(chunk.text, inside, firstInside)),
    ];
  }
  const section = before && (before.section ?? sectionOfHead(lineAt(before.text, 0)));
  if (!section || !head || startsSection(chunk.text)) return null;
  const indent = before.section === null ? firstInside?.indent : before.indent;
  return indent === undefined ? null : split([head, ...inside], section, indent);
}

/** Whether a text starts with the key of a section. */
const startsSection = (text: string): boolean =>
  ["name", "vars", "compat", "limits", "swarm", ...declaringSections()].includes(/^["']?(\w+)\b/.exec(text)?.[1] ?? "");

/** The section that begins with this line, if it can be split. */
function sectionOfHead(line: string): string | null {
  const section = /^(\w+):[ \t]*(?:#.*)?\r?$/.exec(line)?.[1] ?? "";
  return declaringSections().includes(section) ? section : null;
}

/** Whether declarations of a section can begin with this line: no list, no braces, nothing that belongs to the section. */
const canStartEntries = (line: ContentLine): boolean =>
  line.indent > 0 && !/[{[&*!|>\t]/.test(line.firstCharacter) && !continuesEntry(line);

/** Whether a line belongs to the entry above although it is not indented further. */
const continuesEntry = ({ firstCharacter: sign, prefix: start }: ContentLine): boolean =>
  /[}\]\t]/.test(sign) || /^[-:](?:\s|$)/.test(start);

/** Whether a line looks like the first of an entry. */
export const looksLikeEntry = (line: string): boolean =>
  /^\s*(?:\?\s|(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'].*?)\s*:(?:\s|$))/s.test(line);

/** The key that a line begins with, as far as it can be determined without reading YAML; null when there is none. */
export function keyOf(line: string): string | null {
  const match = /^\s*(?:"([^"\\]*)"|'([^']*)'|([^\s#"'{}[\],&*!|>%@`?].*?))\s*:(?:\s|$)/s.exec(line);
  const key = match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
  return key === null || /^-\s|\s#/.test(key) ? null : key;
}

export function lineAt(text: string, offset: number): string {
  const end = text.indexOf("\n", offset);
  return text.slice(offset, end < 0 ? text.length : end);
}

/** The lines with content in `[offset, textEnd)`. */
function linesOf(text: string, offset: number, textEnd: number): ContentLine[] {
  const lines: ContentLine[] = [];
  for (let lineStart = offset; lineStart < textEnd; ) {
    let contentStart = lineStart;
    while (text[contentStart] === " ") contentStart++;
    const sign = text[contentStart] ?? "";
    const isBlankLine =
      sign === "" || sign === "#" || sign === "\n" || sign === "\r" || isEmptyLine(text, contentStart);
    if (!isBlankLine)
      lines.push({
        from: lineStart,
        indent: contentStart - lineStart,
        firstCharacter: sign,
        prefix: text.slice(contentStart, contentStart + 3),
      });
    const lineEnd = text.indexOf("\n", contentStart);
    lineStart = lineEnd < 0 ? textEnd : lineEnd + 1;
  }
  return lines;
}

/** Whether the rest of the line has only tabs, spaces and possibly a comment. */
const isEmptyLine = (text: string, contentStart: number): boolean =>
  text[contentStart] === "\t" && /^[\t ]*(?:#.*)?\r?$/.test(lineAt(text, contentStart));
