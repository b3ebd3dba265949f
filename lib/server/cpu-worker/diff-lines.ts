import "server-only";
import { structuredPatch } from "diff";

/** Lines of two texts round a change; `-`, `+` or a space before each. `oldStart`: line of the first text, from 1. */
interface LineHunk {
  oldStart: number;
  lines: string[];
}

/** How a run's flow was changed since the base: not at all, these lines, or so much that no lines can be named. */
export type FlowChange = { type: "same" } | { type: "changed"; hunks: LineHunk[] } | { type: "too-different" };

/** Longest search for changed lines, in milliseconds. */
const diffMs = 500;

/** The lines in which two texts differ. Takes up to half a second: work for another thread. */
export function diffLines(before: string, after: string): FlowChange {
  if (before === after) return { type: "same" };
  const patch = structuredPatch("", "", before, after, "", "", { context: 3, timeout: diffMs });
  if (!patch) return { type: "too-different" };
  return { type: "changed", hunks: patch.hunks.map(({ oldStart, lines }) => ({ oldStart, lines })) };
}
