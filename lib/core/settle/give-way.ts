import { emptyLayout } from "../flow/edit";
import { applyChanges } from "../flow/text-change";
import type { TextChange, TextRange } from "../flow/text-range";
import { applyEdit } from "../source/apply-edit";
import type { SourceDocument } from "../source/read/source-document";
import { readSource } from "../source/read-source";
import { findRemovedNames } from "../source/structure/declared-names";
import { listChoices } from "../source/together/find-field";

/** A value, or a name, of which another one stays. */
export interface GivenValue {
  /** The field, or the old name. */
  key: string;
  isName: boolean;
  kept: string;
  dropped: string;
}

/**
 * `mine`, and `base` from which it began, with each value and each name that `theirs` changed in another way as it is there:
 * merged as texts 5 that became 3 here and 7 there would be 37. Texts that cannot be read stay as they are.
 */
export function giveWay(
  base: string,
  mine: string,
  theirs: string,
): { base: string; mine: string; given: GivenValue[] } {
  const before = readSource(base);
  const [ours, others] = [readSource(mine, undefined, before), readSource(theirs, undefined, before)];
  if (before.broken || ours.broken || others.broken) return { base, mine, given: [] };
  const names = giveNames(before, ours, others);
  const values = giveValues(names.before, names.ours, others);
  return { base: values.base, mine: values.mine, given: [...names.given, ...values.given] };
}

function giveNames(before: SourceDocument, ours: SourceDocument, others: SourceDocument) {
  const [own, foreign] = [ours, others].map(({ flow }) => findRemovedNames(before.flow, flow).renames);
  const given: GivenValue[] = [];
  let renamed = { before, ours };
  for (const [key, dropped] of Object.entries(own ?? {})) {
    const kept = foreign?.[key];
    if (kept === undefined || kept === dropped) continue;
    const [nextBefore, nextOurs] = [rename(renamed.before, key, kept), rename(renamed.ours, dropped, kept)];
    if (!nextBefore || !nextOurs) continue;
    renamed = { before: nextBefore, ours: nextOurs };
    given.push({ key, isName: true, kept, dropped });
  }
  return { ...renamed, given };
}

/** Null: the name is taken. */
function rename(document: SourceDocument, from: string, to: string): SourceDocument | null {
  const result = applyEdit(document, emptyLayout, { type: "rename", from, to });
  return result.ok ? readSource(applyChanges(document.text, result.changes), undefined, document) : null;
}

function giveValues(before: SourceDocument, ours: SourceDocument, others: SourceDocument) {
  const [values, own, foreign] = [listValues(before), listMoved(before, ours), listMoved(before, others)];
  const given: GivenValue[] = [];
  const [inBase, inMine]: [TextChange[], TextChange[]] = [[], []];
  for (const [place, { key, text, range }] of values) {
    const [dropped, kept] = [own.get(place), foreign.get(place)];
    if (!dropped || !kept || dropped.text === text || kept.text === text || dropped.text === kept.text) continue;
    inBase.push({ ...range, insert: kept.text });
    inMine.push({ ...dropped.range, insert: kept.text });
    given.push({ key, isName: false, kept: kept.text, dropped: dropped.text });
  }
  return { base: replaceAll(before.text, inBase), mine: replaceAll(ours.text, inMine), given };
}

const replaceAll = (text: string, changes: readonly TextChange[]): string =>
  applyChanges(
    text,
    changes.toSorted((a, b) => a.from - b.from),
  );

/** The values of a later document, under the names that it had before. */
function listMoved(before: SourceDocument, after: SourceDocument): ReturnType<typeof listValues> {
  const { renames } = findRemovedNames(before.flow, after.flow);
  const oldNames = new Map(Object.entries(renames).map(([old, next]) => [next, old]));
  return listValues(after, (owner) => oldNames.get(owner) ?? owner);
}

/** The fields whose values are replaced as a whole, by their place. */
function listValues(document: SourceDocument, toOwner = (owner: string): string => owner) {
  const values = new Map<string, { key: string; range: TextRange; text: string }>();
  for (const { owner, key, range } of listChoices(document))
    values.set(JSON.stringify([owner && toOwner(owner), key]), {
      key,
      range,
      text: document.text.slice(range.from, range.to),
    });
  return values;
}
