import type { NodeIndex } from "@/app/_canvas/scene/node-index";
import { printFlow } from "@/lib/core/dsl/print";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import { type Expression, mapNames, nameExpression, namesOf, parallelExpression } from "@/lib/core/flow/expression";
import { asWritten } from "@/lib/core/flow/field-variables";
import { type Control, type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { findFreeName } from "@/lib/core/flow/free-name";
import { keyNames, type NodeKey } from "@/lib/core/flow/node-key";
import type { Group } from "@/lib/core/kinds/group";
import { lanesOf } from "@/lib/core/kinds/registry";
import type { ArrangedEdge, ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { findMemberSpan } from "@/lib/core/source/edit/member-span";
import { isWorkflow, textKind, topologyOf } from "@/lib/core/source/read/topology";

export type EditPlan = { ok: true; edits: Edit[] } | { ok: false; message: string };

const refuse = (message: string): EditPlan => ({ ok: false, message });
const edit = (...edits: Edit[]): EditPlan => ({ ok: true, edits });

export const withEdits = (gesture: EditPlan, edits: readonly Edit[]): EditPlan =>
  gesture.ok ? { ok: true, edits: [...gesture.edits, ...edits] } : gesture;

const nodeIsGone = refuse("This node is no longer on the canvas.");

/** `""` is the root swarm. In a control it is the lane that contains `member`. */
export function toScope(flow: Flow, key: NodeKey, member: string): Scope {
  const name = keyNames(key).at(-1) ?? "";
  if (flow.groups.has(name)) return { type: "group", name };
  if (flow.swarms.has(name)) return { type: "swarm", name };
  const control = flow.controls.get(name);
  const lanes = control ? lanesOf(control) : [];
  const memberLane =
    lanes.find(([, lane]) => lane && namesOf(lane).some((reference) => reference.name === member)) ?? lanes[0];
  return memberLane ? { type: "lane", name, lane: memberLane[0] } : { type: "root" };
}

function lineage(nodes: NodeIndex, key: NodeKey): NodeKey[] {
  const line: NodeKey[] = [];
  for (let node = nodes.get(key); node; node = node.parent === undefined ? undefined : nodes.get(node.parent))
    line.unshift(node.key);
  return line;
}

function findCommonFrame(
  nodes: NodeIndex,
  sourceKey: NodeKey,
  targetKey: NodeKey,
): { place: NodeKey; from: NodeKey; to: NodeKey } | null {
  const [a, b] = [lineage(nodes, sourceKey), lineage(nodes, targetKey)];
  let depth = 0;
  while (depth < a.length && depth < b.length && a[depth] === b[depth]) depth++;
  const [sourceMember, targetMember] = [a[depth], b[depth]];
  if (sourceMember === undefined || targetMember === undefined) return null;
  return { place: a[depth - 1] ?? "", from: sourceMember, to: targetMember };
}

/** An unconnected card joins the frame of the other. */
export function connect(flow: Flow, nodes: NodeIndex, sourceKey: NodeKey, targetKey: NodeKey): EditPlan {
  const [source, target] = [nodes.get(sourceKey), nodes.get(targetKey)];
  if (!source || !target) return nodeIsGone;
  if (sourceKey === targetKey) return refuse(`"${source.name}" cannot be connected to itself.`);
  if (source.placed !== target.placed) {
    const placed = source.placed ? source : target;
    const scope = toScope(flow, placed.parent ?? "", placed.name);
    return edit({ type: "connect", scope, from: source.name, to: target.name });
  }
  const common = findCommonFrame(nodes, sourceKey, targetKey);
  const [a, b] = [common && nodes.get(common.from), common && nodes.get(common.to)];
  if (!common || !a || !b) return refuse("A frame cannot be connected to its own members.");
  return edit({ type: "connect", scope: toScope(flow, common.place, a.name), from: a.name, to: b.name });
}

export const disconnect = (flow: Flow, link: ArrangedEdge): EditPlan =>
  edit({ type: "disconnect", scope: toScope(flow, link.scope, link.fromName), from: link.fromName, to: link.toName });

export function addAfter(flow: Flow, nodes: NodeIndex, after: NodeKey, agent: NewAgent): EditPlan {
  const node = nodes.get(after);
  if (!node) return nodeIsGone;
  if (!node.placed) return addLinked(flow, nodes, after, "after", agent);
  return edit({ type: "add-agent", ...agent, scope: toScope(flow, node.parent ?? "", node.name), after: node.name });
}

/** Without `after` it is unconnected, or the whole of an empty flow. */
export function addControl(flow: Flow, nodes: NodeIndex, control: NewControl, after: NodeKey | undefined): EditPlan {
  const node = after === undefined ? undefined : nodes.get(after);
  const placed = node?.placed === true ? node : undefined;
  const scope: Scope = placed ? toScope(flow, placed.parent ?? "", placed.name) : { type: "root" };
  const lanes = control.agents.map((agent): Edit => ({ type: "declare-agent", ...agent }));
  const { agents: _, ...controlEdit } = control;
  return edit(...lanes, { type: "add-control", ...controlEdit, scope, ...(placed && { after: placed.name }) });
}

export interface NewControl {
  control: Control["type"];
  name: string;
  fields: Extract<Edit, { type: "add-control" }>["fields"];
  agents: readonly NewAgent[];
}

/** In an empty flow it becomes the flow. */
export const addBeside = (agent: NewAgent): EditPlan => edit({ type: "add-agent", ...agent, scope: { type: "root" } });

export function addLinked(
  flow: Flow,
  nodes: NodeIndex,
  key: NodeKey,
  side: "after" | "before",
  agent: NewAgent,
): EditPlan {
  const node = nodes.get(key);
  if (!node) return nodeIsGone;
  const scope = toScope(flow, node.placed ? (node.parent ?? "") : "", node.name);
  const [sourceName, targetName] = side === "after" ? [node.name, agent.name] : [agent.name, node.name];
  return edit({ type: "add-agent", ...agent, scope }, { type: "connect", scope, from: sourceName, to: targetName });
}

export function addLane(flow: Flow, nodes: NodeIndex, key: NodeKey, agent: NewAgent): EditPlan {
  const node = nodes.get(key);
  if (!node) return nodeIsGone;
  const scope = toScope(flow, node.placed ? (node.parent ?? "") : "", node.name);
  // Members without an order: no parallel group is needed.
  if (node.placed && !isWorkflow(flow, scope)) return edit({ type: "add-agent", ...agent, scope });
  const topology = findTopology(flow, node.placed ? (node.parent ?? "") : "", node.name);
  if (!node.placed || !topology) return refuse(`"${node.name}" is not in the flow yet: connect it first.`);
  const lanes = parallelExpression([nameExpression(node.name), nameExpression(agent.name)]);
  return edit({ type: "add-agent", ...agent, scope: topology.scope }, topology.rewrite(node.name, lanes));
}

interface EditableTopology {
  scope: Scope;
  /** Replaces the member `name`. */
  rewrite(name: string, replacement: Expression): Edit;
}

/** Null while the topology cannot be read or is a draft. */
function findTopology(flow: Flow, key: NodeKey, member: string): EditableTopology | null {
  const scope = toScope(flow, key, member);
  const topology = isWorkflow(flow, scope) ? topologyOf(flow, scope) : null;
  if (!topology || !("expression" in topology)) return null;
  const { expression } = topology;
  const as = textKind(flow, scope);
  const put = (name: string, replacement: Expression): Expression =>
    mapNames(expression, (memberName) => (memberName === name ? replacement : nameExpression(memberName)));
  return {
    scope,
    rewrite: (name, replacement) => ({ type: "set-flow-text", scope, text: printFlow(put(name, replacement), { as }) }),
  };
}

export interface NewAgent {
  name: string;
  model?: string;
}

export function commonModel(flow: Flow, fallback: string): string {
  const counts = new Map<string, number>();
  for (const agent of flow.agents.values()) {
    const model = asWritten(agent, "model", agent.model);
    if (model) counts.set(model, (counts.get(model) ?? 0) + 1);
  }
  let [common, most] = [fallback, 0];
  for (const [model, count] of counts) if (count > most) [common, most] = [model, count];
  return common;
}

/** `agent`, `agent_2`, `agent_3` … */
export const freeName = (flow: Flow, base: string): string =>
  findFreeName(base, (name) => findDeclaration(flow, name) !== null);

export function outermost(nodes: NodeIndex, selection: readonly NodeKey[]): ArrangedNode[] {
  const selected = new Set(selection);
  return selection.flatMap((key) => {
    const line = lineage(nodes, key);
    const node = nodes.get(key);
    return node && !line.slice(0, -1).some((ancestor) => selected.has(ancestor)) ? [node] : [];
  });
}

export function deleteNodes(flow: Flow, nodes: NodeIndex, selection: readonly NodeKey[]): EditPlan {
  const scopes = new Map<string, { scope: Scope; names: Set<string> }>();
  for (const { parent = "", name } of outermost(nodes, selection)) {
    const scope = toScope(flow, parent, name);
    const key = JSON.stringify(scope);
    const deletion = scopes.get(key) ?? { scope, names: new Set() };
    scopes.set(key, { scope, names: deletion.names.add(name) });
  }
  if (scopes.size === 0) return refuse("Select something to delete first.");
  return edit(
    ...Array.from(scopes.values(), ({ scope, names }): Edit => {
      return { type: "delete-nodes", scope, names: [...names], declarations: true };
    }),
  );
}

export type Wrap = "wrap-parallel" | "wrap-serial" | "extract-group" | "extract-swarm" | "unwrap" | "inline";

interface FrameMembers {
  frame: NodeKey;
  names: string[];
}

/** Null when they are in different frames, or not in the flow. */
export function findMembers(nodes: NodeIndex, selection: readonly NodeKey[]): FrameMembers | null {
  const cached = memberCache.get(selection);
  if (cached?.nodes === nodes) return cached.members;
  const members = toFrameMembers(outermost(nodes, selection));
  memberCache.set(selection, { nodes, members });
  return members;
}

/** Several tools and commands ask for the members of one selection, which may be the whole of a large flow. */
const memberCache = new WeakMap<readonly NodeKey[], { nodes: NodeIndex; members: FrameMembers | null }>();

function toFrameMembers(members: readonly ArrangedNode[]): FrameMembers | null {
  const frameKeys = new Set(members.map((member) => member.parent ?? ""));
  const [frame] = frameKeys;
  if (frame === undefined || frameKeys.size > 1 || members.some((member) => !member.placed)) return null;
  return { frame, names: members.map((member) => member.name) };
}

export function wrap(flow: Flow, nodes: NodeIndex, selection: readonly NodeKey[], type: Wrap): EditPlan {
  const members = findMembers(nodes, selection);
  if (!members) return refuse("Select members of the same group or swarm first.");
  const { names, frame } = members;
  const scope = toScope(flow, frame, names[0] ?? "");
  if (type === "extract-swarm") return edit({ type, scope, names, name: freeName(flow, "swarm") });
  if (type === "extract-group")
    return edit({ type, scope, names, name: freeName(flow, "group"), group: findGroupType(flow, scope, names) });
  if (type === "unwrap") return edit({ type, scope, names });
  if (type === "inline") {
    const [name, ...otherNames] = names;
    const isOne = name !== undefined && otherNames.length === 0;
    return isOne ? edit({ type, scope, name }) : refuse("Select one group or nested swarm first.");
  }
  return names.length < 2 ? refuse("Select at least two members first.") : edit({ type, scope, names });
}

function findGroupType(flow: Flow, scope: Scope, names: readonly string[]): Group["mode"] {
  const topology = topologyOf(flow, scope);
  const stretch = topology && "expression" in topology ? findMemberSpan(topology.expression, new Set(names)) : "";
  return typeof stretch === "string" ? "serial" : stretch.type;
}
