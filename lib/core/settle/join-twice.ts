import type * as Y from "yjs";
import { readText } from "../live/live-document";
import { isApartAt, isSharedAt, writeSharedText } from "../live/shared-text";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";
import { findRepairs, maxRepairs } from "../source/together/find-repairs";
import type { JoinRules } from "../source/together/join-sections";

/** What someone types into the text may be a new key. No letter of a form is on its way when the server settles. */
const toRules = (doc: Y.Doc): JoinRules => ({
  isJoined: (offset) => isSharedAt(doc, offset),
  mayMove: () => true,
  isApart: (offset) => isApartAt(doc, offset),
});

/**
 * Makes one of sections and fields that several people added, and mends what their changes made unreadable, as shared text.
 * Returns whether anything was there twice. `previous`: what was read before.
 */
export function joinTwice(doc: Y.Doc, previous: SourceDocument): boolean {
  let hasJoined = false;
  for (let repairs = 0; repairs < maxRepairs; repairs++) {
    const found = findRepairs(readSource(readText(doc), undefined, previous), toRules(doc));
    if (!found) break;
    hasJoined ||= found.isJoined;
    writeSharedText(doc, found.changes);
  }
  return hasJoined;
}
