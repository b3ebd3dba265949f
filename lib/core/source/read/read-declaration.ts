import type { VariableValue } from "../../flow/field-variables";
import { type Declaration, nameSchema } from "../../flow/flow";
import type { Problem } from "../../flow/problem";
import { lanesOf } from "../../kinds/registry";
import { type Entry, isBlank, readText } from "../yaml/yaml-nodes";
import { type Reading, readAgent } from "./entry-reader";
import { readControl } from "./read-controls";
import { readGroup, readSwarm, type TopologySite } from "./read-topology";
import { type ControlSection, controlSections, type DeclaringSection, declaringSections } from "./sections";

/** What reading one declaration yields. Ranges are counted from the start of its chunk. */
export interface Found {
  /** Null: its name is not valid. */
  declaration: Declaration | null;
  /** Its lists and texts of members; null for an agent. */
  site: TopologySite | null;
  /** The lanes whose member texts cannot be read. */
  unread: readonly string[];
  problems: readonly Problem[];
  /** The variables that it looks up, with their values at that time. */
  lookedUp?: ReadonlyMap<string, VariableValue | undefined>;
}

/** Reads one declaration. What is wrong with it is a problem, and the rest stays. */
export function readDeclaration(section: DeclaringSection, entry: Entry, reading: Reading): Found {
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
    return { declaration: null, site: null, unread: [], problems };
  }
  if (section === "agents") {
    const inner = reading.mapping(entry, "a mapping");
    const value = readAgent(entry.key, inner, reading);
    return { declaration: value, site: null, unread: [], problems };
  }
  const { declaration, site, unread } = readPart(section, entry, reading);
  return { declaration, site, unread, problems };
}

export const byKey = (entries: readonly Entry[]): Map<string, Entry> => new Map(entries.map((one) => [one.key, one]));

interface PartFound {
  declaration: Declaration;
  site: TopologySite;
  unread: string[];
}

function readPart(section: Exclude<DeclaringSection, "agents">, entry: Entry, reading: Reading): PartFound {
  const name = entry.key;
  if (section === "groups") {
    const { group, site } = readGroup({ name, title: `Group "${name}"`, entry, reading });
    const unread = !group.flow && site.entries.has("flow") ? ["flow"] : [];
    return { declaration: group, site, unread };
  }
  if (section === "swarms") return readNamedSwarm(name, `Swarm "${name}"`, entry, reading);
  return readNamedControl(section, entry, reading);
}

/** A swarm of `swarms:`, or the root. */
export function readNamedSwarm(name: string, title: string, entry: Entry, reading: Reading): PartFound {
  const { swarm, site } = readSwarm({ name, title, entry, reading });
  const isUnread =
    !swarm.flow && !swarm.edges && !swarm.agents && !isEmptyText(site.entries.get("flow")?.value ?? null);
  return { declaration: swarm, site, unread: isUnread ? ["flow"] : [] };
}

/** Whether nothing is written there, with quotes or without: nothing can be lost. */
const isEmptyText = (value: Parameters<typeof readText>[0]): boolean =>
  isBlank(value) || readText(value)?.trim() === "";

function readNamedControl(section: ControlSection, entry: Entry, reading: Reading): PartFound {
  const title = `${section[0]?.toUpperCase()}${controlSections[section].slice(1)} "${entry.key}"`;
  const { control, site } = readControl(controlSections[section], { name: entry.key, title, entry, reading });
  const read = new Map(lanesOf(control));
  const unread = [...site.texts].flatMap(([lane, { value }]) => (!isEmptyText(value) && !read.get(lane) ? [lane] : []));
  return { declaration: control, site, unread };
}
