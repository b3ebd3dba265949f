import { applyChanges } from "../flow/text-change";
import { moveByRemoved, type TextChange, type TextRange } from "../flow/text-range";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";

/** The file without some ranges of its text; `move`: where another range is in it. */
export function readWithout(
  document: SourceDocument,
  ranges: readonly TextRange[],
): { alone: SourceDocument; move(range: TextRange): TextRange } {
  const changes: TextChange[] = [];
  for (const { from: start, to: end } of ranges.toSorted((a, b) => a.from - b.from))
    if (start >= (changes.at(-1)?.to ?? 0)) changes.push({ from: start, to: end, insert: "" });
  const alone = readSource(applyChanges(document.text, changes), undefined, document);
  return { alone, move: (range) => moveByRemoved(range, changes) };
}
