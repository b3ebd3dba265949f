import type { Edit } from "@/lib/core/flow/edit";
import { diffLetters } from "@/lib/core/flow/rebase/diff-letters";
import { moveOffset } from "@/lib/core/flow/rebase/rebase-changes";
import { moveRange, type TextRange } from "@/lib/core/flow/text-range";
import { diffTexts } from "@/lib/core/live/diff-texts";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing } from "../editing/editing";
import type { TwinText } from "./live";

/** The file as two people had it who changed it without knowing of each other. `base`: before; null: unknown. */
export interface SideTexts {
  base: string | null;
  mine: string;
  theirs: string;
  /** Whose the other text is, where that is known. */
  otherName?: string;
}

export interface Sides {
  base: SourceDocument | null;
  mine: SourceDocument;
  theirs: SourceDocument;
}

/** A place of the merged file where both wrote. `name`: whose the other text is. */
export interface TwinPlace extends TextRange {
  isMineFirst: boolean;
  name: string;
}

export function readSides({ base, mine, theirs }: SideTexts): Sides {
  const { readSource } = getEditing();
  const [mineRead, theirsRead] = [readSource(mine), readSource(theirs)];
  return { base: base === null ? null : readSource(base), mine: mineRead, theirs: theirsRead };
}

/** The whole texts that two people have for the field at a place; null: the place is in no text. */
export function findTwin(document: SourceDocument, { base, mine, theirs }: Sides, place: TwinPlace): TwinText | null {
  const { findTextAt, readField, joinTexts } = getEditing();
  const field = findTextAt(document, place);
  if (!field) return null;
  const readIn = (side: SourceDocument): string | null => {
    const edit = isThere(side, field) ? field : findTextAt(side, moveTo(side, document, place));
    return edit && readField(side, edit);
  };
  const [ownText, otherText, baseText] = [readIn(mine), readIn(theirs), base && readIn(base)];
  if (ownText === null || otherText === null) return null;
  const own = { text: ownText, name: null };
  const other = { text: otherText, name: place.name };
  const [first, second] = place.isMineFirst ? [own, other] : [other, own];
  const merged = readField(document, field);
  const isReplaced = replacesSame({ base: baseText, mine: ownText, theirs: otherText });
  const joined = isReplaced ? joinTexts(document, field, [first.text, second.text]) : merged;
  const both = getEditing().isCondition(document, field) ? null : joined;
  return { owner: "name" in field ? field.name : "", field, merged, parts: [first, second], both };
}

/** Whether what has a field has its name in this version of the file. */
export function isThere({ declarations, flow }: SourceDocument, field: Edit): boolean {
  if (!("name" in field)) return true;
  return field.type === "set-var" ? flow.vars.has(field.name) : declarations.has(field.name);
}

/** The same place in another version of the file, in which the declaration has another name. */
function moveTo(side: SourceDocument, document: SourceDocument, { from: start }: TextRange): TextRange {
  const changes = diffTexts(document.text, side.text).flatMap((change) =>
    diffLetters(document.text.slice(change.from, change.to), change.insert).map((part) => moveRange(part, change.from)),
  );
  const moved = moveOffset(start, changes, "own");
  return { from: moved, to: moved };
}

/** Whether two people replaced the same letters: what both wrote is no one text then. */
function replacesSame({ base, mine, theirs }: SideTexts): boolean {
  if (base === "") return true;
  if (base === null || base === mine) return countRemoved(mine, theirs) * 2 > Math.min(mine.length, theirs.length);
  const theirChanges = diffLetters(base, theirs);
  return diffLetters(base, mine).some(({ from: start, to: end }) =>
    theirChanges.some((change) => start < change.to && change.from < end),
  );
}

const countRemoved = (before: string, after: string): number =>
  diffLetters(before, after).reduce((count, { from: start, to: end }) => count + end - start, 0);
