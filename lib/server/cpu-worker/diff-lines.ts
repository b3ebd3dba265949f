import "server-only";
import { structuredPatch } from "diff";
import { splitsPair } from "@/lib/core/flow/text-range";

/** Lines of two texts round a change; `-`, `+` or a space before each. `oldStart`: line of the first text, from 1. */
interface LineHunk {
  oldStart: number;
  lines: string[];
}

/** The first lines in which two texts differ, and how many more changed ones there are. Long lines are shortened. */
interface ChangedLines {
  type: "changed";
  hunks: LineHunk[];
  more: number;
}

/** How a run's flow was changed since the base: not at all, these lines, or so much that no lines can be named. */
export type FlowChange = { type: "same" } | ChangedLines | { type: "too-different" };

/** Longest search for changed lines, in milliseconds. */
const diffMs = 500;

/** The lines in which two texts differ. Takes up to half a second: work for another thread. */
export function diffLines(before: string, after: string): FlowChange {
  if (before === after) return { type: "same" };
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, timeout: diffMs });
  if (!patch) return { type: "too-different" };
  return shortenHunks(patch.hunks);
}

/** A page has the hunks of five pairs: with these limits it stays below 300 kB. */
const maxLines = 400;
const maxPageBytes = 24_000;
/** In UTF-16 units. */
const maxLineLength = 2_000;

function shortenHunks(hunks: readonly LineHunk[]): ChangedLines {
  const left = { lines: maxLines, bytes: maxPageBytes };
  const shown: LineHunk[] = [];
  let more = 0;
  for (const { oldStart, lines } of hunks) {
    const kept: string[] = [];
    for (const line of lines) {
      const shortLine = shortenLine(line);
      left.lines--;
      left.bytes -= countPageBytes(shortLine);
      if (left.lines >= 0 && left.bytes >= 0) kept.push(shortLine);
      else if (/^[-+]/.test(line)) more++;
    }
    if (kept.length > 0) shown.push({ oldStart, lines: kept });
  }
  return { type: "changed", hunks: shown, more };
}

function shortenLine(line: string): string {
  if (line.length <= maxLineLength) return line;
  return `${line.slice(0, maxLineLength - (splitsPair(line, maxLineLength) ? 1 : 0))}…`;
}

/** At most: characters that a page escapes take up to seven bytes there. */
const countPageBytes = (line: string): number =>
  Buffer.byteLength(line) + 6 * (line.match(/[<>&"'\\\p{Cc}]/gu)?.length ?? 0);
