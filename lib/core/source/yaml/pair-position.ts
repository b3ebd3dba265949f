import { isMap, isNode, isScalar, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import { lineStartAt, type TextRange } from "../../flow/text-range";
import { rangeOfNode } from "./yaml-nodes";

/** The offset after spaces, line breaks and comments. */
function skipBlank(text: string, start: number): number {
  const blank = /(?:[ \t\r\n]+(?:#[^\n]*)?)*/y;
  blank.lastIndex = start;
  return start + (blank.exec(text)?.[0].length ?? 0);
}

/**
 * The offset after the colon of a pair; null where it has none: `tone` in `{ tone, n: 3 }`, `? tone` on its own. The next
 * `:` of the text may be that of another pair.
 */
export function colonEndOf({ key }: Pick<Pair, "key">, text: string): number | null {
  const keyEnd = isNode(key) ? rangeOfNode(key, text)?.to : undefined;
  if (keyEnd === undefined) return null;
  const next = skipBlank(text, keyEnd);
  return text[next] === ":" ? next + 1 : null;
}

/** Where a pair begins: at the `?` of an explicit key, else at its key. */
export function startOfPair({ key }: Pick<Pair, "key">, text: string): number {
  const keyStart = isNode(key) ? (key.range?.[0] ?? 0) : 0;
  const mark = /(?:^|[\s{[,:-])(\?[ \t]+)$/.exec(
    text.slice(Math.max(0, text.lastIndexOf("\n", keyStart - 1)), keyStart),
  );
  return keyStart - (mark?.[1]?.length ?? 0);
}

export const isExplicit = (pair: Pick<Pair, "key">, text: string): boolean =>
  isScalar(pair.key) && startOfPair(pair, text) < (pair.key.range?.[0] ?? 0);

/** From the start of a pair to the end of its value, or of its colon where there is no value. */
export function rangeOfPair(pair: Pair, text: string): TextRange {
  const end = Math.max(rangeOfNode(pair, text)?.to ?? 0, colonEndOf(pair, text) ?? 0);
  return { from: startOfPair(pair, text), to: end };
}

/** Where the content of a mapping ends: after its last entry in a block, at its bracket else. */
export function endOfMap(map: YAMLMap, text: string): number {
  const end = rangeOfNode(map, text)?.to ?? map.range?.[1] ?? 0;
  const last = map.items.at(-1);
  return last && !map.flow ? Math.max(end, endOfLastPair(last, text)) : end;
}

function endOfLastPair(pair: Pair, text: string): number {
  const end = rangeOfPair(pair, text).to;
  return isMap(pair.value) && !pair.value.flow ? Math.max(end, endOfMap(pair.value, text)) : end;
}

/** Where the `-` of an item of a block list is. */
export function dashOf(list: YAMLSeq, index: number, text: string): number {
  const listStart = list.range?.[0] ?? 0;
  if (index === 0) return listStart;
  const item: unknown = list.items[index];
  const start = isNode(item) ? (item.range?.[0] ?? listStart) : listStart;
  const column = listStart - lineStartAt(text, listStart);
  // The dash may be on a line above the item, but never further to the right than the first one.
  for (let lineStart = lineStartAt(text, start); lineStart > listStart; ) {
    if (
      /^-(?:\s|$)/.test(text.slice(lineStart + column, lineStart + column + 2)) &&
      text.slice(lineStart, lineStart + column).trim() === ""
    )
      return lineStart + column;
    lineStart = lineStartAt(text, lineStart - 1);
  }
  return start;
}
