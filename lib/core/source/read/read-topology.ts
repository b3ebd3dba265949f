import { isScalar, isSeq, type Node } from "yaml";
import { parseFlow } from "../../dsl/parse";
import {
  type Expression,
  type FlowTextKind,
  nameExpression,
  namesOf,
  parallelExpression,
  serialExpression,
  sourcesOf,
} from "../../flow/expression";
import { defaultSeparator } from "../../flow/flow";
import { compareCodePoints } from "../../flow/graph";
import type { Range } from "../../flow/text-range";
import { errorChoices, type Group, groupModes } from "../../kinds/group";
import { type Swarm, swarmModes } from "../../kinds/swarm";
import { moveProblems, scalarOffsets } from "../yaml/scalar-offsets";
import { isBlank, rangeOfNode, readItems, readText, type YamlEntry } from "../yaml/yaml-nodes";
import type { EntryReader } from "./entry-reader";

/** Where a swarm or group says who its members are. */
export interface SourceTopology {
  /** The value of the swarm or group: a mapping, or null while there is none. */
  node: Node | null;
  entries: ReadonlyMap<string, YamlEntry>;
  /** Every member's name where it stands in the file, in order. */
  references: { name: string; range: Range }[];
  /** The entries whose values are DSL texts: `flow`, or for controls by lane: `if_true`, `body`, a router's lanes. */
  texts: Map<string, YamlEntry>;
}

/** The fields of a swarm and of a group in a flow file. */
export const swarmKeys = [
  "type",
  "flow",
  "agents",
  "edges",
  "max_handoffs",
  "max_concurrent",
  "max_agents",
  "separator",
  "order",
];
export const groupKeys = ["type", "flow", "agents", "separator", "on_error"];

/** One declaration while it is read. */
export interface DeclarationInput {
  name: string;
  title: string;
  entry: YamlEntry;
  reader: EntryReader;
}

export function readGroup(part: DeclarationInput): { group: Group; site: SourceTopology } {
  const { name, title, entry, reader: reading } = part;
  const site = toSourceTopology(part, groupKeys);
  const type = readChoice(site, "type", groupModes, "parallel", title, reading);
  const flow = readFlowText(site, "flow", reading, type === "parallel" ? "group-parallel" : "group-serial");
  const names = readList(site, "agents", reading);
  const join = type === "parallel" ? parallelExpression : serialExpression;
  const fromList = names && names.length > 0 ? join(names.map((member) => nameExpression(member))) : undefined;
  const found = flow ?? fromList;
  if (!found && !site.entries.has("flow"))
    reading.report("no-members", "error", `${title} has no members. Write e.g. flow: "a | b".`, entry.keyNode);
  const onError = readChoice(site, "on_error", errorChoices, "stop", title, reading);
  const group: Group = {
    type: "group",
    name,
    mode: type,
    separator: readFilledText(site, "separator", reading) ?? defaultSeparator,
    ...(found ? { flow: found } : {}),
    ...(onError === "continue" && { on_error: onError }),
  };
  return { group: { ...group, ...reading.written }, site };
}

export function readSwarm(part: DeclarationInput): { swarm: Swarm; site: SourceTopology } {
  const { name, title, entry, reader: reading } = part;
  const site = toSourceTopology(part, swarmKeys);
  const type = readChoice(site, "type", swarmModes, "workflow", title, reading);
  const written = readFlowText(site, "flow", reading);
  const order = readList(site, "order", reading) ?? [];
  const flow = written ?? (site.entries.has("flow") ? undefined : toSerial(order));
  const agents = readList(site, "agents", reading) ?? (type === "handoff" ? withStartFirst(written, order) : undefined);
  const edges = readEdges(site, title, reading);
  const maxHandoffs = readNumber(site, "max_handoffs", reading, { least: 0, most: 1000 });
  const maxConcurrent = readNumber(site, "max_concurrent", reading, { least: 1, most: 1000 });
  const maxAgents = readNumber(site, "max_agents", reading, { least: 1, most: 10_000 });
  const isRoot = name === "";
  if (!isRoot && type === "workflow" && !flow && !agents && !edges && !site.entries.has("flow"))
    reading.report("empty-flow", "error", `${title} has no flow yet. Write e.g. flow: a >> b.`, entry.keyNode);
  const swarm: Swarm = {
    type: "swarm",
    name,
    mode: type,
    separator: readFilledText(site, "separator", reading) ?? defaultSeparator,
    ...(flow && !(edges && type === "workflow") ? { flow } : {}),
    ...(agents ? { agents } : {}),
    ...(edges ? { edges } : {}),
    ...(maxHandoffs === undefined ? {} : { max_handoffs: maxHandoffs }),
    ...(maxConcurrent === undefined ? {} : { max_concurrent: maxConcurrent }),
    ...(maxAgents === undefined ? {} : { max_agents: maxAgents }),
  };
  return { swarm: { ...swarm, ...reading.written }, site };
}

export function toSourceTopology(
  { title, entry, reader: reading }: DeclarationInput,
  known: readonly string[],
): SourceTopology {
  const entries = reading.mapping(entry, "a mapping");
  for (const one of entries) if (!known.includes(one.key)) reading.reportUnknownKey(one, known, title);
  return {
    node: entry.value,
    entries: new Map(entries.map((one) => [one.key, one])),
    references: [],
    texts: new Map(),
  };
}

