import { isMap } from "yaml";
import { parseFlow } from "../../dsl/parse";
import { printFlow } from "../../dsl/print";
import { type Edit, movePins, type Scope } from "../../flow/edit";
import {
  holdsParallel,
  mapNames,
  nameExpression,
  namesOf,
  parallelExpression,
  serialExpression,
} from "../../flow/expression";
import { defaultSeparator } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import type { SourceDocument } from "../read/source-document";
import {
  containerOf,
  graphOf,
  hasImpliedMembers,
  isWorkflow,
  ownerOf,
  separatorOf,
  type Topology,
  topologyOf,
  toTopology,
} from "../read/topology";
import { renderValue } from "../yaml/render-yaml";
import { readItems, readText } from "../yaml/yaml-nodes";
import { addMember, connectMembers, disconnectMembers, rosterAt } from "./edit-roster";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap, EntryEditor } from "./entry-editor";
import { findMemberSpan } from "./member-span";
import { assertDeclared, assertFreeName, assertNotNested } from "./preconditions";
import { writeLane } from "./set-control-field";
import { declare } from "./write-declaration";
import { writeTopology } from "./write-topology";

export function writeScope(changing: EditTransaction, scope: Scope, topology: Topology): void {
  if (scope.type === "lane") {
    if (topology && "draft" in topology)
      throw new EditRefused(
        "not-series-parallel",
        "No text can say this drawing, and a lane keeps no drafts. Add the missing link, or leave one out.",
      );
    writeLane(changing, scope, topology ? printFlow(topology.expression) : undefined);
    return;
  }
  changing.apply(writeTopology(changing.document, scope, topology));
}

export function connect(changing: EditTransaction, { scope, from, to }: Extract<Edit, { type: "connect" }>): string[] {
  const roster = rosterAt(changing, scope);
  if (roster) return connectMembers(changing, roster, { scope, from, to });
  const { flow } = changing.document;
  assertDeclared(flow, [from, to]);
  if (from === to) throw new EditRefused("cycle", `"${from}" cannot be connected to itself.`);
  const graph = graphOf(topologyOf(flow, scope));
  assertNotNested(
    flow,
    scope,
    [from, to].filter((name) => !graph.has(name)),
  );
  if (graph.hasEdge(from, to)) throw new EditRefused("duplicate-name", `"${from}" is connected to "${to}" already.`);
  if (graph.has(to) && graph.has(from)) {
    if (graph.reachableFrom(to).has(from))
      throw new EditRefused(
        "cycle",
        `"${to}" leads to "${from}" already: the link would make a circle. Remove a link of the way back first.`,
      );
    if (graph.reachableFrom(from).has(to))
      throw new EditRefused(
        "not-series-parallel",
        `"${from}" leads to "${to}" already through other steps, so the link would say nothing new.`,
      );
  }
  graph.addEdge(from, to);
  const { topology, dropped } = toTopology(graph);
  if (dropped.length > 0)
    changing.notice = `${dropped.map(([a, b]) => `${a} → ${b}`).join(", ")} is now said by the longer way and was taken out.`;
  writeScope(changing, scope, topology);
  return [to];
}

export function disconnect(
  changing: EditTransaction,
  { scope, from, to }: Extract<Edit, { type: "disconnect" }>,
): string[] {
  const roster = rosterAt(changing, scope);
  if (roster) return disconnectMembers(changing, roster, { scope, from, to });
  const graph = graphOf(topologyOf(changing.document.flow, scope));
  if (!graph.hasEdge(from, to)) throw new EditRefused("unknown-name", `"${from}" is not connected to "${to}".`);
  graph.removeEdge(from, to);
  // What has no link left waits beside the flow; the last pair stays as it is, or nothing would be left to run.
  const loose = [from, to].filter((name) => graph.inDegree(name) === 0 && graph.successors(name).length === 0);
  if (graph.nodes.length > loose.length) for (const name of loose) graph.removeNode(name);
  writeScope(changing, scope, toTopology(graph).topology);
  return [];
}

