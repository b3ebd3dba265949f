import type { VariableValue } from "../../flow/field-variables";
import { type Declaration, nameSchema } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import { lanesOf } from "../../kinds/registry";
import { isBlank, readText, type YamlEntry } from "../yaml/yaml-nodes";
import { type EntryReader, readAgent } from "./entry-reader";
import { readControl } from "./read-controls";
import { readGroup, readSwarm, type SourceTopology } from "./read-topology";
import { type ControlSection, controlSections, type DeclaringSection, declaringSections } from "./sections";

/** What reading one declaration yields. Ranges are counted from the start of its chunk. */
export interface DeclarationResult {
  /** Null: its name is not valid. */
  declaration: Declaration | null;
  /** Its lists and texts of members; null for an agent. */
  topology: SourceTopology | null;
  /** The lanes whose member texts cannot be read. */
  unreadLanes: readonly string[];
  problems: readonly Problem[];
  /** The variables that it looks up, with their values at that time. */
  usedVariables?: ReadonlyMap<string, VariableValue | undefined>;
}

/** Reads one declaration. What is wrong with it is a problem, and the rest stays. */
export function readDeclaration(section: DeclaringSection, entry: YamlEntry, reading: EntryReader): DeclarationResult {
  const kind = declaringSections[section];
  const problems = reading.problems;
  const valid = nameSchema.safeParse(entry.key);
  if (!valid.success) {
    reading.report(
      "invalid-name",
      "error",
      `The name of ${kind} "${entry.key.slice(0, 60)}" ${valid.error.issues[0]?.message ?? "is not valid"}.`,
      entry.keyNode,
    );
    return { declaration: null, topology: null, unreadLanes: [], problems };
  }
  if (section === "agents") {
    const inner = reading.mapping(entry, "a mapping");
    const value = readAgent(entry.key, inner, reading);
    return { declaration: value, topology: null, unreadLanes: [], problems };
  }
  const { declaration, topology: site, unreadLanes: unread } = readWithMembers(section, entry, reading);
  return { declaration, topology: site, unreadLanes: unread, problems };
}

export const entriesByKey = (entries: readonly YamlEntry[]): Map<string, YamlEntry> =>
  new Map(entries.map((one) => [one.key, one]));

interface MembersResult {
  declaration: Declaration;
  topology: SourceTopology;
  unreadLanes: string[];
}

function readWithMembers(
  section: Exclude<DeclaringSection, "agents">,
  entry: YamlEntry,
  reading: EntryReader,
): MembersResult {
  const name = entry.key;
  if (section === "groups") {
    const { group, site } = readGroup({ name, title: `Group "${name}"`, entry, reader: reading });
    const unread = !group.flow && site.entries.has("flow") ? ["flow"] : [];
    return { declaration: group, topology: site, unreadLanes: unread };
  }
  if (section === "swarms") return readNamedSwarm(name, `Swarm "${name}"`, entry, reading);
  return readNamedControl(section, entry, reading);
}

/** A swarm of `swarms:`, or the root. */
export function readNamedSwarm(name: string, title: string, entry: YamlEntry, reading: EntryReader): MembersResult {
  const { swarm, site } = readSwarm({ name, title, entry, reader: reading });
  const isUnread =
    !swarm.flow && !swarm.edges && !swarm.agents && !isEmptyText(site.entries.get("flow")?.value ?? null);
  return { declaration: swarm, topology: site, unreadLanes: isUnread ? ["flow"] : [] };
}

/** Whether nothing is written there, with quotes or without: nothing can be lost. */
const isEmptyText = (value: Parameters<typeof readText>[0]): boolean =>
  isBlank(value) || readText(value)?.trim() === "";

function readNamedControl(section: ControlSection, entry: YamlEntry, reading: EntryReader): MembersResult {
  const title = `${section[0]?.toUpperCase()}${controlSections[section].slice(1)} "${entry.key}"`;
  const { control, site } = readControl(controlSections[section], { name: entry.key, title, entry, reader: reading });
  const read = new Map(lanesOf(control));
  const unread = [...site.texts].flatMap(([lane, { value }]) => (!isEmptyText(value) && !read.get(lane) ? [lane] : []));
  return { declaration: control, topology: site, unreadLanes: unread };
}
