import { keepLayout } from "../../dsl/keep-layout";
import { parseFlow } from "../../dsl/parse";
import { printFlow } from "../../dsl/print";
import { type EditOf, movePins, type Scope } from "../../flow/edit";
import { containsParallel, type Expression, joinExpressions, nameExpression, namesOf } from "../../flow/expression";
import { type Declaration, defaultSeparator } from "../../flow/flow";
import type { TextChange } from "../../flow/text-range";
import { groupKind } from "../../kinds/group";
import { kindOf } from "../../kinds/registry";
import { swarmKind } from "../../kinds/swarm";
import type { SourceDocument } from "../read/source-document";
import {
  findScopeEntry,
  graphOf,
  isWorkflow,
  ownerOf,
  separatorOf,
  type Topology,
  textKind,
  topologyOf,
  toTopology,
} from "../read/topology";
import { fieldsOf } from "../write-source";
import { readItems, readText } from "../yaml/yaml-nodes";
import { addMember, connectMembers, disconnectMembers, findLastMember, rosterAt } from "./edit-roster";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap, EntryEditor } from "./entry-editor";
import { hasImpliedMembers } from "./implied-members";
import { appendTo, insertAt } from "./insert-member";
import { keepComments } from "./keep-comments";
import { findMemberSpan, type MemberSpan } from "./member-span";
import { assertDeclared, assertFreeName, assertNotNested } from "./preconditions";
import { writeLane } from "./set-control-field";
import { declare } from "./write-declaration";
import { newRootSwarm, writeTopology } from "./write-topology";

export function writeScope(transaction: EditTransaction, scope: Scope, topology: Topology): void {
  if (scope.type === "lane") {
    if (topology && "draft" in topology)
      throw new EditRefused(
        "not-series-parallel",
        "This drawing has no flow text, and a lane keeps no drafts. Add the missing link, or leave one out.",
      );
    const written = readText(transaction.document.topologies.get(scope.name)?.texts.get(scope.lane)?.value ?? null);
    const text = topology && keepLayout(written ?? "", printFlow(topology.expression), "flow");
    writeLane(transaction, scope, text ?? undefined);
    return;
  }
  transaction.apply(writeTopology(transaction.document, scope, topology));
}

export function connect(transaction: EditTransaction, edit: EditOf<"connect">): string[] {
  const { scope, from: source, to: target } = edit;
  const roster = rosterAt(transaction, scope);
  if (roster) return connectMembers(transaction, roster, edit);
  const { flow } = transaction.document;
  assertDeclared(flow, [source, target]);
  if (source === target) throw new EditRefused("cycle", `"${source}" cannot be connected to itself.`);
  const graph = graphOf(topologyOf(flow, scope));
  assertNotNested(
    flow,
    scope,
    [source, target].filter((name) => !graph.has(name)),
  );
  if (graph.hasEdge(source, target))
    throw new EditRefused("duplicate-name", `"${source}" is connected to "${target}" already.`);
  if (graph.has(target) && graph.has(source)) {
    if (graph.reachableFrom(target).has(source))
      throw new EditRefused(
        "cycle",
        `"${target}" leads to "${source}" already: the link would make a circle. Remove a link of the way back first.`,
      );
    if (graph.reachableFrom(source).has(target))
      throw new EditRefused(
        "not-series-parallel",
        `"${source}" leads to "${target}" already through other steps, so the link would add nothing.`,
      );
  }
  graph.addEdge(source, target);
  const { topology, dropped } = toTopology(graph);
  if (dropped.length > 0)
    transaction.notice = `${dropped.map(([a, b]) => `${a} → ${b}`).join(", ")} is now implied by a longer path and was removed.`;
  writeScope(transaction, scope, topology);
  return [target];
}