/** Puts members side by side or one after another. */
export function wrap(
  changing: EditTransaction,
  scope: Scope,
  names: readonly string[],
  type: "parallel" | "serial",
): string[] {
  const topology = topologyOf(changing.document.flow, scope);
  const join = type === "parallel" ? parallelExpression : serialExpression;
  const { tree, waiting } = splitSelection(changing, scope, names);
  if (!tree) {
    if (topology) throw new EditRefused("not-reached", "These are not in the flow yet. Connect one of them first.");
    writeScope(changing, scope, { expression: join(waiting.map((name) => nameExpression(name))) });
    return [...names];
  }
  const stretch = findMemberSpan(tree, new Set(names));
  if (typeof stretch === "string") throw new EditRefused("not-series-parallel", stretch);
  const same = stretch.type === type && stretch.units.length > 1;
  if (same)
    throw new EditRefused(
      "not-series-parallel",
      type === "parallel" ? "These run at once already." : "These run one after another already.",
    );
  writeScope(changing, scope, { expression: stretch.replace(join(stretch.units)) });
  return [...names];
}

/** Moves members into a new named group or swarm that takes their place. */
export function extract(
  changing: EditTransaction,
  scope: Scope,
  names: readonly string[],
  name: string,
  kind: "parallel" | "serial" | "swarm",
): string[] {
  assertFreeName(changing, name);
  const separator = separatorOf(changing.document.flow, scope);
  const { tree, waiting } = splitSelection(changing, scope, names);
  const stretch = tree
    ? findMemberSpan(tree, new Set(names))
    : { type: "serial" as const, units: waiting.map((one) => nameExpression(one)), replace: null };
  if (typeof stretch === "string") throw new EditRefused("not-series-parallel", stretch);
  const type = kind === "swarm" ? stretch.type : kind;
  const inner = type === "parallel" ? parallelExpression(stretch.units) : serialExpression(stretch.units);
  if (stretch.replace) writeScope(changing, scope, { expression: stretch.replace(nameExpression(name)) });
  const flow = printFlow(inner, {
    as: kind === "swarm" ? "flow" : kind === "parallel" ? "group-parallel" : "group-serial",
  });
  const fields: [string, string][] = [
    ["type", kind === "swarm" ? "workflow" : kind],
    ["flow", flow],
  ];
  if (separator !== defaultSeparator && holdsParallel(inner)) fields.push(["separator", separator]);
  changing.layout = movePins(changing.layout, (key) => putBetween(key, ownerOf(scope), name, new Set(names)));
  changing.apply([declare(changing.document, kind === "swarm" ? "swarms" : "groups", name, fields)]);
  return [name];
}

/** The names of a key in which `name` stands between the place and its member, where `members` moved into it. */
function putBetween(
  key: readonly string[],
  owner: string | null,
  name: string,
  members: ReadonlySet<string>,
): readonly string[] {
  const at = key.findIndex((one, index) => members.has(one) && (key[index - 1] ?? null) === owner);
  return at < 0 ? key : key.toSpliced(at, 0, name);
}

/** Either every selected name stands in the scope's tree, or none does. */
function splitSelection(changing: EditTransaction, scope: Scope, names: readonly string[]) {
  const { flow } = changing.document;
  const topology = topologyOf(flow, scope);
  if (topology && "draft" in topology)
    throw new EditRefused("not-series-parallel", "This drawing waits as a draft. Mend it first; its problem says how.");
  assertDeclared(flow, names);
  const members = new Set(topology ? namesOf(topology.expression).map(({ name }) => name) : []);
  const waiting = [...new Set(names)].filter((name) => !members.has(name));
  assertNotNested(flow, scope, waiting);
  if (waiting.length > 0 && names.some((name) => members.has(name)))
    throw new EditRefused(
      "not-reached",
      `"${waiting[0]}" is not in this part of the flow, the others are. Connect it first.`,
    );
  return { tree: waiting.length === 0 && topology ? topology.expression : null, waiting };
}

