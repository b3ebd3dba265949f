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

/** The fields of a swarm, group or control that list its members. */
export interface SourceTopology {
  /** The value of the swarm or group: a mapping, or null while there is none. */
  node: Node | null;
  entries: ReadonlyMap<string, YamlEntry>;
  /** Every occurrence of a member's name, in order. */
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

export function readGroup(input: DeclarationInput): { group: Group; site: SourceTopology } {
  const { name, title, entry, reader } = input;
  const sourceTopology = toSourceTopology(input, groupKeys);
  const type = readChoice(sourceTopology, "type", groupModes, "parallel", title, reader);
  const flow = readFlowText(sourceTopology, "flow", reader, type === "parallel" ? "group-parallel" : "group-serial");
  const names = readList(sourceTopology, "agents", reader);
  const join = type === "parallel" ? parallelExpression : serialExpression;
  const fromList = names && names.length > 0 ? join(names.map((member) => nameExpression(member))) : undefined;
  const members = flow ?? fromList;
  if (!members && !sourceTopology.entries.has("flow"))
    reader.report("no-members", "error", `${title} has no members. Write e.g. flow: "a | b".`, entry.keyNode);
  const onError = readChoice(sourceTopology, "on_error", errorChoices, "stop", title, reader);
  const group: Group = {
    type: "group",
    name,
    mode: type,
    separator: readFilledText(sourceTopology, "separator", reader) ?? defaultSeparator,
    ...(members ? { flow: members } : {}),
    ...(onError === "continue" && { on_error: onError }),
  };
  return { group: { ...group, ...reader.written }, site: sourceTopology };
}

export function readSwarm(input: DeclarationInput): { swarm: Swarm; site: SourceTopology } {
  const { name, title, entry, reader } = input;
  const sourceTopology = toSourceTopology(input, swarmKeys);
  const type = readChoice(sourceTopology, "type", swarmModes, "workflow", title, reader);
  const flowText = readFlowText(sourceTopology, "flow", reader);
  const order = readList(sourceTopology, "order", reader) ?? [];
  const flow = flowText ?? (sourceTopology.entries.has("flow") ? undefined : toSerial(order));
  const agents =
    readList(sourceTopology, "agents", reader) ?? (type === "handoff" ? withStartFirst(flowText, order) : undefined);
  const edges = readEdges(sourceTopology, title, reader);
  const maxHandoffs = readNumber(sourceTopology, "max_handoffs", reader, { least: 0, most: 1000 });
  const maxConcurrent = readNumber(sourceTopology, "max_concurrent", reader, { least: 1, most: 1000 });
  const maxAgents = readNumber(sourceTopology, "max_agents", reader, { least: 1, most: 10_000 });
  const isRoot = name === "";
  if (!isRoot && type === "workflow" && !flow && !agents && !edges && !sourceTopology.entries.has("flow"))
    reader.report("empty-flow", "error", `${title} has no flow yet. Write e.g. flow: a >> b.`, entry.keyNode);
  const swarm: Swarm = {
    type: "swarm",
    name,
    mode: type,
    separator: readFilledText(sourceTopology, "separator", reader) ?? defaultSeparator,
    ...(flow && !(edges && type === "workflow") ? { flow } : {}),
    ...(agents ? { agents } : {}),
    ...(edges ? { edges } : {}),
    ...(maxHandoffs === undefined ? {} : { max_handoffs: maxHandoffs }),
    ...(maxConcurrent === undefined ? {} : { max_concurrent: maxConcurrent }),
    ...(maxAgents === undefined ? {} : { max_agents: maxAgents }),
  };
  return { swarm: { ...swarm, ...reader.written }, site: sourceTopology };
}

export function toSourceTopology(
  { title, entry, reader }: DeclarationInput,
  knownKeys: readonly string[],
): SourceTopology {
  const entries = reader.mapping(entry, "a mapping");
  for (const childEntry of entries)
    if (!knownKeys.includes(childEntry.key)) reader.reportUnknownKey(childEntry, knownKeys, title);
  return {
    node: entry.value,
    entries: new Map(entries.map((childEntry) => [childEntry.key, childEntry])),
    references: [],
    texts: new Map(),
  };
}

function readChoice<T extends string>(
  sourceTopology: SourceTopology,
  key: string,
  choices: readonly T[],
  otherwise: T,
  title: string,
  reader: EntryReader,
): T {
  const entry = sourceTopology.entries.get(key);
  if (!entry || isBlank(entry.value)) return otherwise;
  const text = readText(entry.value);
  const choice = choices.find((candidate) => candidate === text);
  if (choice) return choice;
  reader.report(
    "invalid-value",
    "error",
    `\`${key}\` of ${title} must be one of ${choices.join(", ")}.`,
    entry.value ?? entry.keyNode,
  );
  return otherwise;
}

/** Parses the flow text of an entry; its names become references of the topology. */
export function readFlowText(
  sourceTopology: SourceTopology,
  key: string | { lane: string; entry: YamlEntry },
  reader: EntryReader,
  as: FlowTextKind = "flow",
): Expression | undefined {
  const { lane, entry } = typeof key === "string" ? { lane: key, entry: sourceTopology.entries.get(key) } : key;
  if (!entry) return undefined;
  sourceTopology.texts.set(lane, entry);
  const text = isBlank(entry.value) ? "" : readText(entry.value);
  if (text === null) {
    reader.reportValue(entry, 'a text such as "a >> b"');
    return undefined;
  }
  const entryRange = rangeOfNode(entry.value ?? entry.keyNode, reader.text) ?? { from: 0, to: 0 };
  const offsets = isScalar(entry.value) ? scalarOffsets(reader.text, entry.value) : null;
  const { expression, problems } = parseFlow(text, { as });
  reader.problems.push(...moveProblems(problems, offsets, entryRange));
  if (!expression) return undefined;
  for (const { name, range } of namesOf(expression))
    sourceTopology.references.push({ name, range: offsets?.toRange(range) ?? entryRange });
  return expression;
}

function readList(sourceTopology: SourceTopology, key: string, reader: EntryReader): string[] | undefined {
  const entry = sourceTopology.entries.get(key);
  const names = entry && reader.names(entry);
  for (const { name, node } of names ?? []) {
    const range = rangeOfNode(node, reader.text);
    if (range) sourceTopology.references.push({ name, range });
  }
  return names?.map(({ name }) => name);
}

/** Orbiter's `order: [b, a]` without a flow. */
const toSerial = (order: readonly string[]): Expression | undefined =>
  order.length > 0 ? serialExpression(order.map((name) => nameExpression(name))) : undefined;

/** Orbiter's `order` beside a flow: all of them are members, and the first of the flow starts. */
function withStartFirst(flow: Expression | undefined, order: readonly string[]): string[] | undefined {
  if (!flow || order.length === 0) return undefined;
  const [firstSource = ""] = sourcesOf(flow).toSorted(compareCodePoints);
  return [...new Set([firstSource, ...order])];
}

/** Whether a root swarm lists its members. If not, all agents are its members, in the order of the file. */
export function listsMembers({ entries }: Pick<SourceTopology, "entries">): boolean {
  const isDraft = entries.has("edges") && (readText(entries.get("type")?.value ?? null) ?? "workflow") === "workflow";
  const order = entries.get("order")?.value ?? null;
  return entries.has("flow") || entries.has("agents") || isDraft || (isSeq(order) && order.items.length > 0);
}

function readEdges(sourceTopology: SourceTopology, title: string, reader: EntryReader): [string, string][] | undefined {
  const entry = sourceTopology.entries.get("edges");
  if (!entry || isBlank(entry.value)) return undefined;
  const items = readItems(entry.value, reader.document);
  const pairs = (items ?? []).flatMap((item): [string, string][] => {
    const ends = readItems(item, reader.document)?.map(readText) ?? [];
    const [source, target] = ends;
    if (ends.length === 2 && typeof source === "string" && typeof target === "string")
      return [[source.trim(), target.trim()]];
    reader.report(
      "invalid-value",
      "error",
      `\`edges\` of ${title} must hold pairs such as [a, b].`,
      item ?? entry.keyNode,
    );
    return [];
  });
  if (!items) reader.reportValue(entry, "a list of pairs such as [[a, b]]");
  for (const item of items ?? [])
    for (const end of readItems(item, reader.document) ?? []) {
      const [name, range] = [readText(end)?.trim(), rangeOfNode(end, reader.text)];
      if (name && range) sourceTopology.references.push({ name, range });
    }
  return pairs;
}

/** A text with its variables put in; missing when there is none. */
export function readFilledText(
  sourceTopology: SourceTopology,
  key: string,
  reader: EntryReader,
  isProse: boolean = true,
): string | undefined {
  const entry = sourceTopology.entries.get(key);
  const filled = entry && reader.lookUp(entry, isProse);
  if (!filled) return readTextField(sourceTopology, key, reader);
  return filled.value === undefined ? undefined : String(filled.value);
}

/** A text as it is written; missing when there is none. */
export function readTextField(sourceTopology: SourceTopology, key: string, reader: EntryReader): string | undefined {
  const entry = sourceTopology.entries.get(key);
  if (!entry || isBlank(entry.value)) return undefined;
  const text = readText(entry.value);
  if (text === null) reader.reportValue(entry, "a text");
  return text ?? undefined;
}

/** A number within bounds; missing when there is none. */
export function readNumber(
  sourceTopology: SourceTopology,
  key: string,
  reader: EntryReader,
  { least, most, whole: isInteger = true }: { least: number; most: number; whole?: boolean },
): number | undefined {
  const entry = sourceTopology.entries.get(key);
  if (!entry || isBlank(entry.value)) return undefined;
  const filled = reader.lookUp(entry);
  if (filled && filled.value === undefined) return undefined;
  const value = filled ? filled.value : reader.toJson(entry.value);
  if (typeof value === "number" && value >= least && value <= most && (!isInteger || Number.isInteger(value)))
    return value;
  reader.reportValue(entry, `a ${isInteger ? "whole " : ""}number from ${least} to ${most}`, filled?.value);
  return undefined;
}
