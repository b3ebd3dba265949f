import { isMerged, type Knowledge } from "../live/known-notes";
import type { StructureVersion } from "../live/structure-versions";

/**
 * The members that `second`, and those that are merged already, were made of: those of the last version that `second` and one of
 * `firsts` knew, where there is one; else what the earliest version was made of that only the second one knew. `noted`: the members of versions, by their keys.
 */
export function findBase(
  versions: readonly StructureVersion[],
  [firsts, second]: readonly [readonly StructureVersion[], StructureVersion],
  { isKnown, noted }: { isKnown: Knowledge; noted: ReadonlyMap<string, string> },
): string {
  const has = (version: StructureVersion, { key }: StructureVersion): boolean =>
    key === version.key || isKnown(version, key);
  const known = versions.filter((one) => one.scope === second.scope && has(second, one));
  const own = known.filter((one) => !firsts.some((first) => has(first, one)));
  const isEarliest = (one: StructureVersion): boolean => own.every(({ key }) => key === one.key || !isKnown(one, key));
  const [earliest = second] = own.filter(isEarliest).toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const common = known.filter((one) => !own.includes(one));
  const latest = common.filter((one) => common.every((other) => other === one || !isKnown(other, one.key)));
  const [last] = latest.length === 1 ? latest : [];
  // The earliest one may be of someone who did not know of what both know, and a person wrote.
  const isOlder = last !== undefined && !isMerged(last.key) && !has(earliest, last);
  return (isOlder ? noted.get(last.key) : undefined) ?? earliest.before;
}
