import { isScalar, type Node } from "yaml";
import { parseFlow } from "../dsl/parse";
import { type Expression, nameExpression, namesOf, parallelExpression, serialExpression } from "../flow/expression";
import { defaultSeparator, type Group, groupTypes, type Swarm, swarmTypes } from "../flow/flow";
import type { Range } from "../flow/text";
import type { Reading } from "./read-values";
import { moveProblems, scalarOffsets } from "./scalar-offsets";
import { type Entry, isBlank, rangeOfNode, readItems, readText } from "./yaml-view";

/** Where a swarm or group says who its members are. */
export interface TopologySite {
  /** The value of the swarm or group: a mapping, or null while there is none. */
  node: Node | null;
  entries: ReadonlyMap<string, Entry>;
  /** Every member's name where it stands in the file, in order. */
  references: { name: string; range: Range }[];
}

const swarmKeys = ["type", "flow", "agents", "edges", "max_handoffs", "separator", "order"];
const groupKeys = ["type", "flow", "agents", "separator"];

interface Part {
  name: string;
  title: string;
  entry: Entry;
  reading: Reading;
}

export function readGroup(part: Part): { group: Group; site: TopologySite } {
  const { name, title, entry, reading } = part;
  const site = toSite(part, groupKeys);
  const type = readChoice(site, "type", groupTypes, "parallel", title, reading);
  const flow = readMembers(site, type === "parallel" ? "group-parallel" : "group-serial", reading);
  const names = readList(site, "agents", reading);
  const join = type === "parallel" ? parallelExpression : serialExpression;
  const fromList = names && names.length > 0 ? join(names.map((member) => nameExpression(member))) : undefined;
  const found = flow ?? fromList;
  if (!found && !site.entries.has("flow"))
    reading.report("no-members", "error", `${title} has no members. Write e.g. flow: "a | b".`, entry.keyNode);
  return { group: { name, type, separator: readSeparator(site, reading), ...(found ? { flow: found } : {}) }, site };
}

export function readSwarm(part: Part): { swarm: Swarm; site: TopologySite } {
  const { name, title, entry, reading } = part;
  const site = toSite(part, swarmKeys);
  const type = readChoice(site, "type", swarmTypes, "workflow", title, reading);
  const flow = readMembers(site, "flow", reading) ?? readOrder(site, reading);
  const agents = readList(site, "agents", reading);
  const edges = readEdges(site, title, reading);
  const maxHandoffs = readMaxHandoffs(site, reading);
  if (!flow && !agents && !edges && !site.entries.has("flow"))
    reading.report("empty-flow", "error", `${title} has no flow yet. Write e.g. flow: a >> b.`, entry.keyNode);
  const swarm: Swarm = {
    name,
    type,
    separator: readSeparator(site, reading),
    ...(flow && !edges ? { flow } : {}),
    ...(agents ? { agents } : {}),
    ...(edges ? { edges } : {}),
    ...(maxHandoffs === undefined ? {} : { max_handoffs: maxHandoffs }),
  };
  return { swarm, site };
}

function toSite({ title, entry, reading }: Part, known: readonly string[]): TopologySite {
  const entries = reading.mapping(entry, "a mapping");
  for (const one of entries) if (!known.includes(one.key)) reading.unknownKey(one, known, title);
  return { node: entry.value, entries: new Map(entries.map((one) => [one.key, one])), references: [] };
}

function readChoice<T extends string>(
  site: TopologySite,
  key: string,
  choices: readonly T[],
  otherwise: T,
  title: string,
  reading: Reading,
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

function readMembers(
  site: TopologySite,
  as: "flow" | "group-parallel" | "group-serial",
  reading: Reading,
): Expression | undefined {
  const entry = site.entries.get("flow");
  if (!entry) return undefined;
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

function readList(site: TopologySite, key: string, reading: Reading): string[] | undefined {
  const entry = site.entries.get(key);
  const found = entry && reading.names(entry);
  for (const { name, node } of found ?? []) {
    const range = rangeOfNode(node, reading.text);
    if (range) site.references.push({ name, range });
  }
  return found?.map(({ name }) => name);
}

/** Orbiter's `order: [b, a]`: a serial. */
function readOrder(site: TopologySite, reading: Reading): Expression | undefined {
  const names = site.entries.has("flow") ? undefined : readList(site, "order", reading);
  return names && names.length > 0 ? serialExpression(names.map((name) => nameExpression(name))) : undefined;
}

function readEdges(site: TopologySite, title: string, reading: Reading): [string, string][] | undefined {
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

function readSeparator(site: TopologySite, reading: Reading): string {
  const entry = site.entries.get("separator");
  if (!entry || isBlank(entry.value)) return defaultSeparator;
  const text = readText(entry.value);
  if (text === null) reading.reportValue(entry, "a text");
  return text ?? defaultSeparator;
}

function readMaxHandoffs(site: TopologySite, reading: Reading): number | undefined {
  const entry = site.entries.get("max_handoffs");
  if (!entry || isBlank(entry.value)) return undefined;
  const value = reading.toJson(entry.value);
  if (typeof value === "number" && Number.isInteger(value) && value >= 0) return value;
  reading.reportValue(entry, "a whole number from 0 up");
  return undefined;
}
