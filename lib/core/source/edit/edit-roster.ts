import { printFlow } from "../../dsl/print";
import { toGraph } from "../../dsl/series-parallel";
import type { EditOf, Scope } from "../../flow/edit";
import { nameExpression, namesOf, serialExpression } from "../../flow/expression";
import type { Json } from "../../flow/flow";
import { isGroup } from "../../kinds/members";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { containerOf, findScopeEntry, ownerOf, topologyOf } from "../read/topology";
import type { Slot } from "../yaml/render-yaml";
import { isBlank, readItems, readText } from "../yaml/yaml-nodes";
import { changeList, toTargetList } from "./change-list";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap } from "./entry-editor";
import { hasImpliedMembers } from "./implied-members";
import { keepComments } from "./keep-comments";
import { assertDeclared, assertNotNested } from "./preconditions";
import { writeTopology } from "./write-topology";

/** The handoff, team or orchestrate swarm of a scope; null for anything else. */
export function rosterAt(transaction: EditTransaction, scope: Scope): Swarm | null {
  const swarm = swarmAt(transaction, scope);
  return swarm && swarm.mode !== "workflow" ? swarm : null;
}

function swarmAt({ document }: EditTransaction, scope: Scope): Swarm | null {
  const container = containerOf(document.flow, scope);
  return container && !isGroup(container) ? container : null;
}

/** A handoff that is drawn; in the other modes members are linked to their lead already. */
export function connectMembers(
  transaction: EditTransaction,
  swarm: Swarm,
  { scope, from: source, to: target }: EditOf<"connect">,
): string[] {
  assertDeclared(transaction.document.flow, [source, target]);
  if (source === target) throw new EditRefused("cycle", `"${source}" cannot be linked to itself.`);
  const members = membersIn(swarm);
  const missing = [source, target].filter((name) => !members.includes(name));
  assertNotNested(transaction.document.flow, scope, missing);
  if (swarm.mode !== "handoff") {
    if (missing.length === 0)
      throw new EditRefused(
        "duplicate-name",
        `"${members[0]}" leads and works with every member here: there is no link to draw.`,
      );
    writeRoster(transaction, scope, { agents: [...members, ...missing] });
    return missing;
  }
  const edges = swarm.edges ?? [];
  if (edges.some(([a, b]) => a === source && b === target))
    throw new EditRefused("duplicate-name", `"${source}" may hand over to "${target}" already.`);
  writeRoster(transaction, scope, { agents: [...members, ...missing], edges: [...edges, [source, target]] });
  return [target];
}

export function disconnectMembers(
  transaction: EditTransaction,
  swarm: Swarm,
  { scope, from: source, to: target }: EditOf<"disconnect">,
): string[] {
  const edges = swarm.edges ?? [];
  if (swarm.mode !== "handoff")
    throw new EditRefused(
      "unsupported",
      `"${source}" leads every member here. Delete "${target}" to take it out of the swarm.`,
    );
  const remainingEdges = edges.filter(([a, b]) => a !== source || b !== target);
  if (remainingEdges.length === edges.length)
    throw new EditRefused("unknown-name", `"${source}" may not hand over to "${target}".`);
  writeRoster(transaction, scope, { edges: remainingEdges });
  return [];
}

/** Adds a member; in a handoff swarm, `after` may hand over to it. */
export function addMember(transaction: EditTransaction, scope: Scope, name: string, after: string | undefined): void {
  const swarm = rosterAt(transaction, scope);
  if (!swarm) return;
  const source = swarm.mode === "handoff" ? after : undefined;
  writeRoster(transaction, scope, {
    agents: [...new Set([...membersIn(swarm), ...(source === undefined ? [] : [source]), name])],
    ...(source !== undefined && { edges: [...(swarm.edges ?? []), [source, name]] }),
  });
}

/** The member that may hand over to a new one: the only one that hands over to no other, otherwise the first. */
export function findLastMember(transaction: EditTransaction, scope: Scope): string | undefined {
  const swarm = rosterAt(transaction, scope);
  if (!swarm?.edges) return undefined;
  const members = membersIn(swarm);
  const sources = new Set(swarm.edges.map(([source]) => source));
  const lastMembers = members.filter((name) => !sources.has(name));
  return lastMembers.length === 1 ? lastMembers[0] : members[0];
}

