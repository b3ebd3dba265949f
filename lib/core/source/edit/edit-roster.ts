import { isSeq } from "yaml";
import { printFlow } from "../../dsl/print";
import { toGraph } from "../../dsl/series-parallel";
import type { Scope } from "../../flow/edit";
import { nameExpression, namesOf, serialExpression } from "../../flow/expression";
import type { Json } from "../../flow/flow";
import { isGroup } from "../../kinds/members";
import type { Swarm } from "../../kinds/swarm";
import { rosterOf } from "../../kinds/swarm-roster";
import { containerOf, ownerOf, topologyOf } from "../read/topology";
import { isBlank, readItems, readText, resolve } from "../yaml/yaml-nodes";
import { changeList, type TargetList } from "./change-list";
import { EditRefused, type EditTransaction } from "./edit-transaction";
import { asMap, EntryEditor } from "./entry-editor";
import { assertDeclared, assertNotNested } from "./preconditions";
import { writeTopology } from "./write-topology";

/** The handoff, team or orchestrate swarm of a scope; null for anything else. */
export function rosterAt(changing: EditTransaction, scope: Scope): Swarm | null {
  const swarm = swarmAt(changing, scope);
  return swarm && swarm.mode !== "workflow" ? swarm : null;
}

function swarmAt({ document }: EditTransaction, scope: Scope): Swarm | null {
  const part = containerOf(document.flow, scope);
  return part && !isGroup(part) ? part : null;
}

/** A handoff that is drawn; in the other modes members are linked to their lead already. */
export function connectMembers(changing: EditTransaction, swarm: Swarm, { scope, from, to }: RosterLink): string[] {
  assertDeclared(changing.document.flow, [from, to]);
  if (from === to) throw new EditRefused("cycle", `"${from}" cannot be linked to itself.`);
  const members = membersIn(swarm);
  const missing = [from, to].filter((name) => !members.includes(name));
  assertNotNested(changing.document.flow, scope, missing);
  if (swarm.mode !== "handoff") {
    if (missing.length === 0)
      throw new EditRefused(
        "duplicate-name",
        `"${members[0]}" leads and works with everybody here: there is no link to draw.`,
      );
    writeRoster(changing, scope, { agents: [...members, ...missing] });
    return missing;
  }
  const edges = swarm.edges ?? [];
  if (edges.some(([a, b]) => a === from && b === to))
    throw new EditRefused("duplicate-name", `"${from}" may hand over to "${to}" already.`);
  writeRoster(changing, scope, { agents: [...members, ...missing], edges: [...edges, [from, to]] });
  return [to];
}

export function disconnectMembers(changing: EditTransaction, swarm: Swarm, { scope, from, to }: RosterLink): string[] {
  const edges = swarm.edges ?? [];
  if (swarm.mode !== "handoff")
    throw new EditRefused("unsupported", `"${from}" leads everybody here. Delete "${to}" to take it out of the swarm.`);
  const left = edges.filter(([a, b]) => a !== from || b !== to);
  if (left.length === edges.length) throw new EditRefused("unknown-name", `"${from}" may not hand over to "${to}".`);
  writeRoster(changing, scope, { edges: left });
  return [];
}

interface RosterLink {
  scope: Scope;
  from: string;
  to: string;
}

/** A new member; behind `after` in a handoff swarm that one may hand over to it. */
export function addMember(changing: EditTransaction, scope: Scope, name: string, after: string | undefined): void {
  const swarm = rosterAt(changing, scope);
  if (!swarm) return;
  const members = membersIn(swarm);
  if (swarm.mode !== "handoff" || after === undefined) {
    writeRoster(changing, scope, { agents: [...new Set([...members, name])] });
    return;
  }
  const agents = [...new Set([...members, after, name])];
  writeRoster(changing, scope, { agents, edges: [...(swarm.edges ?? []), [after, name]] });
}

/** Several new members at once; in a handoff swarm with the links that `link` makes of the old ones. */
export function addMembers(
  changing: EditTransaction,
  scope: Scope,
  names: readonly string[],
  link: (edges: NonNullable<Swarm["edges"]>) => NonNullable<Swarm["edges"]>,
): void {
  const swarm = rosterAt(changing, scope);
  if (!swarm) return;
  const edges = link(swarm.edges ?? []);
  const isLinked = swarm.mode === "handoff" && (swarm.edges !== undefined || edges.length > 0);
  writeRoster(changing, scope, {
    agents: [...new Set([...membersIn(swarm), ...names])],
    ...(isLinked && { edges }),
  });
}

/** Takes names out of an `order` that is written beside a flow. */
export function removeFromOrder(changing: EditTransaction, scope: Scope, gone: ReadonlySet<string>): void {
  const { topologies, yaml } = changing.document;
  const { entries } = topologies.get(ownerOf(scope)) ?? {};
  if (!entries?.has("flow") || !entries.has("order")) return;
  const names = (readItems(entries.get("order")?.value, yaml) ?? []).flatMap((item) => readText(item)?.trim() ?? []);
  const left = names.filter((name) => !gone.has(name));
  if (left.length < names.length) setSwarmField(changing, scope, "order", left.length > 0 ? left : undefined);
}

/** `isImplied`: who the members are goes with the declarations. */
export function removeMembers(
  changing: EditTransaction,
  scope: Scope,
  gone: ReadonlySet<string>,
  isImplied: boolean = false,
): void {
  const swarm = rosterAt(changing, scope);
  if (!swarm) return;
  const members = rosterOf(swarm);
  const agents = members.filter((name) => !gone.has(name));
  const inText = swarm.flow !== undefined && namesOf(swarm.flow).some(({ name }) => gone.has(name));
  const edges = swarm.edges?.filter((ends) => !ends.some((name) => gone.has(name)));
  writeRoster(changing, scope, {
    ...(!isImplied && (inText || agents.length < members.length) && { agents }),
    ...(edges && edges.length < (swarm.edges?.length ?? 0) && { edges }),
  });
}

