import { lineStartAt, type TextRange } from "../text-range";

/** The lines of two texts that differ, and the offset at which they begin in both. */
interface ChangedLines {
  start: number;
  before: string;
  after: string;
}

/** `whole`: the range of the text before in which all changes are. */
export function cutToChangedLines(before: string, after: string, whole: TextRange): ChangedLines {
  const start = lineStartAt(before, whole.from);
  const lineBreak = before.indexOf("\n", whole.to);
  const rest = lineBreak < 0 ? 0 : before.length - lineBreak - 1;
  return { start, before: before.slice(start, before.length - rest), after: after.slice(start, after.length - rest) };
}
