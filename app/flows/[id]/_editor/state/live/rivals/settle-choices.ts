import type { TextRange } from "@/lib/core/flow/text-range";
import type { Rivals, WrittenRange } from "@/lib/core/live/rivals";
import { readWithout } from "@/lib/core/settle/read-without";
import type { SourceDocument } from "@/lib/core/source/read/source-document";
import { getEditing } from "../../editing/editing";
import { findRivalNames, type RivalValues } from "./rival-names";

export type { RivalValues } from "./rival-names";

/**
 * The rivals that are values of one field each, fields of which a declaration has one, or names of one thing. Each of them alone
 * is in the value of the same field.
 */
export function findRivalValues(document: SourceDocument, rivals: readonly Rivals[]): RivalValues[] {
  const isValue = ({ text }: WrittenRange): boolean => text.trim() !== "";
  const written = rivals.filter(({ first, second }) => isValue(first) && isValue(second));
  const groups = groupNeighbours(written.filter(({ replaceSame }) => replaceSame)).map(leaveSharedSpace);
  const names = findRivalNames(document, groups);
  const named = new Set(names.map(({ values }) => values));
  const values = groups.flatMap((group) => {
    if (named.has(group)) return [];
    // Side by side they are often no YAML.
    const others = groups.flatMap((other) => (other === group ? [] : losersOf(other)));
    return readAlone(document, group, others, (alone, range) => getEditing().findChoiceAt(alone, range)?.key);
  });
  const settled = new Set([...names, ...values].flatMap((one) => one.values.map(({ from: start }) => start)));
  const alternatives = groupNeighbours(written)
    .filter((group) => !group.some(({ from: start }) => settled.has(start)))
    .flatMap((group) => readAlone(document, group, [], getEditing().findAlternativeAt));
  return [...names, ...values, ...alternatives];
}

/** The document with the smaller id wins, also with a later value: two people cannot drop the values of each other. */
export const winnerOf = (values: readonly WrittenRange[]): WrittenRange | undefined =>
  values.toSorted((a, b) => a.client - b.client)[0];

export function losersOf(values: readonly WrittenRange[], winner = winnerOf(values)): WrittenRange[] {
  return values.filter((value) => value !== winner);
}

/** What follows each other without a gap, of two people or more. */
function groupNeighbours(rivals: readonly Rivals[]): WrittenRange[][] {
  const groups: WrittenRange[][] = [];
  for (const { first, second } of rivals.toSorted((a, b) => a.first.from - b.first.from)) {
    const group = groups.at(-1);
    if (group && first.from < (group.at(-1)?.to ?? 0)) group.push(second);
    else groups.push([first, second]);
  }
  return groups;
}

/** The space around values that is not there for each of them was there before one of them, and stays. */
function leaveSharedSpace(group: readonly WrittenRange[]): WrittenRange[] {
  const isSharedStart = group.some(({ text }) => !/^\s/.test(text));
  const isSharedEnd = group.some(({ text }) => !/\s$/.test(text));
  return group.map((value, index) => {
    const start = isSharedStart && index === 0 ? value.text.trimStart() : value.text;
    const text = isSharedEnd && index === group.length - 1 ? start.trimEnd() : start;
    const from = value.to - start.length;
    return { ...value, from, to: from + text.length, text };
  });
}

type ReadKey = (alone: SourceDocument, range: TextRange) => string | null | undefined;

/** The values of a group, where each of them has the same key when the others are not there. */
function readAlone(
  document: SourceDocument,
  group: readonly WrittenRange[],
  others: readonly TextRange[],
  readKey: ReadKey,
): RivalValues[] {
  const keys = group.map((value) => {
    const { alone, move } = readWithout(document, [...others, ...group.filter((other) => other !== value)]);
    return readKey(alone, move(value)) ?? null;
  });
  const [key] = keys;
  return key !== undefined && key !== null && keys.every((other) => other === key) ? [{ key, values: group }] : [];
}
