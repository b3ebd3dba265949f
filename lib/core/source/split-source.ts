import { controlSections } from "./read-controls";

/** A stretch of a flow file that can be read on its own: a top-level entry, or one declaration of a section. */
export interface Cut {
  /** Where it begins in the file. */
  from: number;
  text: string;
  /** The section whose declaration it is; null for a top-level entry and for the first lines of a section that was cut. */
  section: string | null;
  /** How far its key must be indented. */
  indent: number;
}

/** The sections that are cut into their declarations. */
const cutSections: readonly string[] = ["agents", "groups", "swarms", ...Object.keys(controlSections)];

/** One line that says something: neither empty nor a comment. */
interface Line {
  from: number;
  indent: number;
  /** The first character, and the two first. */
  sign: string;
  start: string;
}

/**
 * Cuts a flow file where YAML allows it: a line that is indented as far as the first one, and goes on with nothing, begins
 * a new entry. What is wrong inside one cut cannot reach another. Null: the form of the file must be read as a whole (one
 * mapping in braces, several documents, directives).
 */
export function splitSource(text: string): Cut[] | null {
  const lines = [...linesOf(text, 0, text.length)];
  const marked = lines[0]?.start === "---" && /^---[ \t]*(?:#.*)?\r?$/.test(lineAt(text, lines[0].from));
  const content = marked ? lines.slice(1) : lines;
  const [first] = content;
  if (!first) return marked ? null : [];
  if (first.indent > 0 || /[{[&*!|>%\t\uFEFF}\]]/.test(first.sign) || goesOn(first)) return null;
  if (content.some(({ indent, start }) => indent === 0 && (start === "---" || start === "..."))) return null;
  const starts = content.flatMap((line, index) => (line.indent === 0 && !goesOn(line) ? [index] : []));
  return starts.flatMap((start, number) => {
    const from = content[start]?.from ?? 0;
    const next = starts[number + 1] ?? content.length;
    const to = content[next]?.from ?? text.length;
    return splitEntry(text, { from, to }, content.slice(start + 1, next));
  });
}

/** A top-level entry as one cut, or as its first lines and its declarations. */
function splitEntry(text: string, { from, to }: { from: number; to: number }, inside: readonly Line[]): Cut[] {
  const whole: Cut = { from, text: text.slice(from, to), section: null, indent: 0 };
  const section = sectionOfHead(lineAt(text, from));
  const [first] = inside;
  if (section === null || !first || !beginsEntries(first)) return [whole];
  const { indent } = inside.find((line) => beginsEntry(lineAt(text, line.from))) ?? first;
  const members = splitMembers(text, to, inside, { section, indent });
  return [{ ...whole, text: text.slice(from, first.from) }, ...members];
}

/** The declarations that begin with `inside`, of which the first line begins one whatever it says. */
function splitMembers(
  text: string,
  to: number,
  inside: readonly Line[],
  { section, indent }: Pick<Cut, "section" | "indent">,
): Cut[] {
  const [first] = inside;
  const starts = inside.filter((line) => line === first || (line.indent > 0 && line.indent <= indent && !goesOn(line)));
  return starts.map((line, number): Cut => {
    const end = starts[number + 1]?.from ?? to;
    return { from: line.from, text: text.slice(line.from, end), section, indent };
  });
}

/**
 * Smaller cuts of a top-level entry that cannot be read. It is a section with a mistake in its first declaration; or its key
 * is none and it stands behind a declaration: somebody typed at the start of a line, and what follows still belongs to the
 * section. Null: neither.
 */
export function splitBroken(cut: Cut, before: Cut | undefined): Cut[] | null {
  const [head, ...inside] = linesOf(cut.text, 0, cut.text.length);
  const own = sectionOfHead(lineAt(cut.text, 0));
  const [first] = inside;
  const split = (lines: readonly Line[], section: string, indent: number): Cut[] =>
    splitMembers(cut.text, cut.text.length, lines, { section, indent }).map((one) => ({
      ...one,
      from: cut.from + one.from,
    }));
  if (own !== null && first) {
    const { indent } = inside.find((line) => beginsEntry(lineAt(cut.text, line.from))) ?? first;
    return [{ ...cut, text: cut.text.slice(0, first.from) }, ...split(inside, own, indent)];
  }
  const section = before && (before.section ?? sectionOfHead(lineAt(before.text, 0)));
  if (!section || !head || topSections.test(cut.text)) return null;
  const indent = before.section === null ? first?.indent : before.indent;
  return indent === undefined ? null : split([head, ...inside], section, indent);
}

const topSections = new RegExp(`^["']?(?:name|vars|compat|limits|swarm|${cutSections.join("|")})\\b`);

/** The section that begins with this line, if it can be cut. */
function sectionOfHead(line: string): string | null {
  const section = /^(\w+):[ \t]*(?:#.*)?\r?$/.exec(line)?.[1] ?? "";
  return cutSections.includes(section) ? section : null;
}

/** Whether declarations of a section can begin with this line: no list, no braces, nothing that belongs to the section. */
const beginsEntries = (line: Line): boolean => line.indent > 0 && !/[{[&*!|>\t]/.test(line.sign) && !goesOn(line);

/** Whether a line belongs to the entry above although it is not indented further. */
const goesOn = ({ sign, start }: Line): boolean => /[}\]\t]/.test(sign) || /^[-:](?:\s|$)/.test(start);

/** Whether a line looks like the first of an entry. */
const beginsEntry = (line: string): boolean =>
  /^\s*(?:\?\s|(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'].*?)\s*:(?:\s|$))/.test(line);

/** The key that a line begins with, as far as it can be told without reading YAML; null when there is none. */
export function keyOf(line: string): string | null {
  const found = /^\s*(?:"([^"\\]*)"|'([^']*)'|([^\s#"'{}[\],&*!|>%@`?].*?))\s*:(?:\s|$)/.exec(line);
  const key = found?.[1] ?? found?.[2] ?? found?.[3] ?? null;
  return key === null || /^-\s|\s#/.test(key) ? null : key;
}

export function lineAt(text: string, from: number): string {
  const end = text.indexOf("\n", from);
  return text.slice(from, end < 0 ? text.length : end);
}

/** The lines of `[from, to)` that say something. */
function* linesOf(text: string, from: number, to: number): Generator<Line> {
  for (let at = from; at < to; ) {
    let first = at;
    while (text[first] === " ") first++;
    const sign = text[first] ?? "";
    if (sign !== "" && !/[\r\n#]/.test(sign) && !isEmptyLine(text, first))
      yield { from: at, indent: first - at, sign, start: text.slice(first, first + 3) };
    const end = text.indexOf("\n", first);
    at = end < 0 ? to : end + 1;
  }
}

/** Whether nothing but tabs, spaces and perhaps a comment stands up to the end of the line. */
const isEmptyLine = (text: string, first: number): boolean =>
  text[first] === "\t" && /^[\t ]*(?:#.*)?\r?$/.test(lineAt(text, first));
