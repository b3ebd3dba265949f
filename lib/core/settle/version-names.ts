import { groupBy } from "../flow/group-by";
import type { Knowledge } from "../live/known-notes";
import {
  compareGivenNames,
  compareVersions,
  type DeclaredName,
  type StructureVersion,
} from "../live/structure-versions";
import type { Rename } from "../source/structure/align-names";
import { followAll } from "./follow-all";

/** New names by old ones. */
export type Names = ReadonlyMap<string, string>;

/** The names that things have now which the author of a version gave to new declarations, by the names in the version. */
export function listNamesOf(declared: readonly DeclaredName[], version: StructureVersion, isKnown: Knowledge): Names {
  const index = toIndex(declared);
  const done = index.names.get(version);
  if (done) return done;
  const [names, oldNames] = [new Map<string, string>(), new Map<string, string>()];
  // Of what several people gave another name at the same time, a version has the name that its author knew.
  const known = new Set(index.given.flatMap(({ key, was }) => (was && isKnown(version, key) ? [was.key] : [])));
  for (const { key, was, by: author } of index.given) {
    if (!was || known.has(was.key) || !(author === version.by || isKnown(version, was.key))) continue;
    const first = oldNames.get(was.name) ?? was.name;
    const current = index.currentNames.get(key) ?? was.name;
    names.set(first, current);
    if (!oldNames.has(current)) oldNames.set(current, first);
  }
  // What the version itself says of a name is certain.
  for (const [name, key] of Object.entries(version.refs ?? {})) {
    const current = index.currentNames.get(key) ?? name;
    if (current === name) names.delete(name);
    else names.set(name, current);
  }
  index.names.set(version, names);
  return names;
}

/** The key of the name that this one was given in the place of. */
export const originOf = ({ was, replaces }: DeclaredName): string | undefined => was?.key ?? replaces;

interface NameIndex {
  /** Those that someone gave in the place of another one. */
  given: readonly DeclaredName[];
  /** The names that declarations have now, by the key of each name that they had. */
  currentNames: ReadonlyMap<string, string>;
  /** What was asked for. */
  names: WeakMap<StructureVersion, Names>;
}

const indexes = new WeakMap<readonly DeclaredName[], NameIndex>();

function toIndex(declared: readonly DeclaredName[]): NameIndex {
  const index = indexes.get(declared) ?? {
    given: declared.filter(({ was }) => was !== undefined),
    currentNames: listCurrentNames(declared),
    names: new WeakMap(),
  };
  indexes.set(declared, index);
  return index;
}

/** From the first name of each declaration on: of several names in the place of one the first, and so on. */
function listCurrentNames(declared: readonly DeclaredName[]): Map<string, string> {
  const byKey = new Map(declared.map((one) => [one.key, one]));
  const nextOnes = groupBy(declared, (one) => originOf(one) ?? null);
  const findFirst = (key: string): DeclaredName | undefined => nextOnes.get(key)?.toSorted(compareGivenNames)[0];
  const currentNames = new Map<string, string>();
  const follow = (first: DeclaredName): void => {
    const passed = new Set([first.key]);
    let current = first;
    for (let next = findFirst(first.key); next && !passed.has(next.key); next = findFirst(next.key)) {
      passed.add(next.key);
      current = next;
    }
    // All that came from the first one are of one declaration.
    const keys = followAll([first.key], (key) => nextOnes.get(key)?.map((next) => next.key) ?? []);
    for (const key of keys) currentNames.set(key, current.name);
  };
  for (const one of declared) if (!byKey.has(originOf(one) ?? "")) follow(one);
  // What leads in a circle was written by no editor.
  for (const { key, name } of declared) if (!currentNames.has(key)) currentNames.set(key, name);
  return currentNames;
}

/**
 * What `version` and those that it knew renamed, and `other` did not know of, with the names that things have now: in the order
 * in which it was done.
 */
export function listRenames(
  versions: readonly StructureVersion[],
  [version, other]: readonly [StructureVersion, StructureVersion],
  { current, isKnown }: { current: Names; isKnown: Knowledge },
): Rename[] {
  const isNew = ({ key, scope }: StructureVersion): boolean =>
    scope === version.scope &&
    (key === version.key || isKnown(version, key)) &&
    key !== other.key &&
    !isKnown(other, key);
  const renaming = versions.filter((one) => isNew(one) && Object.keys(one.renames).length > 0);
  const countKnown = (one: StructureVersion): number => renaming.filter(({ key }) => isKnown(one, key)).length;
  const known = new Map(renaming.map((one) => [one, countKnown(one)]));
  return renaming
    .toSorted((a, b) => (known.get(a) ?? 0) - (known.get(b) ?? 0) || compareVersions(a, b))
    .flatMap((one) =>
      Object.entries(one.renames).map(
        ([oldName, newName]): Rename => ({
          oldName,
          newName,
          current: current.get(newName) ?? newName,
          by: one.by,
          key: one.key,
          knows: (key) => isKnown(one, key),
        }),
      ),
    );
}
