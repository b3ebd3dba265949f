import type * as Y from "yjs";
import { keepLetters } from "../live/deleted-entries";
import { readText } from "../live/live-document";
import { findLateEnd, maxLetters } from "../live/lost-texts";
import { writeSharedText } from "../live/shared-text";
import { deleteRanges, findParts } from "../live/written-parts";

/** Maximum number of ends of lines that are moved at once. */
const maxEnds = 20;

/**
 * Moves the end of a line that is left of a deleted entry, and the entries that were added before it since, before the lines that
 * someone else wrote there at the same time.
 */
export function mendLineEnds(doc: Y.Doc): void {
  const looked = { letters: maxLetters };
  for (let late = findLateEnd(doc, looked), rest = maxEnds; late && rest > 0; late = findLateEnd(doc, looked), rest--) {
    const { ranges, after: start } = late;
    const text = readText(doc);
    const insert = ranges.map((range) => text.slice(range.from, range.to)).join("");
    deleteRanges(doc, ranges);
    writeSharedText(doc, [{ from: start, to: start, insert }]);
    // It is in the place of the deleted entry, and is no part of it.
    keepLetters(doc, findParts(doc, { from: start, to: start + insert.length }));
  }
}