/** Several new members at once; in a handoff swarm with the links that `link` makes of the old ones. */
export function addMembers(
  transaction: EditTransaction,
  scope: Scope,
  names: readonly string[],
  link: (edges: NonNullable<Swarm["edges"]>) => NonNullable<Swarm["edges"]>,
): void {
  const swarm = rosterAt(transaction, scope);
  if (!swarm) return;
  const edges = link(swarm.edges ?? []);
  const isLinked = swarm.mode === "handoff" && (swarm.edges !== undefined || edges.length > 0);
  writeRoster(transaction, scope, {
    agents: [...new Set([...membersIn(swarm), ...names])],
    ...(isLinked && { edges }),
  });
}

/** Takes names out of an `order` that is written beside a flow. */
export function removeFromOrder(transaction: EditTransaction, scope: Scope, removedNames: ReadonlySet<string>): void {
  const { topologies, yaml } = transaction.document;
  const { entries } = topologies.get(ownerOf(scope)) ?? {};
  if (!entries?.has("flow") || !entries.has("order")) return;
  const names = (readItems(entries.get("order")?.value, yaml) ?? []).flatMap((item) => readText(item)?.trim() ?? []);
  const remainingNames = names.filter((name) => !removedNames.has(name));
  if (remainingNames.length < names.length)
    setSwarmField(transaction, scope, "order", remainingNames.length > 0 ? remainingNames : undefined);
}

/** `isImplied`: who the members are goes with the declarations. */
export function removeMembers(
  transaction: EditTransaction,
  scope: Scope,
  removedNames: ReadonlySet<string>,
  isImplied: boolean = false,
): void {
  const swarm = rosterAt(transaction, scope);
  if (!swarm) return;
  const members = rosterOf(swarm);
  const agents = members.filter((name) => !removedNames.has(name));
  const inText = swarm.flow !== undefined && namesOf(swarm.flow).some(({ name }) => removedNames.has(name));
  const edges = swarm.edges && withoutMembers(swarm.edges, removedNames);
  writeRoster(transaction, scope, {
    ...(!isImplied && (inText || agents.length < members.length) && { agents }),
    ...(edges && swarm.edges?.flat().some((name) => removedNames.has(name)) && { edges }),
  });
}

/** The handoffs without some members: who handed over to one of them then hands over to its targets. */
function withoutMembers(edges: NonNullable<Swarm["edges"]>, removedNames: ReadonlySet<string>) {
  let remaining = edges;
  for (const removed of removedNames) {
    const sources = remaining.flatMap(([source, target]) => (target === removed && source !== removed ? [source] : []));
    const targets = remaining.flatMap(([source, target]) => (source === removed && target !== removed ? [target] : []));
    const others = remaining.filter((ends) => !ends.includes(removed));
    const isThere = ([a, b]: readonly string[]): boolean => others.some(([from, to]) => from === a && to === b);
    const links = sources.flatMap((source) => targets.map((target): [string, string] => [source, target]));
    remaining = [...others, ...links.filter((link) => link[0] !== link[1] && !isThere(link))];
  }
  return remaining;
}

/** Changes what kind of swarm it is, keeping its members: a workflow's order becomes a list, and the list an order. */
export function setSwarmType(
  transaction: EditTransaction,
  { scope, swarm: type }: EditOf<"set-swarm-type">,
): undefined {
  const swarm = assertSwarm(transaction, scope);
  if (swarm.mode === type) return;
  const members = membersIn(swarm);
  setSwarmField(transaction, scope, "type", type);
  if (type === "workflow") {
    const order = members.map((name) => nameExpression(name));
    writeMembers(transaction, scope, "flow", order.length > 0 ? printFlow(serialExpression(order)) : undefined);
  } else if (swarm.mode === "workflow") {
    const edges = swarm.flow ? toGraph(swarm.flow).edges : (swarm.edges ?? []);
    writeRoster(transaction, scope, { agents: members, ...(type === "handoff" && edges.length > 0 && { edges }) });
  }
  if (type !== "handoff") setSwarmField(transaction, scope, "edges", undefined);
}

/** The members of a swarm in the order of its list; a workflow's in the order of its text or drawing. */
function membersIn(swarm: Swarm): string[] {
  const linked = swarm.edges?.flat() ?? [];
  if (swarm.mode !== "workflow") return swarm.agents || swarm.flow ? rosterOf(swarm) : [...new Set(linked)];
  const written = swarm.flow ? namesOf(swarm.flow).map(({ name }) => name) : linked;
  return [...new Set([...written, ...(swarm.agents ?? [])])];
}

