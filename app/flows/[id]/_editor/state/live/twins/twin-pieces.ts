import { diffLetters } from "@/lib/core/flow/rebase/diff-letters";
import { diffBySigns } from "@/lib/core/flow/rebase/diff-tokens";
import { moveRange, splitLines, type TextChange } from "@/lib/core/flow/text-range";

/** Letters of a field that has the texts of two people. */
export interface TwinPiece {
  text: string;
  /** Which of the two texts have them. */
  isIn: readonly [boolean, boolean];
  /** Whether the field has them. */
  isInField: boolean;
}

/** The texts of two people, and what a field has of them. */
export interface TwinTexts {
  merged: string;
  first: string;
  second: string;
}

export function splitPieces({ merged, first, second }: TwinTexts): TwinPiece[] {
  const rest = merged.length - first.length - second.length;
  // One text after the other: equal letters of both are not mixed up.
  if (rest >= 0 && merged.startsWith(first) && merged.endsWith(second))
    return joinPieces([
      { text: first, isIn: [true, false], isInField: true },
      { text: merged.slice(first.length, first.length + rest), isIn: [false, false], isInField: true },
      { text: second, isIn: [false, true], isInField: true },
    ]);
  const whole: TwinPiece[] = [{ text: merged, isIn: [true, true], isInField: true }];
  return joinPieces(limitTo(limitTo(whole, 0, diffLetters(merged, first)), 1, diffLetters(merged, second)));
}

/** Takes out of one of the texts what it has not. What it has besides is not in the field. */
function limitTo(pieces: readonly TwinPiece[], index: 0 | 1, changes: readonly TextChange[]): TwinPiece[] {
  let limited = [...pieces];
  for (const { from: start, to: end, insert } of changes.toReversed()) {
    const [before, rest] = splitAt(limited, start);
    const [removed, after] = splitAt(rest, end - start);
    const own: TwinPiece = { text: insert, isIn: [index === 0, index === 1], isInField: false };
    limited = [...before, ...removed.map((piece) => without(piece, index)), own, ...after];
  }
  return limited;
}

const without = (piece: TwinPiece, index: 0 | 1): TwinPiece => ({
  ...piece,
  isIn: index === 0 ? [false, piece.isIn[1]] : [piece.isIn[0], false],
});

export const readPart = (pieces: readonly TwinPiece[], index: 0 | 1): string =>
  pieces.map(({ text, isIn }) => (isIn[index] ? text : "")).join("");

export const readField = (pieces: readonly TwinPiece[]): string =>
  pieces.map(({ text, isInField }) => (isInField ? text : "")).join("");

interface FollowedText {
  now: string;
  /** Which of the two texts is this user's. */
  own: 0 | 1;
  /** Someone else changed the field. */
  isReceived: boolean;
}

/**
 * The pieces after a change of the field. What is typed belongs to the text that it is typed in, beside both to that of who types.
 * What someone else takes of this user's text stays in that text.
 */
export function followPieces(pieces: readonly TwinPiece[], followed: FollowedText): TwinPiece[] {
  const before = readField(pieces);
  let next = [...pieces];
  for (const change of diffField(before, followed.now).toReversed()) next = applyTo(next, change, followed);
  return joinPieces(next);
}

/** Lines that are equal stay, also the last one, which has no end; in others the letters. */
function diffField(before: string, after: string): TextChange[] {
  const text = `${before}\n`;
  const changes = diffBySigns(splitLines(text), splitLines(`${after}\n`)).flatMap(({ from: start, to: end, insert }) =>
    diffLetters(text.slice(start, end), insert).map((part) => moveRange(part, start)),
  );
  return changes.map((change) => (change.to > before.length ? withoutEnd(change) : change));
}

/** Of last lines, which are removed or added as a whole, the end of the line before. */
const withoutEnd = ({ from: start, to: end, insert }: TextChange): TextChange => ({
  from: start - 1,
  to: end - 1,
  insert: insert === "" ? "" : `\n${insert.slice(0, -1)}`,
});

