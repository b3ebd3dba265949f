import type { Version } from "./request-versions";

/** Saves of one user without a long pause: the newest represents all of them. */
export interface VersionGroup {
  newest: Version;
  /** The others, newest first. */
  others: readonly Version[];
}

/** Longest pause between two saves of a group, in milliseconds. */
const longestPauseMs = 5 * 60_000;

/** Groups versions, which are newest first. A version with a name begins a group of its own and ends the one before. */
export function groupVersions(versions: readonly Version[]): VersionGroup[] {
  const groups: { newest: Version; others: Version[] }[] = [];
  for (const version of versions) {
    const group = groups.at(-1);
    const previous = group?.others.at(-1) ?? group?.newest;
    const joins =
      group !== undefined &&
      previous !== undefined &&
      version.name === null &&
      version.createdBy === previous.createdBy &&
      previous.createdAt - version.createdAt <= longestPauseMs;
    if (joins) group.others.push(version);
    else groups.push({ newest: version, others: [] });
  }
  return groups;
}

/** What changed in some versions, oldest first, each description once. */
export const describeVersions = (versions: readonly Version[]): string[] => [
  ...new Set(versions.toReversed().flatMap(({ summary }) => summary.split("\n").filter(Boolean))),
];