function assertSwarm(transaction: EditTransaction, scope: Scope): Swarm {
  const swarm = swarmAt(transaction, scope);
  if (swarm) return swarm;
  const subject = scope.type === "root" ? "The flow" : `"${scope.name}"`;
  throw new EditRefused("unsupported", `${subject} is a ${scope.type}, not a swarm: it has no such field.`);
}

function writeRoster(transaction: EditTransaction, scope: Scope, { agents, edges }: Pick<Swarm, "agents" | "edges">) {
  if (agents) writeMembers(transaction, scope, "agents", agents);
  if (edges) setSwarmField(transaction, scope, "edges", edges);
}

/** Writes the members under `key`, in place of the field that listed them; the other member fields are removed. */
function writeMembers(
  transaction: EditTransaction,
  scope: Scope,
  key: "agents" | "flow",
  value: Json | undefined,
): void {
  const { document } = transaction;
  const topology = document.topologies.get(ownerOf(scope));
  const map = asMap(topology?.node ?? null);
  const oldEntries = ["agents", "flow", "order"].flatMap((memberKey) =>
    memberKey === key ? [] : (topology?.entries.get(memberKey) ?? []),
  );
  const [entryToReplace] = oldEntries;
  const entry = topology?.entries.get(key);
  if (map && entry && typeof value === "string") {
    const { editor } = transaction;
    transaction.apply(keepComments(editor, editor.change(map, { key, entry, value }), entry, [entry]));
  } else if (map && entryToReplace && value !== undefined && !entry) {
    const { editor } = transaction;
    const change = editor.set(entryToReplace, value, map.flow === true, key);
    transaction.apply(keepComments(editor, [change], entryToReplace, [entryToReplace]));
  } else setSwarmField(transaction, scope, key, value);
  for (const { key: oldKey } of oldEntries) setSwarmField(transaction, scope, oldKey, undefined);
}

/** Sets one field of a swarm; undefined takes it out. A list keeps the lines of the items that stay. */
export function setSwarmField(
  transaction: EditTransaction,
  scope: Scope,
  key: string,
  value: Json | undefined,
): undefined {
  assertSwarm(transaction, scope);
  setScopeField(transaction, scope, { key, value });
}

/** Sets what joins the answers of members in parentheses, in a swarm or a group. */
export function setSeparator(transaction: EditTransaction, { scope, separator }: EditOf<"set-separator">): undefined {
  if (!containerOf(transaction.document.flow, scope)) return;
  setScopeField(transaction, scope, { key: "separator", value: separator, style: { style: "QUOTE_DOUBLE" } });
}

function setScopeField(
  transaction: EditTransaction,
  scope: Scope,
  { key, value, style }: { key: string; value: Json | undefined; style?: Partial<Slot> },
): void {
  // A file without `swarm:` has no place for the field: the implied swarm is written first.
  if (value !== undefined && scope.type === "root" && !transaction.document.sections.has("swarm"))
    transaction.apply(writeTopology(transaction.document, scope, topologyOf(transaction.document.flow, scope)));
  const { document, editor } = transaction;
  const topology = document.topologies.get(ownerOf(scope));
  const map = asMap(topology?.node ?? null);
  const entry = topology?.entries.get(key);
  if (!map) {
    if (value === undefined) return;
    const holder = findScopeEntry(document, scope);
    if (!holder || !isBlank(holder.value))
      throw new EditRefused(
        "unsupported",
        `This ${scope.type === "group" ? "group" : "swarm"} is no mapping. Write its type and members in the text first.`,
      );
    transaction.apply([editor.set(holder, { [key]: value }, scope.type !== "root")]);
  } else if (entry && isList(value))
    transaction.apply(changeList(editor, entry, toTargetList(transaction.document, value), map.flow === true));
  else transaction.apply(editor.change(map, { key, entry, value }, style));
}

const root: Scope = { type: "root" };

/** Writes the members that the file implies, so that an agent that is declared next does not become one of them. */
export function writeImpliedMembers(transaction: EditTransaction): void {
  const { document } = transaction;
  const { agents, swarm } = document.flow;
  if (agents.size === 0 || !hasImpliedMembers(document)) return;
  if (swarm.mode !== "workflow") setSwarmField(transaction, root, "agents", rosterOf(swarm));
  else transaction.apply(writeTopology(document, root, topologyOf(document.flow, root)));
}

/** Keeps new agents outside of the flow when no edit made them members and the file would imply that they are. */
export function keepWaiting(transaction: EditTransaction): void {
  const { document } = transaction;
  if (document.flow.agents.size > 0 && hasImpliedMembers(document))
    transaction.apply(writeTopology(document, root, null));
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
