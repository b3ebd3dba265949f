import { eolOf, type TextChange, type TextRange } from "../../flow/text-range";
import { declaringSections } from "../read/sections";
import type { SourceDocument } from "../read/source-document";

/** Which of the entries that are there twice are joined. */
export interface JoinRules {
  /** Whether the key at an offset was written by a form; else a user may be about to change it in the text. */
  isJoined(offset: number): boolean;
  /** Whether nothing that was written in a range can be on its way: what arrives later stays in the place that was left. */
  mayMove(range: TextRange): boolean;
  /** Whether the letter at an offset was not written beside the one before it: what was between them is elsewhere now. */
  isApart(offset: number): boolean;
}

export const joinAll: JoinRules = { isJoined: () => true, mayMove: () => true, isApart: () => true };

/** A section whose entries are on lines of their own. */
interface BlockSection {
  key: string;
  /** Where its key is, and where the line below begins. */
  from: number;
  bodyStart: number;
  /** After its last line; `bodyStart` without entries. */
  end: number;
  /** Columns before its entries; null: it has none. */
  indent: number | null;
}

/** The change that makes the first two sections of one key one section with the entries of both. Empty: there are none. */
export function joinSections({ text, structure }: SourceDocument, { isJoined, mayMove }: JoinRules): TextChange[] {
  if (structure.cache === null) return [];
  const sections = listSections(text);
  const mayJoin = (first: BlockSection, second: BlockSection): boolean =>
    isJoined(first.from) ||
    isJoined(second.from) ||
    (declaringSections().includes(first.key) && first.indent !== null && second.indent !== null);
  for (const second of sections) {
    const first = sections.find(({ key }) => key === second.key);
    if (!first || first === second || !isPlain(text, first) || !isPlain(text, second) || !mayJoin(first, second))
      continue;
    const changes = join(text, first, second);
    if (changes.length === 1 || mayMove({ from: second.from, to: second.end })) return changes;
  }
  return [];
}

function listSections(text: string): BlockSection[] {
  const heads = [...text.matchAll(/^(?![\s#}\]]|- )[^\n]*(?:\n|$)/gm)].filter(([line]) => line !== "");
  return heads.map((head, index) => {
    const bodyStart = head.index + head[0].length;
    const body = text.slice(bodyStart, heads[index + 1]?.index ?? text.length);
    const indent = /^( *)[^\s#]/m.exec(body)?.[1]?.length ?? null;
    const lastLine = [...body.matchAll(/^[ \t]+\S[^\n]*(?:\n|$)/gm)].at(-1);
    const end = indent === null || !lastLine ? bodyStart : bodyStart + lastLine.index + lastLine[0].length;
    return { key: /^\w+(?=:)/.exec(head[0])?.[0] ?? head[0], from: head.index, bodyStart, end, indent };
  });
}

/** Whether nothing but a comment follows the key, and entries are below it. */
const isPlain = (text: string, { from: start, bodyStart, indent }: BlockSection): boolean =>
  /^\w+:[ \t]*(?:#.*)?\r?\n?$/.test(text.slice(start, bodyStart)) && indent !== 0;

function join(text: string, first: BlockSection, second: BlockSection): TextChange[] {
  const head = { from: second.from, to: second.bodyStart, insert: "" };
  if (second.indent === null) return [head];
  const isNext = text.slice(first.end, second.from).trim() === "";
  if (isNext && (first.indent === null || first.indent === second.indent)) return [head];
  const eol = eolOf(text);
  const lines = text.slice(second.bodyStart, second.end);
  const moved = indentBy(lines.endsWith("\n") ? lines : lines + eol, (first.indent ?? second.indent) - second.indent);
  return [
    { from: first.end, to: first.end, insert: moved },
    { from: second.from, to: second.end, insert: "" },
  ];
}

const indentBy = (lines: string, columns: number): string =>
  columns >= 0
    ? lines.replace(/^(?=[^\r\n])/gm, " ".repeat(columns))
    : lines.replace(new RegExp(`^ {1,${-columns}}`, "gm"), "");
