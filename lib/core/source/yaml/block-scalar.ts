/** A block scalar as written: its header, the indentation of its lines, and the lines. */
interface BlockScalar {
  folded: boolean;
  /** `-`, `+` or nothing. */
  chomping: string;
  /** The digit that states the indentation; empty: the first line shows it. */
  indentation: string;
  margin: string;
  lines: string[];
}

/** The text of a block scalar, and its source from the header on. */
export interface WrittenBlock {
  source: string;
  text: string;
}

const fallbackWidth = 80;

/**
 * The block scalar `source` (header and lines) with another text, as candidates from the closest style to the loosest.
 * Lines whose text stays are kept to the byte: of a folded text only the changed line is wrapped anew. The caller reads
 * each candidate back, because not every text fits every style.
 */
export function rewriteBlock(
  { source, text: oldText }: WrittenBlock,
  text: string,
  { indent, eol }: { indent: number; eol: string },
): string[] {
  const block = readBlock(source, indent);
  if (!block || text.trim() === "") return [];
  const chomping = chompingFor(text, block.chomping);
  if (chomping === null) return [];
  const trailingBreaks = /\n*$/.exec(text)?.[0].length ?? 0;
  const body = text.slice(0, text.length - trailingBreaks);
  const end = chomping === "+" ? eol.repeat(Math.max(0, trailingBreaks - 1)) : "";
  const print = (sign: string, lines: readonly string[]): string =>
    [`${sign}${block.indentation}${chomping}`, ...lines.map((line) => (line === "" ? "" : block.margin + line))].join(
      eol,
    ) + end;
  const literal = print("|", body.split("\n"));
  return block.folded ? [print(">", foldLines(block, oldText, body)), literal] : [literal];
}

function readBlock(source: string, indent: number): BlockScalar | null {
  const [header = "", ...rows] = source.split(/\r?\n/);
  const [, sign, indicators] = /^([|>])([-+\d]*)/.exec(header) ?? [];
  if (sign === undefined || indicators === undefined) return null;
  const indentation = /\d/.exec(indicators)?.[0] ?? "";
  const firstRow = rows.find((row) => row.trim() !== "");
  if (firstRow === undefined) return null;
  const width = indentation === "" ? firstRow.length - firstRow.trimStart().length : indent + Number(indentation);
  return {
    folded: sign === ">",
    chomping: /[-+]/.exec(indicators)?.[0] ?? "",
    indentation,
    margin: firstRow.slice(0, width),
    lines: rows.map((row) => row.slice(width)),
  };
}

/** The chomping as written, where it can hold the line breaks at the end of the text. Null: none can, for empty lines may follow. */
function chompingFor(text: string, written: string): string | null {
  if (!text.endsWith("\n")) return "-";
  if (text.endsWith("\n\n")) return written === "+" ? "+" : null;
  return written === "-" ? "" : written;
}

/** The lines of a folded text: those of each unchanged line of the old text stay as they are wrapped. */
function foldLines(block: BlockScalar, oldText: string, body: string): string[] {
  const groups = groupRows(block.lines);
  const oldLines = oldText.split("\n").filter((line) => line !== "");
  const lines = body.split("\n");
  const filled = lines.filter((line) => line !== "");
  const isAligned = groups.length === oldLines.length;
  const matches = isAligned ? matchLines(oldLines, filled) : [];
  const width = Math.max(fallbackWidth, ...block.lines.map((line) => line.length));
  const folded: string[] = [];
  let index = 0;
  let previous: string | null = null;
  let emptyLines = 0;
  for (const line of lines) {
    if (line === "") {
      emptyLines++;
      continue;
    }
    const keepsBreaks = previous === null || isIndented(previous) || isIndented(line);
    const breaks = emptyLines + (keepsBreaks ? 0 : 1);
    folded.push(...Array.from({ length: breaks }, () => ""));
    const rows = groups[matches[index] ?? -1] ?? [];
    folded.push(...wrapLike(rows, line, width));
    previous = line;
    emptyLines = 0;
    index++;
  }
  return folded;
}

const isIndented = (line: string): boolean => /^[ \t]/.test(line);

/** Rows of a folded scalar that are one line of its text. */
function groupRows(rows: readonly string[]): string[][] {
  const groups: string[][] = [];
  let previous = "";
  for (const row of rows) {
    const joins = row !== "" && previous !== "" && !isIndented(row) && !isIndented(previous);
    if (joins) groups.at(-1)?.push(row);
    else if (row !== "") groups.push([row]);
    previous = row;
  }
  return groups;
}

/** For each new line the index of the old one that it is, or was before the change; lines in between are new. */
function matchLines(oldLines: readonly string[], lines: readonly string[]): (number | undefined)[] {
  const shortest = Math.min(oldLines.length, lines.length);
  let start = 0;
  while (start < shortest && oldLines[start] === lines[start]) start++;
  let end = 0;
  while (end < shortest - start && oldLines.at(-1 - end) === lines.at(-1 - end)) end++;
  const changed = Math.min(oldLines.length, lines.length) - start - end;
  return lines.map((_, index) => {
    if (index < start + changed) return index;
    return index >= lines.length - end ? index + oldLines.length - lines.length : undefined;
  });
}

/** One line of text over rows: the first and last rows that it still has stay, the rest is wrapped where it is too long. */
function wrapLike(rows: readonly string[], line: string, width: number): string[] {
  if (isIndented(line)) return [line];
  let rest = line;
  const head: string[] = [];
  for (const row of rows) {
    if (!rest.startsWith(`${row} `)) break;
    head.push(row);
    rest = rest.slice(row.length + 1);
  }
  const tail: string[] = [];
  for (const row of rows.slice(head.length).toReversed()) {
    if (!rest.endsWith(` ${row}`)) break;
    tail.unshift(row);
    rest = rest.slice(0, -row.length - 1);
  }
  return [...head, ...wrap(rest, width), ...tail];
}

/** Breaks at single spaces, so that a row is no longer than `width` where it can be. */
function wrap(text: string, width: number): string[] {
  if (text.length <= width) return [text];
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(/(?<=\S) (?=\S)/)) {
    if (row !== "" && row.length + 1 + word.length > width) {
      rows.push(row);
      row = word;
    } else row = row === "" ? word : `${row} ${word}`;
  }
  return [...rows, row];
}
