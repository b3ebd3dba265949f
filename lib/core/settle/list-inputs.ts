import { isMerged, type Knowledge, listSuperseded } from "../live/known-notes";
import { compareVersions, type StructureVersion } from "../live/structure-versions";
import { parseTopologyValue, printTopologyValue, type TopologyValue } from "../source/structure/topology-value";

/** A version of the members of one scope, with what is in it; null: that cannot be read. */
export interface ReadVersion {
  version: StructureVersion;
  value: TopologyValue | null;
}

/**
 * Returns the versions that people wrote, in the order in which they are merged: each merged version is replaced by those that it
 * was made from. Editors that merge what they have at the same time make different results; merged with each other, those would
 * differ again. A merged version in which someone typed since is a person's, too. `all`: of the document; `noted`: the members of
 * versions, by their keys.
 */
export function listInputs(
  rivals: readonly ReadVersion[],
  { all, isKnown, noted }: { all: readonly StructureVersion[]; isKnown: Knowledge; noted: ReadonlyMap<string, string> },
): ReadVersion[] {
  const read = new Map(rivals.map((rival) => [rival.version.key, rival]));
  const isUneditedMerge = ({ version: { key }, value }: ReadVersion): boolean =>
    isMerged(key) && value !== null && noted.get(key) === printTopologyValue(value);
  const inputs = rivals.flatMap((rival): ReadVersion[] => {
    if (!isUneditedMerge(rival)) return [rival];
    const { scope } = rival.version;
    const authored = all.filter((one) => one.scope === scope && !isMerged(one.key) && isKnown(rival.version, one.key));
    const replaced = listSuperseded(authored);
    const latest = authored.filter((one) => !replaced.has(one));
    // Of what was noted long ago nobody has the members any more.
    const isWhole = latest.length > 0 && latest.every(({ key }) => read.has(key) || noted.has(key));
    if (!isWhole) return [rival];
    return latest.map((version) => {
      const members = noted.get(version.key);
      return read.get(version.key) ?? { version, value: members === undefined ? null : parseTopologyValue(members) };
    });
  });
  const byKey = new Map(inputs.map((input) => [input.version.key, input]));
  const replaced = listSuperseded([...byKey.values()].map(({ version }) => version));
  return [...byKey.values()]
    .filter(({ version }) => !replaced.has(version))
    .toSorted((a, b) => compareVersions(a.version, b.version));
}
