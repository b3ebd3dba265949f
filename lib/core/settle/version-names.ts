import type { Knowledge } from "../live/known-notes";
import { compareGivenNames, type DeclaredName, type StructureVersion } from "../live/structure-versions";

/** New names by old ones. */
export type Names = ReadonlyMap<string, string>;

/** The names that things have now which the author of a version gave to new declarations, by the names in the version. */
export function listNamesOf(declared: readonly DeclaredName[], version: StructureVersion, isKnown: Knowledge): Names {
  const names = new Map<string, string>();
  // Of what several people gave another name at the same time, a version has the name that its author knew.
  const known = new Set(declared.flatMap(({ key, was }) => (was && isKnown(version, key) ? [was.key] : [])));
  for (const { key, was, by: author } of declared) {
    if (!was || known.has(was.key) || !(author === version.by || isKnown(version, was.key))) continue;
    const first = [...names].find(([, current]) => current === was.name)?.[0] ?? was.name;
    names.set(first, findCurrentName(declared, key) ?? was.name);
  }
  // What the version itself says of a name is certain.
  for (const [name, key] of Object.entries(version.refs ?? {})) {
    const current = findCurrentName(declared, key) ?? name;
    if (current === name) names.delete(name);
    else names.set(name, current);
  }
  return names;
}

/** The key of the name that this one was given in the place of. */
export const originOf = ({ was, replaces }: DeclaredName): string | undefined => was?.key ?? replaces;

/** The name that a declaration has now, by the key of a name that it had; undefined: it is not known. */
function findCurrentName(declared: readonly DeclaredName[], key: string): string | undefined {
  const find = (wanted: string | undefined) => declared.find((one) => one.key === wanted);
  let current = find(key);
  for (let steps = declared.length; steps > 0; steps--) current = (current && find(originOf(current))) ?? current;
  for (let steps = declared.length; steps > 0 && current; steps--) {
    const { key: last } = current;
    const [next] = declared.filter((one) => originOf(one) === last).toSorted(compareGivenNames);
    if (!next) break;
    current = next;
  }
  return current?.name;
}

/** What `version` and those that it knew renamed, and `other` did not know of, with the names that things have now. */
export function listRenames(
  versions: readonly StructureVersion[],
  [version, other]: readonly [StructureVersion, StructureVersion],
  { current, isKnown }: { current: Names; isKnown: Knowledge },
): [oldName: string, newName: string][] {
  const isNew = ({ key, scope }: StructureVersion): boolean =>
    scope === version.scope &&
    (key === version.key || isKnown(version, key)) &&
    key !== other.key &&
    !isKnown(other, key);
  return versions
    .filter(isNew)
    .flatMap(({ renames }) => Object.entries(renames))
    .map(([oldName, newName]) => [oldName, current.get(newName) ?? newName]);
}
