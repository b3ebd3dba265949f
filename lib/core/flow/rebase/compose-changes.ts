import type { TextChange } from "../text-range";
import { sortChanges } from "./rebase-changes";

/** A part of a text: letters that were kept of the text before, or that were inserted. */
type Part = { from: number; to: number } | { insert: string };

/** The changes that do what `first` and then `second` do, which is made of the text after `first`. Sorted. */
export function composeChanges(first: readonly TextChange[], second: readonly TextChange[]): TextChange[] {
  const parts: Part[] = [];
  const rest = toParts(first).toReversed();
  let offset = 0;
  /** Takes the letters up to an offset of the text between. */
  const take = (end: number): Part[] => {
    const taken: Part[] = [];
    while (offset < end) {
      const part = rest.pop();
      if (!part) break;
      const [head, tail] = splitPart(part, end - offset);
      taken.push(head);
      if (tail) rest.push(tail);
      offset += lengthOf(head);
    }
    return taken;
  };
  for (const { from: start, to: end, insert } of sortChanges(second)) {
    parts.push(...take(start), { insert });
    take(end);
  }
  return toChanges([...parts, ...rest.toReversed()]);
}

const lengthOf = (part: Part): number => ("insert" in part ? part.insert.length : part.to - part.from);

/** The first letters of a part, and those after them. */
function splitPart(part: Part, length: number): [Part, Part | null] {
  if (lengthOf(part) <= length) return [part, null];
  if ("insert" in part) return [{ insert: part.insert.slice(0, length) }, { insert: part.insert.slice(length) }];
  const middle = part.from + length;
  return [
    { from: part.from, to: middle },
    { from: middle, to: part.to },
  ];
}

/** The text after changes; its last part has no end. */
function toParts(changes: readonly TextChange[]): Part[] {
  let offset = 0;
  const parts = sortChanges(changes).flatMap(({ from: start, to: end, insert }): Part[] => {
    const kept = { from: offset, to: start };
    offset = end;
    return [kept, { insert }];
  });
  return [...parts, { from: offset, to: Number.POSITIVE_INFINITY }].filter((part) => lengthOf(part) > 0);
}

function toChanges(parts: readonly Part[]): TextChange[] {
  const changes: TextChange[] = [];
  let [offset, inserted] = [0, ""];
  for (const part of parts) {
    if ("insert" in part) inserted += part.insert;
    else {
      if (part.from > offset || inserted !== "") changes.push({ from: offset, to: part.from, insert: inserted });
      [offset, inserted] = [part.to, ""];
    }
  }
  return changes;
}