export function disconnect(transaction: EditTransaction, edit: EditOf<"disconnect">): string[] {
  const { scope, from: source, to: target } = edit;
  const roster = rosterAt(transaction, scope);
  if (roster) return disconnectMembers(transaction, roster, edit);
  const graph = graphOf(topologyOf(transaction.document.flow, scope));
  if (!graph.hasEdge(source, target))
    throw new EditRefused("unknown-name", `"${source}" is not connected to "${target}".`);
  graph.removeEdge(source, target);
  // What has no link left waits beside the flow; the last pair stays as it is, or nothing would be left to run.
  const loose = [source, target].filter((name) => graph.inDegree(name) === 0 && graph.successors(name).length === 0);
  if (graph.nodes.length > loose.length) for (const name of loose) graph.removeNode(name);
  writeScope(transaction, scope, toTopology(graph).topology);
  return [];
}

/** Puts members side by side or one after another. */
export function wrap(
  transaction: EditTransaction,
  { type: editType, scope, names }: EditOf<"wrap-parallel" | "wrap-serial">,
): string[] {
  const type = editType === "wrap-parallel" ? "parallel" : "serial";
  const topology = topologyOf(transaction.document.flow, scope);
  const { tree, waiting } = splitSelection(transaction, scope, names);
  if (!tree) {
    if (topology) throw new EditRefused("not-reached", "These are not in the flow yet. Connect one of them first.");
    const members = waiting.map((name) => nameExpression(name));
    writeScope(transaction, scope, { expression: joinExpressions(type, members) });
    return [...names];
  }
  const stretch = findMemberSpan(tree, new Set(names));
  if (typeof stretch === "string") throw new EditRefused("not-series-parallel", stretch);
  if (stretch.type === type && stretch.units.length > 1)
    throw new EditRefused(
      "not-series-parallel",
      type === "parallel" ? "These run at once already." : "These run one after another already.",
    );
  writeScope(transaction, scope, { expression: stretch.replace(joinExpressions(type, stretch.units)) });
  return [...names];
}

/** Moves members into a new named group that takes their place. */
export const extractGroup = (transaction: EditTransaction, edit: EditOf<"extract-group">): string[] =>
  extract(transaction, edit, ({ units }, separator) => {
    const flow = joinExpressions(edit.group, units);
    return { ...groupKind.create(edit.name), mode: edit.group, flow, separator: separatorFor(flow, separator) };
  });

/** Moves members into a new named swarm that takes their place. */
export const extractSwarm = (transaction: EditTransaction, edit: EditOf<"extract-swarm">): string[] =>
  extract(transaction, edit, ({ type, units }, separator) => {
    const flow = joinExpressions(type, units);
    return { ...swarmKind.create(edit.name), flow, separator: separatorFor(flow, separator) };
  });

const separatorFor = (flow: Expression, separator: string): string =>
  containsParallel(flow) ? separator : defaultSeparator;

function extract(
  transaction: EditTransaction,
  { scope, names, name }: EditOf<"extract-group" | "extract-swarm">,
  toContainer: (span: Pick<MemberSpan, "type" | "units">, separator: string) => Declaration,
): string[] {
  assertFreeName(transaction, name);
  const separator = separatorOf(transaction.document.flow, scope);
  const { tree, waiting } = splitSelection(transaction, scope, names);
  const span = tree
    ? findMemberSpan(tree, new Set(names))
    : { type: "serial" as const, units: waiting.map((member) => nameExpression(member)), replace: null };
  if (typeof span === "string") throw new EditRefused("not-series-parallel", span);
  const container = toContainer(span, separator);
  if (span.replace) writeScope(transaction, scope, { expression: span.replace(nameExpression(name)) });
  transaction.layout = movePins(transaction.layout, (key) => putBetween(key, ownerOf(scope), name, new Set(names)));
  transaction.apply(declare(transaction.document, kindOf(container).section, name, fieldsOf(container)));
  return [name];
}