/** Changes what kind of swarm it is, keeping its members: a workflow's order becomes a list, and the list an order. */
export function setSwarmType(changing: EditTransaction, scope: Scope, type: Swarm["mode"]): undefined {
  const swarm = assertSwarm(changing, scope);
  if (swarm.mode === type) return;
  const members = membersIn(swarm);
  setSwarmField(changing, scope, "type", type);
  if (type === "workflow") {
    const order = members.map((name) => nameExpression(name));
    writeMembers(changing, scope, "flow", order.length > 0 ? printFlow(serialExpression(order)) : undefined);
    setSwarmField(changing, scope, "edges", undefined);
  } else if (swarm.mode === "workflow") {
    const edges = swarm.flow ? toGraph(swarm.flow).edges : (swarm.edges ?? []);
    writeRoster(changing, scope, { agents: members });
    if (type === "handoff" && edges.length > 0) writeRoster(changing, scope, { edges });
    else if (type !== "handoff") setSwarmField(changing, scope, "edges", undefined);
  } else if (type !== "handoff") setSwarmField(changing, scope, "edges", undefined);
}

/** The members of a swarm in the order of its list; a workflow's in the order of its text or drawing. */
function membersIn(swarm: Swarm): string[] {
  const linked = swarm.edges?.flat() ?? [];
  if (swarm.mode !== "workflow") return swarm.agents || swarm.flow ? rosterOf(swarm) : [...new Set(linked)];
  const written = swarm.flow ? namesOf(swarm.flow).map(({ name }) => name) : linked;
  return [...new Set([...written, ...(swarm.agents ?? [])])];
}

function assertSwarm(changing: EditTransaction, scope: Scope): Swarm {
  const swarm = swarmAt(changing, scope);
  if (swarm) return swarm;
  const what = scope.type === "root" ? "The flow" : `"${scope.name}"`;
  throw new EditRefused("unsupported", `${what} is a ${scope.type}, not a swarm: it has no such field.`);
}

interface Roster {
  agents?: readonly string[];
  edges?: NonNullable<Swarm["edges"]>;
}

function writeRoster(changing: EditTransaction, scope: Scope, { agents, edges }: Roster): void {
  if (agents) writeMembers(changing, scope, "agents", agents);
  if (edges) setSwarmField(changing, scope, "edges", edges);
}

/** Says who the members are under `key`, in the place where that was said; nothing else says it any more. */
function writeMembers(changing: EditTransaction, scope: Scope, key: "agents" | "flow", value: Json | undefined): void {
  const { document } = changing;
  const site = document.topologies.get(ownerOf(scope));
  const map = asMap(site?.node ?? null);
  const old = ["agents", "flow", "order"].flatMap((one) => (one === key ? [] : (site?.entries.get(one) ?? [])));
  const [place] = old;
  if (map && place && value !== undefined && !site?.entries.has(key))
    changing.apply([new EntryEditor(document.text).set(place, value, map.flow === true, key)]);
  else setSwarmField(changing, scope, key, value);
  for (const { key: other } of old) setSwarmField(changing, scope, other, undefined);
}

/** Sets one field of a swarm; undefined takes it out. A list keeps the lines of the items that stay. */
export function setSwarmField(
  changing: EditTransaction,
  scope: Scope,
  key: string,
  value: Json | undefined,
): undefined {
  assertSwarm(changing, scope);
  // A file without `swarm:` has nowhere to say it: what it implies is written first.
  if (value !== undefined && scope.type === "root" && !changing.document.sections.has("swarm"))
    changing.apply(writeTopology(changing.document, scope, topologyOf(changing.document.flow, scope)));
  const { document } = changing;
  const site = document.topologies.get(ownerOf(scope));
  const editor = new EntryEditor(document.text);
  const map = asMap(site?.node ?? null);
  const entry = site?.entries.get(key);
  if (!map) {
    if (value === undefined) return;
    const holder =
      scope.type === "root" ? document.sections.get("swarm") : document.declarations.get(scope.name)?.entry;
    if (!holder || !isBlank(holder.value))
      throw new EditRefused("unsupported", "This swarm is no mapping. Write its type and members in the text first.");
    changing.apply([editor.set(holder, { [key]: value }, scope.type !== "root")]);
  } else if (entry && value === undefined) changing.apply([editor.remove(map, entry)]);
  else if (entry && isLongList(value))
    changing.apply(changeList(editor, entry, toWanted(changing, value), map.flow === true));
  else if (entry && value !== undefined) changing.apply([editor.set(entry, value, map.flow === true)]);
  else if (value !== undefined) changing.apply([editor.add(map, key, value)]);
}

const isLongList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value) && value.length > 0;

/** Names are known by what they say, links by their ends. */
function toWanted({ document }: EditTransaction, values: readonly Json[]): TargetList {
  const textOf = (node: unknown): string | null => readText(resolve(node, document.yaml))?.trim() ?? null;
  const known = (node: unknown): string => {
    const ends = isSeq(resolve(node, document.yaml)) ? readItems(node, document.yaml) : null;
    return JSON.stringify(ends ? ends.map(textOf) : textOf(node));
  };
  return { identify: known, items: values.map((value) => ({ key: JSON.stringify(value), value })) };
}
