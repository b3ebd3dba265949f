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

/** What a gesture comes to: edits, or the reason why it cannot be done. */
export type EditPlan = { ok: true; edits: Edit[] } | { ok: false; message: string };

const refuse = (message: string): EditPlan => ({ ok: false, message });
const edit = (...edits: Edit[]): EditPlan => ({ ok: true, edits });

/** The gesture, and these edits in the same step. */
export const withEdits = (gesture: EditPlan, edits: readonly Edit[]): EditPlan =>
  gesture.ok ? { ok: true, edits: [...gesture.edits, ...edits] } : gesture;

const nodeIsGone = refuse("That node is not on the canvas any more.");

/** The place `key` as edits name it; `""` is the root swarm. In a control it is the lane that holds `member`. */
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

/** The keys from the outermost place down to the node itself. */
function lineage(nodes: NodeIndex, key: NodeKey): NodeKey[] {
  const line: NodeKey[] = [];
  for (let node = nodes.get(key); node; node = node.parent === undefined ? undefined : nodes.get(node.parent))
    line.unshift(node.key);
  return line;
}

/** Two nodes seen from the innermost place that holds both: what stands there for each. */
function findCommonFrame(
  nodes: NodeIndex,
  from: NodeKey,
  to: NodeKey,
): { place: NodeKey; from: NodeKey; to: NodeKey } | null {
  const [a, b] = [lineage(nodes, from), lineage(nodes, to)];
  let depth = 0;
  while (depth < a.length && depth < b.length && a[depth] === b[depth]) depth++;
  const [sourceKey, targetKey] = [a[depth], b[depth]];
  if (sourceKey === undefined || targetKey === undefined) return null;
  return { place: a[depth - 1] ?? "", from: sourceKey, to: targetKey };
}

/** A link drawn from one card to another. A card that waits beside the flow joins the place of the other. */
export function connect(flow: Flow, nodes: NodeIndex, from: NodeKey, to: NodeKey): EditPlan {
  const [source, target] = [nodes.get(from), nodes.get(to)];
  if (!source || !target) return nodeIsGone;
  if (from === to) return refuse(`"${source.name}" cannot be connected to itself.`);
  if (source.placed !== target.placed) {
    const placed = source.placed ? source : target;
    const scope = toScope(flow, placed.parent ?? "", placed.name);
    return edit({ type: "connect", scope, from: source.name, to: target.name });
  }
  const common = findCommonFrame(nodes, from, to);
  const [a, b] = [common && nodes.get(common.from), common && nodes.get(common.to)];
  if (!common || !a || !b) return refuse("A frame cannot be connected with what it holds.");
  return edit({ type: "connect", scope: toScope(flow, common.place, a.name), from: a.name, to: b.name });
}

export const disconnect = (flow: Flow, link: ArrangedEdge): EditPlan =>
  edit({ type: "disconnect", scope: toScope(flow, link.scope, link.fromName), from: link.fromName, to: link.toName });

/** A new agent behind `after`, in line. */
export function addAfter(flow: Flow, nodes: NodeIndex, after: NodeKey, agent: NewAgent): EditPlan {
  const node = nodes.get(after);
  if (!node) return nodeIsGone;
  if (!node.placed) return addLinked(flow, nodes, after, "after", agent);
  return edit({ type: "add-agent", ...agent, scope: toScope(flow, node.parent ?? "", node.name), after: node.name });
}

/** A new control: behind `after` in line; without it beside the flow, or as the whole of an empty one. */
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
  /** Agents that its lanes begin with. */
  agents: readonly NewAgent[];
}

/** A new agent that waits beside the flow; in an empty flow it is the flow. */
export const addBeside = (agent: NewAgent): EditPlan => edit({ type: "add-agent", ...agent, scope: { type: "root" } });

/** A new agent at the loose end of a link that was drawn from `key`. */
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
  const [from, to] = side === "after" ? [node.name, agent.name] : [agent.name, node.name];
  return edit({ type: "add-agent", ...agent, scope }, { type: "connect", scope, from, to });
}

/** A new agent side by side with `key`: same input, joined outputs. */
export function addLane(flow: Flow, nodes: NodeIndex, key: NodeKey, agent: NewAgent): EditPlan {
  const node = nodes.get(key);
  if (!node) return nodeIsGone;
  const scope = toScope(flow, node.placed ? (node.parent ?? "") : "", node.name);
  // Where members have no order, a new one is simply one more.
  if (node.placed && !isWorkflow(flow, scope)) return edit({ type: "add-agent", ...agent, scope });
  const topology = findTopology(flow, node.placed ? (node.parent ?? "") : "", node.name);
  if (!node.placed || !topology) return refuse(`"${node.name}" is not in the flow yet: connect it first.`);
  const lanes = parallelExpression([nameExpression(node.name), nameExpression(agent.name)]);
  return edit({ type: "add-agent", ...agent, scope: topology.scope }, topology.rewrite(node.name, lanes));
}

interface EditableTopology {
  scope: Scope;
  /** The edit that puts `by` where the member `name` stands. */
  rewrite(name: string, replacement: Expression): Edit;
}

/** The place `key` with its topology; null while that cannot be read or is a draft. */
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

/** The model that most agents of the flow use, as the file has it, or `fallback`. */
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

/** `agent`, `agent_2`, `agent_3` …: the first that nothing is called yet. */
export const freeName = (flow: Flow, base: string): string =>
  findFreeName(base, (name) => findDeclaration(flow, name) !== null);

/** The selected nodes without those that lie inside a selected frame. */
export function outermost(nodes: NodeIndex, selection: readonly NodeKey[]): ArrangedNode[] {
  const selected = new Set(selection);
  return selection.flatMap((key) => {
    const line = lineage(nodes, key);
    const node = nodes.get(key);
    return node && !line.slice(0, -1).some((ancestor) => selected.has(ancestor)) ? [node] : [];
  });
}

/** Deletes the selected nodes, place by place, closing the gaps. */
export function deleteNodes(flow: Flow, nodes: NodeIndex, selection: readonly NodeKey[]): EditPlan {
  const scopes = new Map<string, { scope: Scope; names: Set<string> }>();
  for (const { parent = "", name } of outermost(nodes, selection)) {
    const scope = toScope(flow, parent, name);
    const key = JSON.stringify(scope);
    const deletion = scopes.get(key) ?? { scope, names: new Set() };
    scopes.set(key, { scope, names: deletion.names.add(name) });
  }
  if (scopes.size === 0) return refuse("Select what should be deleted first.");
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

/** The selected members of one frame; null when they are in different frames, or not in the flow. */
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
  if (!members) return refuse("Select members of one place of the flow first.");
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

/** How members that become a group stand now; edits refuse what does not belong together. */
function findGroupType(flow: Flow, scope: Scope, names: readonly string[]): Group["mode"] {
  const topology = topologyOf(flow, scope);
  const stretch = topology && "expression" in topology ? findMemberSpan(topology.expression, new Set(names)) : "";
  return typeof stretch === "string" ? "serial" : stretch.type;
}