/** Puts a new name into a scope: behind `after`, as the whole of an empty one; else it waits beside the flow. */
export function joinScope(changing: EditTransaction, scope: Scope, name: string, after: string | undefined): void {
  const { flow } = changing.document;
  if (!isWorkflow(flow, scope)) {
    addMember(changing, scope, name, after);
    return;
  }
  const isImplied = scope.type === "root" && hasImpliedMembers(changing.document);
  const before = isImplied ? null : topologyOf(flow, scope);
  if (!before) writeScope(changing, scope, { expression: nameExpression(name) });
  else if (after !== undefined) writeScope(changing, scope, joinAfter(before, after, name));
}

function joinAfter(topology: Topology, after: string, name: string): Topology {
  if (topology && "expression" in topology && namesOf(topology.expression).some((one) => one.name === after))
    return {
      expression: mapNames(topology.expression, (one) =>
        one === after ? serialExpression([nameExpression(one), nameExpression(name)]) : nameExpression(one),
      ),
    };
  const graph = graphOf(topology);
  for (const next of graph.has(after) ? graph.successors(after) : []) {
    graph.removeEdge(after, next);
    graph.addEdge(name, next);
  }
  graph.addEdge(after, name);
  return toTopology(graph).topology;
}

export function setFlowText(changing: EditTransaction, scope: Scope, text: string): undefined {
  if (scope.type === "lane") {
    writeLane(changing, scope, text.trim() === "" ? undefined : text);
    return;
  }
  const { document } = changing;
  const site = document.topologies.get(ownerOf(scope));
  const editor = new EntryEditor(document.text);
  const entry = site?.entries.get("flow") ?? site?.entries.get("edges") ?? site?.entries.get("order");
  const map = asMap(site?.node ?? null);
  if (entry && map)
    changing.apply([
      editor.set(entry, text, map.flow === true, entry.key === "flow" ? undefined : "flow"),
      ...removeStaleOrder(document, scope, text),
    ]);
  else if (map) changing.apply([editor.add(map, "flow", text)]);
  else if (site === undefined && scope.type === "root") {
    const start = document.text === "" || document.text.endsWith("\n") ? "" : editor.eol;
    const value = renderValue(text, { inFlow: false, indent: 2, eol: editor.eol });
    const at = document.text.length;
    changing.apply([
      {
        from: at,
        to: at,
        insert: `${start}swarm:${editor.eol}  type: workflow${editor.eol}  flow: ${value}${editor.eol}`,
      },
    ]);
  } else {
    const section =
      scope.type === "root" ? document.sections.get("swarm") : document.declarations.get(scope.name)?.entry;
    if (section) changing.apply([editor.set(section, { flow: text }, false)]);
  }
}

/** Orbiter refuses a flow with a name that its `order` leaves out. */
function removeStaleOrder(
  { text: source, topologies, yaml }: SourceDocument,
  scope: Scope,
  text: string,
): TextChange[] {
  const site = topologies.get(ownerOf(scope));
  const order = site?.entries.get("order");
  const map = asMap(site?.node ?? null);
  const { expression } = parseFlow(text);
  if (!order || !map || !site?.entries.has("flow") || !expression) return [];
  const listed = new Set((readItems(order.value, yaml) ?? []).map((item) => readText(item)?.trim()));
  const isStale = namesOf(expression).some(({ name }) => !listed.has(name));
  return isStale ? [new EntryEditor(source).remove(map, order)] : [];
}

export function setSeparator(changing: EditTransaction, scope: Scope, separator: string): undefined {
  // A file without `swarm:` has nowhere to say it: what it implies is written first.
  if (scope.type === "root" && !changing.document.sections.has("swarm"))
    writeScope(changing, scope, topologyOf(changing.document.flow, scope));
  const site = changing.document.topologies.get(ownerOf(scope));
  if (!site || !containerOf(changing.document.flow, scope) || !isMap(site.node)) return;
  const editor = new EntryEditor(changing.document.text);
  const entry = site.entries.get("separator");
  const flow = site.node.flow === true;
  changing.apply([
    entry
      ? editor.set(entry, separator, flow)
      : editor.add(site.node, "separator", separator, { style: "QUOTE_DOUBLE" }),
  ]);
}