/** The names of a key, with `name` inserted between the scope and the member that moved into it. */
export function putBetween(
  key: readonly string[],
  owner: string | null,
  name: string,
  members: ReadonlySet<string>,
): readonly string[] {
  const memberIndex = key.findIndex((member, index) => members.has(member) && (key[index - 1] ?? null) === owner);
  return memberIndex < 0 ? key : key.toSpliced(memberIndex, 0, name);
}

/** Either every selected name is in the scope's tree, or none is. */
export function splitSelection(transaction: EditTransaction, scope: Scope, names: readonly string[]) {
  const { flow } = transaction.document;
  const topology = topologyOf(flow, scope);
  if (topology && "draft" in topology)
    throw new EditRefused(
      "not-series-parallel",
      "This drawing waits as a draft. Mend it first; its problem describes how.",
    );
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

/** Adds a new name to a scope: after `after` or all others, or as the only member of an empty one; else it stays outside the flow. */
export function joinScope(
  transaction: EditTransaction,
  {
    scope,
    name,
    after,
    atEnd = false,
  }: Pick<EditOf<"add-agent" | "add-control">, "scope" | "name" | "after" | "atEnd">,
): void {
  const { flow } = transaction.document;
  if (!isWorkflow(flow, scope)) {
    addMember(transaction, scope, name, after ?? (atEnd ? findLastMember(transaction, scope) : undefined));
    return;
  }
  const isImplied = scope.type === "root" && hasImpliedMembers(transaction.document);
  const before = isImplied ? null : topologyOf(flow, scope);
  if (!before) writeScope(transaction, scope, { expression: nameExpression(name) });
  else if (after !== undefined)
    writeScope(transaction, scope, insertAt(before, name, { member: after, side: "after" }));
  else if (atEnd) writeScope(transaction, scope, appendTo(before, name));
}

export function setFlowText(
  transaction: EditTransaction,
  { scope, text: newText }: EditOf<"set-flow-text">,
): undefined {
  const { document, editor } = transaction;
  const sourceTopology = document.topologies.get(ownerOf(scope));
  const written = sourceTopology?.texts.get(scope.type === "lane" ? scope.lane : "flow");
  const text = keepLayout(readText(written?.value ?? null) ?? "", newText, textKind(document.flow, scope));
  if (scope.type === "lane") {
    writeLane(transaction, scope, text.trim() === "" ? undefined : text);
    return;
  }
  const entry = ["flow", "edges", "order"].flatMap((key) => sourceTopology?.entries.get(key) ?? [])[0];
  const map = asMap(sourceTopology?.node ?? null);
  const scopeEntry = findScopeEntry(document, scope);
  if (entry && map) {
    const isText = entry.key === "flow";
    const change = editor.set(entry, text, map.flow === true, isText ? undefined : "flow");
    const changes = [change, ...removeStaleOrder(document, scope, text)];
    transaction.apply(isText ? changes : keepComments(editor, changes, entry, [entry]));
  } else if (map) transaction.apply([editor.add(map, "flow", text)]);
  else if (sourceTopology === undefined && scope.type === "root")
    transaction.apply([newRootSwarm(document, [["flow", text]])]);
  else if (scopeEntry) transaction.apply([editor.set(scopeEntry, { flow: text }, false)]);
}

/** Orbiter refuses a flow with a name that its `order` leaves out. */
function removeStaleOrder(
  { text: source, topologies, yaml }: SourceDocument,
  scope: Scope,
  text: string,
): TextChange[] {
  const sourceTopology = topologies.get(ownerOf(scope));
  const order = sourceTopology?.entries.get("order");
  const map = asMap(sourceTopology?.node ?? null);
  const { expression } = parseFlow(text);
  if (!order || !map || !sourceTopology?.entries.has("flow") || !expression) return [];
  const listed = new Set((readItems(order.value, yaml) ?? []).map((item) => readText(item)?.trim()));
  const isStale = namesOf(expression).some(({ name }) => !listed.has(name));
  return isStale ? [new EntryEditor(source).remove(map, order)] : [];
}
