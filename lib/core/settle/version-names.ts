import type { Knowledge } from "../live/known-notes";
import type { DeclaredName, StructureVersion } from "../live/structure-versions";

/** New names by old ones. */
export type Names = ReadonlyMap<string, string>;

/** The names that things have now which the author of a version gave to new declarations, by the names in the version. */
export function listNamesOf(declared: readonly DeclaredName[], version: StructureVersion, isKnown: Knowledge): Names {
  const names = new Map<string, string>();
  // Of what several people gave another name at the same time, a version has the name that its author knew.
  const known = new Set(declared.flatMap(({ key, was }) => (was && isKnown(version, key) ? [was.key] : [])));
  for (const { name, was, by: author } of declared) {
    if (!was || known.has(was.key) || !(author === version.by || isKnown(version, was.key))) continue;
    const first = [...names].find(([, current]) => current === was.name)?.[0] ?? was.name;
    names.set(first, name);
  }
  return names;
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
