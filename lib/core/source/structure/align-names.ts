import { membersOfValue, renameInValue, type TopologyValue, type TopologyVersions } from "./topology-value";

/** A new name that someone gave to what had another one. */
export interface Rename {
  oldName: string;
  newName: string;
  /** The name that it has now where someone else gave the new one at the same time. */
  current: string;
  /** The document of the one who gave it. */
  by: number;
  /** Of the version that notes it. */
  key: string;
  /** Whether the one who gave it knew of the version with a key. */
  knows(key: string): boolean;
}

/** In the order in which they were given; of one name several people may have given several. */
export type Renames = readonly Rename[];

/** The versions with one name for each member that one of them renamed: where both did, the name that the first one has. */
export function alignNames(
  { base, first, second }: TopologyVersions,
  renames: { first: Renames; second: Renames },
): TopologyVersions {
  const maps = { base: new Map<string, string>(), first: new Map<string, string>(), second: new Map<string, string>() };
  const [findOwn, findOther] = [toFind(renames.first, first), toFind(renames.second, second)];
  for (const name of membersOfValue(base)) {
    const [own, other] = [findOwn(name), findOther(name)];
    const kept = own !== undefined && own !== name ? own : (other ?? name);
    if (kept !== name) maps.base.set(name, kept);
    if (own !== undefined && own !== kept) maps.first.set(own, kept);
    if (other !== undefined && other !== kept) maps.second.set(other, kept);
  }
  return {
    base: renameInValue(base, maps.base),
    first: renameInValue(first, maps.first),
    second: renameInValue(second, maps.second),
  };
}

/**
 * Returns what a member is called in a version; undefined: it is no member there. Each rename is followed to those that its
 * author or someone else made of it later, not to those of something else that had the same name.
 */
function toFind(renames: Renames, value: TopologyValue): (name: string) => string | undefined {
  const members = new Set(membersOfValue(value));
  const replaced = listReplaced(renames);
  return (name) => {
    const given = new Set<Rename>();
    for (const [rename, earlier] of replaced) {
      const isFirst = earlier.length === 0 && rename.oldName === name;
      if (isFirst || earlier.some((one) => given.has(one))) given.add(rename);
    }
    const left = new Set(given);
    for (const rename of given) for (const one of replaced.get(rename) ?? []) left.delete(one);
    // Typed back, it has its own name again.
    const isOwn = given.size === 0 || !renames.some(({ newName }) => newName === name);
    const names = Array.from(left, ({ current }) => current);
    return [...names, ...(isOwn ? [name] : [])].find((current) => members.has(current));
  };
}

/** The earlier renames that each one replaced, in their order; none: it renamed what had its name before all of them. */
function listReplaced(renames: Renames): Map<Rename, Renames> {
  const replaced = new Map<Rename, Renames>();
  for (const rename of renames) {
    const isKnown = ({ key }: Rename): boolean => key === rename.key || rename.knows(key);
    const known = [...replaced.keys()].filter(isKnown);
    if (known.some(({ key }) => key === rename.key)) continue;
    const done = new Set(known.flatMap((one) => replaced.get(one) ?? []));
    // Its own author knows a name as it was given.
    const nameOf = (other: Rename): string => (other.by === rename.by ? other.newName : other.current);
    const earlier = known.filter((other) => nameOf(other) === rename.oldName && !done.has(other));
    replaced.set(rename, earlier);
  }
  return replaced;
}
