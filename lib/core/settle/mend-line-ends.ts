import type * as Y from "yjs";
import { keepLetters } from "../live/deleted-entries";
import { findLateEnd } from "../live/lost-texts";
import { writeSharedText } from "../live/shared-text";
import { deleteRanges, findParts } from "../live/written-parts";

/** Maximum number of ends of lines that are moved at once. */
const maxEnds = 20;

/** Moves the end of a line that is left of a deleted entry before the lines that someone else wrote there at the same time. */
export function mendLineEnds(doc: Y.Doc): void {
  for (let late = findLateEnd(doc), rest = maxEnds; late && rest > 0; late = findLateEnd(doc), rest--) {
    const { range, after: start } = late;
    deleteRanges(doc, [range]);
    writeSharedText(doc, [{ from: start, to: start, insert: "\n" }]);
    // It is in the place of the deleted entry, and is no part of it.
    keepLetters(doc, findParts(doc, { from: start, to: start + 1 }));
  }
}
