import type { TextChange } from "../text-range";

/** What a user did to a text: each change with the change that reverts it, `inverse` in offsets of the text afterwards. */
export interface ReversibleChanges {
  changes: readonly TextChange[];
  inverse: readonly TextChange[];
}

/** Of two insertions at one offset the user's own comes first, whichever was made first. */
type Side = "own" | "foreign";

/**
 * `changes`, made of the same text as `over`, as changes of the text after `over`: what they inserted is inserted, what they
 * deleted and is still there is deleted, and nothing that `over` inserted is lost. Sorted. `side`: whose `changes` are; `over`
 * are the others'.
 */
export function rebaseChanges(
  changes: readonly TextChange[],
  over: readonly TextChange[],
  side: Side = "own",
): TextChange[] {
  const joinedOver = joinTouching(over);
  return joinTouching(changes).flatMap((change) => rebaseOne(change, joinedOver, side).map(({ piece }) => piece));
}

/**
 * The same for a user's own changes and their inverse, where `over` changed the text after them. `rest`: `over` as changes of
 * the text before them.
 */
export function rebaseBackwards(
  { changes, inverse }: ReversibleChanges,
  over: readonly TextChange[],
): ReversibleChanges & { rest: TextChange[] } {
  // Where changes touch, so do their inverses.
  const [forward, backward] = [joinTouching(changes), joinTouching(inverse)];
  const joinedOver = joinTouching(over);
  const pieces = backward.flatMap((change, index) => {
    const removedText = forward[index]?.insert ?? "";
    return rebaseOne(change, joinedOver, "own").map(({ piece, start }) => ({
      piece,
      removed: removedText.slice(start, start + piece.to - piece.from),
    }));
  });
  return {
    changes: toInverse(pieces),
    inverse: pieces.map(({ piece }) => piece),
    rest: rebaseChanges(joinedOver, backward, "foreign"),
  };
}

export const sortChanges = (changes: readonly TextChange[]): TextChange[] =>
  [...changes].sort((a, b) => a.from - b.from || a.to - b.to);

/** Sorted changes without any that touch: what is inserted where something is deleted replaces it. */
function joinTouching(changes: readonly TextChange[]): TextChange[] {
  const joined: TextChange[] = [];
  for (const change of sortChanges(changes)) {
    const last = joined.at(-1);
    if (last?.to === change.from)
      joined.splice(-1, 1, { from: last.from, to: change.to, insert: last.insert + change.insert });
    else joined.push(change);
  }
  return joined;
}

/** A part of a rebased change; `start`: where what it deletes begins in what the whole change deleted. */
interface Piece {
  piece: TextChange;
  start: number;
}

function rebaseOne(change: TextChange, over: readonly TextChange[], side: Side): Piece[] {
  const { insert } = change;
  const deletions = listRemaining(change, over);
  if (insert === "") return deletions;
  const offset = side === "own" ? moveStart(change, over) : moveEnd(change, over);
  const insertion = { piece: { from: offset, to: offset, insert }, start: 0 };
  if (side === "foreign") return [...deletions, insertion];
  const [first, ...others] = deletions;
  const isReplaced = first?.piece.from === offset;
  return isReplaced ? [{ ...first, piece: { ...first.piece, insert } }, ...others] : [insertion, ...deletions];
}

/** Where an own change inserts. What it replaces comes after what others insert before that. */
function moveStart({ from: start, to: end }: TextChange, over: readonly TextChange[]): number {
  const before = end > start ? over.find((other) => other.from === start && other.to === start) : undefined;
  return moveOffset(start, over, "own") + (before?.insert.length ?? 0);
}

/** Where a foreign change inserts. */
function moveEnd({ from: start, to: end }: TextChange, own: readonly TextChange[]): number {
  const isPure = start === end;
  return moveOffset(end, isPure ? own.filter((other) => other.from !== start || other.to === start) : own, "foreign");
}

/** The deletions of what `change` deletes and `over` does not, around what `over` inserted in between. */
function listRemaining({ from: start, to: end }: TextChange, over: readonly TextChange[]): Piece[] {
  const pieces: Piece[] = [];
  let offset = start;
  let shift = 0;
  const addUpTo = (next: number): void => {
    if (next > offset)
      pieces.push({ piece: { from: offset + shift, to: next + shift, insert: "" }, start: offset - start });
  };
  for (const { from: overStart, to: overEnd, insert } of over) {
    if (overStart >= end) break;
    addUpTo(overStart);
    shift += insert.length - (overEnd - overStart);
    offset = Math.max(offset, overEnd);
  }
  addUpTo(end);
  return pieces;
}

/** Where an offset is after sorted changes; own ones stay before what the changes insert there, foreign ones come after it. */
export function moveOffset(offset: number, changes: readonly TextChange[], side: Side): number {
  let shift = 0;
  for (const { from: start, to: end, insert } of changes) {
    if (start > offset || (start === offset && side === "own")) break;
    if (side === "own" && end >= offset) return start + shift;
    if (side === "foreign" && end > offset) return start + shift + insert.length;
    shift += insert.length - (end - start);
  }
  return offset + shift;
}

/** The changes that revert `pieces`, in offsets of the text after them. */
function toInverse(pieces: readonly { piece: TextChange; removed: string }[]): TextChange[] {
  let shift = 0;
  return pieces.map(({ piece: { from: start, to: end, insert }, removed }) => {
    const reverting = { from: start + shift, to: start + shift + insert.length, insert: removed };
    shift += insert.length - (end - start);
    return reverting;
  });
}
