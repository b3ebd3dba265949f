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
export function readDeclaration(section: DeclaringSection, entry: YamlEntry, reader: EntryReader): DeclarationResult {
  const kind = declaringSections[section];
  const problems = reader.problems;
  const valid = nameSchema.safeParse(entry.key);
  if (!valid.success) {
    reader.report(
      "invalid-name",
      "error",
      `The name of ${kind} "${entry.key.slice(0, 60)}" ${valid.error.issues[0]?.message ?? "is not valid"}.`,
      entry.keyNode,
    );
    return { declaration: null, topology: null, unreadLanes: [], problems };
  }
  if (section === "agents") {
    const agentEntries = reader.mapping(entry, "a mapping");
    const value = readAgent(entry.key, agentEntries, reader);
    return { declaration: value, topology: null, unreadLanes: [], problems };
  }
  const { declaration, topology, unreadLanes: unread } = readWithMembers(section, entry, reader);
  return { declaration, topology, unreadLanes: unread, problems };
}

export const entriesByKey = (entries: readonly YamlEntry[]): Map<string, YamlEntry> =>
  new Map(entries.map((entry) => [entry.key, entry]));

interface MembersResult {
  declaration: Declaration;
  topology: SourceTopology;
  unreadLanes: string[];
}

function readWithMembers(
  section: Exclude<DeclaringSection, "agents">,
  entry: YamlEntry,
  reader: EntryReader,
): MembersResult {
  const name = entry.key;
  if (section === "groups") {
    const { group, site: topology } = readGroup({ name, title: `Group "${name}"`, entry, reader });
    const unread = !group.flow && topology.entries.has("flow") ? ["flow"] : [];
    return { declaration: group, topology, unreadLanes: unread };
  }
  if (section === "swarms") return readNamedSwarm(name, `Swarm "${name}"`, entry, reader);
  return readNamedControl(section, entry, reader);
}

/** A swarm of `swarms:`, or the root. */
export function readNamedSwarm(name: string, title: string, entry: YamlEntry, reader: EntryReader): MembersResult {
  const { swarm, site: topology } = readSwarm({ name, title, entry, reader });
  const isUnread =
    !swarm.flow && !swarm.edges && !swarm.agents && !isEmptyText(topology.entries.get("flow")?.value ?? null);
  return { declaration: swarm, topology, unreadLanes: isUnread ? ["flow"] : [] };
}

/** Whether nothing is written there, with quotes or without: nothing can be lost. */
const isEmptyText = (value: Parameters<typeof readText>[0]): boolean =>
  isBlank(value) || readText(value)?.trim() === "";

function readNamedControl(section: ControlSection, entry: YamlEntry, reader: EntryReader): MembersResult {
  const title = `${section[0]?.toUpperCase()}${controlSections[section].slice(1)} "${entry.key}"`;
  const { control, site: topology } = readControl(controlSections[section], { name: entry.key, title, entry, reader });
  const read = new Map(lanesOf(control));
  const unread = [...topology.texts].flatMap(([lane, { value }]) =>
    !isEmptyText(value) && !read.get(lane) ? [lane] : [],
  );
  return { declaration: control, topology, unreadLanes: unread };
}