function readChoice<T extends string>(
  site: SourceTopology,
  key: string,
  choices: readonly T[],
  otherwise: T,
  title: string,
  reading: EntryReader,
): T {
  const entry = site.entries.get(key);
  if (!entry || isBlank(entry.value)) return otherwise;
  const text = readText(entry.value);
  const found = choices.find((choice) => choice === text);
  if (found) return found;
  reading.report(
    "invalid-value",
    "error",
    `\`${key}\` of ${title} must be one of ${choices.join(", ")}.`,
    entry.value ?? entry.keyNode,
  );
  return otherwise;
}

/** The topology that an entry's text says; its names become references of the site. */
export function readFlowText(
  site: SourceTopology,
  key: string | { lane: string; entry: YamlEntry },
  reading: EntryReader,
  as: FlowTextKind = "flow",
): Expression | undefined {
  const { lane, entry } = typeof key === "string" ? { lane: key, entry: site.entries.get(key) } : key;
  if (!entry) return undefined;
  site.texts.set(lane, entry);
  const text = isBlank(entry.value) ? "" : readText(entry.value);
  if (text === null) {
    reading.reportValue(entry, 'a text such as "a >> b"');
    return undefined;
  }
  const whole = rangeOfNode(entry.value ?? entry.keyNode, reading.text) ?? { from: 0, to: 0 };
  const offsets = isScalar(entry.value) ? scalarOffsets(reading.text, entry.value) : null;
  const { expression, problems } = parseFlow(text, { as });
  reading.problems.push(...moveProblems(problems, offsets, whole));
  if (!expression) return undefined;
  for (const { name, range } of namesOf(expression))
    site.references.push({ name, range: offsets?.toRange(range) ?? whole });
  return expression;
}

function readList(site: SourceTopology, key: string, reading: EntryReader): string[] | undefined {
  const entry = site.entries.get(key);
  const found = entry && reading.names(entry);
  for (const { name, node } of found ?? []) {
    const range = rangeOfNode(node, reading.text);
    if (range) site.references.push({ name, range });
  }
  return found?.map(({ name }) => name);
}

/** Orbiter's `order: [b, a]` without a flow. */
const toSerial = (order: readonly string[]): Expression | undefined =>
  order.length > 0 ? serialExpression(order.map((name) => nameExpression(name))) : undefined;

/** Orbiter's `order` beside a flow: all of them are members, and the first of the flow starts. */
function withStartFirst(flow: Expression | undefined, order: readonly string[]): string[] | undefined {
  if (!flow || order.length === 0) return undefined;
  const [first = ""] = sourcesOf(flow).toSorted(compareCodePoints);
  return [...new Set([first, ...order])];
}

/** Whether a root swarm lists its members. If not, all agents are its members, in the order of the file. */
export function listsMembers({ entries }: Pick<SourceTopology, "entries">): boolean {
  const isDraft = entries.has("edges") && (readText(entries.get("type")?.value ?? null) ?? "workflow") === "workflow";
  const order = entries.get("order")?.value ?? null;
  return entries.has("flow") || entries.has("agents") || isDraft || (isSeq(order) && order.items.length > 0);
}

function readEdges(site: SourceTopology, title: string, reading: EntryReader): [string, string][] | undefined {
  const entry = site.entries.get("edges");
  if (!entry || isBlank(entry.value)) return undefined;
  const items = readItems(entry.value, reading.document);
  const pairs = (items ?? []).flatMap((item): [string, string][] => {
    const ends = readItems(item, reading.document)?.map(readText) ?? [];
    const [from, to] = ends;
    if (ends.length === 2 && typeof from === "string" && typeof to === "string") return [[from.trim(), to.trim()]];
    reading.report(
      "invalid-value",
      "error",
      `\`edges\` of ${title} must hold pairs such as [a, b].`,
      item ?? entry.keyNode,
    );
    return [];
  });
  if (!items) reading.reportValue(entry, "a list of pairs such as [[a, b]]");
  for (const item of items ?? [])
    for (const end of readItems(item, reading.document) ?? []) {
      const [name, range] = [readText(end)?.trim(), rangeOfNode(end, reading.text)];
      if (name && range) site.references.push({ name, range });
    }
  return pairs;
}

/** A text with its variables put in; missing when there is none. */
export function readFilledText(
  site: SourceTopology,
  key: string,
  reading: EntryReader,
  isProse: boolean = true,
): string | undefined {
  const entry = site.entries.get(key);
  const filled = entry && reading.lookUp(entry, isProse);
  if (!filled) return readTextField(site, key, reading);
  return filled.value === undefined ? undefined : String(filled.value);
}

/** A text as it is written; missing when there is none. */
export function readTextField(site: SourceTopology, key: string, reading: EntryReader): string | undefined {
  const entry = site.entries.get(key);
  if (!entry || isBlank(entry.value)) return undefined;
  const text = readText(entry.value);
  if (text === null) reading.reportValue(entry, "a text");
  return text ?? undefined;
}

/** A number within bounds; missing when there is none. */
export function readNumber(
  site: SourceTopology,
  key: string,
  reading: EntryReader,
  { least, most, whole = true }: { least: number; most: number; whole?: boolean },
): number | undefined {
  const entry = site.entries.get(key);
  if (!entry || isBlank(entry.value)) return undefined;
  const filled = reading.lookUp(entry);
  if (filled && filled.value === undefined) return undefined;
  const value = filled ? filled.value : reading.toJson(entry.value);
  if (typeof value === "number" && value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  reading.reportValue(entry, `a ${whole ? "whole " : ""}number from ${least} to ${most}`, filled?.value);
  return undefined;
}
