import { membersOfValue, renameInValue, type TopologyVersions } from "./topology-value";

/** Old names with new ones, in the order in which they were given; of one name several people may have given several. */
export type Renames = readonly (readonly [oldName: string, newName: string])[];

/** The versions with one name for each member that one of them renamed: where both did, the name that the first one has. */
export function alignNames(
  { base, first, second }: TopologyVersions,
  renames: { first: Renames; second: Renames },
): TopologyVersions {
  const maps = { base: new Map<string, string>(), first: new Map<string, string>(), second: new Map<string, string>() };
  const [firstMembers, secondMembers] = [new Set(membersOfValue(first)), new Set(membersOfValue(second))];
  for (const name of membersOfValue(base)) {
    const own = findCurrent(name, renames.first, firstMembers);
    const other = findCurrent(name, renames.second, secondMembers);
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

/** What a member is called in a version; undefined: it is no member there. */
function findCurrent(name: string, renames: Renames, members: ReadonlySet<string>): string | undefined {
  const names = [name];
  for (const current of names) {
    if (members.has(current)) return current;
    for (const [oldName, newName] of renames) if (oldName === current && !names.includes(newName)) names.push(newName);
  }
  return undefined;
}