function applyTo(pieces: readonly TwinPiece[], change: TextChange, followed: FollowedText): TwinPiece[] {
  const { from: start, to: end, insert } = placeBeside(pieces, change, followed);
  const [before, rest] = splitAt(pieces, start);
  const [removed, after] = splitAt(rest, end - start);
  const kept = removed.flatMap((piece) => keepOwn(piece, followed));
  const isIn = findTexts({ before, removed, after }, followed);
  return [...before, ...kept, { text: insert, isIn, isInField: true }, ...after];
}

function keepOwn(piece: TwinPiece, { own, isReceived }: FollowedText): TwinPiece[] {
  if (!piece.isInField) return [piece];
  return isReceived && piece.isIn[own] ? [{ ...without(piece, otherOf(own)), isInField: false }] : [];
}

/** Of an insertion that may be at several places, because the letters beside it are the same, the one after the writer's text. */
function placeBeside(pieces: readonly TwinPiece[], change: TextChange, followed: FollowedText): TextChange {
  if (change.to > change.from) return change;
  const text = readField(pieces);
  const writer = writerOf(followed);
  for (let { from: start, insert } = change; ; start--) {
    const left = splitAt(pieces, start)[0].findLast(({ isInField }) => isInField);
    if (left?.isIn[writer]) return { from: start, to: start, insert };
    const letter = insert.at(-1);
    if (start === 0 || text[start - 1] !== letter) return change;
    insert = `${letter}${insert.slice(0, -1)}`;
  }
}

const otherOf = (index: 0 | 1): 0 | 1 => (index === 0 ? 1 : 0);
const writerOf = ({ own, isReceived }: FollowedText): 0 | 1 => (isReceived ? otherOf(own) : own);

interface Neighbours {
  before: readonly TwinPiece[];
  removed: readonly TwinPiece[];
  after: readonly TwinPiece[];
}

/** The texts that an insertion belongs to. */
function findTexts({ before, removed, after }: Neighbours, followed: FollowedText): TwinPiece["isIn"] {
  const isThere = ({ isInField }: TwinPiece): boolean => isInField;
  const replaced = removed.filter(isThere);
  const beside = [...replaced, before.findLast(isThere), after.find(isThere)];
  const writer = writerOf(followed);
  const own: TwinPiece["isIn"] = [writer === 0, writer === 1];
  const texts = beside.flatMap((piece) => (piece?.isIn.includes(true) ? [piece.isIn] : []));
  const isRewritten = followed.isReceived && replaced.length > 0;
  // What someone else writes at an edge of this user's text is none of it.
  const isInside = texts.length === beside.length;
  const isOwn = isRewritten || (followed.isReceived && !isInside);
  return texts.find((isIn) => isIn[writer]) ?? (isOwn ? own : (texts[0] ?? own));
}

/** Divides the letters that the field has; what it has not stays before the place. */
function splitAt(pieces: readonly TwinPiece[], offset: number): [before: TwinPiece[], after: TwinPiece[]] {
  let rest = offset;
  for (const [index, piece] of pieces.entries()) {
    const length = piece.isInField ? piece.text.length : 0;
    if (length <= rest) {
      rest -= length;
      continue;
    }
    const cut = (text: string): TwinPiece[] => (text === "" ? [] : [{ ...piece, text }]);
    return [
      [...pieces.slice(0, index), ...cut(piece.text.slice(0, rest))],
      [...cut(piece.text.slice(rest)), ...pieces.slice(index + 1)],
    ];
  }
  return [[...pieces], []];
}

/** Without empty pieces; neighbours that belong together are one. */
function joinPieces(pieces: readonly TwinPiece[]): TwinPiece[] {
  const joined: TwinPiece[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece.text === "") continue;
    const isSame =
      last?.isInField === piece.isInField && last.isIn.every((value, index) => value === piece.isIn[index]);
    if (last && isSame) joined.splice(-1, 1, { ...last, text: last.text + piece.text });
    else joined.push(piece);
  }
  return joined;
}
