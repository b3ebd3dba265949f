import { lineStartAt, type TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import type { JoinRules } from "./join-sections";

const quoted = /"(?:[^"\\\n]|\\.)*"/g;
/** Each `\` with what follows it. */
const escaped = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/gs;
/** What YAML 1.2 knows after a `\`. */
const known = /^\\(?:[0abt\tnvfre "/\\N_LP\n]|[xuU]..)/s;

/**
 * Mends texts in double quotes in which a `\` lost its letter, because others wrote between them: it becomes a `\` of the text.
 * Everyone who mends one makes the same change.
 */
export function repairEscapes(
  { text, unreadableRanges }: SourceDocument,
  { isApart }: Pick<JoinRules, "isApart">,
): TextChange[] {
  return unreadableRanges.flatMap(({ range: { from: start, to: end } }) => {
    const lineStart = lineStartAt(text, start);
    return [...text.slice(lineStart, end).matchAll(quoted)].flatMap((string) =>
      [...string[0].matchAll(escaped)].flatMap(({ 0: found, index }) => {
        const offset = lineStart + string.index + index;
        return known.test(found) || !isApart(offset + 1) ? [] : [{ from: offset, to: offset, insert: "\\" }];
      }),
    );
  });
}
