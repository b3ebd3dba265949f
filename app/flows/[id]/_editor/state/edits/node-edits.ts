import { findKindView } from "@/app/_kinds/registry";
import { printFlow, printName } from "@/lib/core/dsl/print";
import type { Edit, Scope } from "@/lib/core/flow/edit";
import { joinExpressions, mapNames, nameExpression, namesOf, parallelExpression } from "@/lib/core/flow/expression";
import { asWritten } from "@/lib/core/flow/field-variables";
import { type Control, type Flow, findDeclaration } from "@/lib/core/flow/flow";
import { findFreeName } from "@/lib/core/flow/free-name";
import { groupBy } from "@/lib/core/flow/group-by";
import { keyNames, type NodeKey } from "@/lib/core/flow/node-key";
import type { Group } from "@/lib/core/kinds/group";
import { lanesOf } from "@/lib/core/kinds/registry";
import type { ArrangedEdge, ArrangedNode } from "@/lib/core/layout/arrange-flow";
import { lineageOf, type NodeIndex } from "@/lib/core/layout/scene/node-index";
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

export const memberScope = (flow: Flow, { parent = "", name }: ArrangedNode): Scope => toScope(flow, parent, name);

/** An unconnected card joins the frame of the other. */
export function connect(flow: Flow, nodes: NodeIndex, sourceKey: NodeKey, targetKey: NodeKey): EditPlan {
  const [source, target] = [nodes.get(sourceKey), nodes.get(targetKey)];
  if (!source || !target) return nodeIsGone;
  if (sourceKey === targetKey) return refuse(`"${source.name}" cannot be connected to itself.`);
  if (source.placed !== target.placed) {
    const scope = memberScope(flow, source.placed ? source : target);
    return edit({ type: "connect", scope, from: source.name, to: target.name });
  }
  const [sources, targets] = [lineageOf(nodes, sourceKey), lineageOf(nodes, targetKey)];
  const depth = sources.findIndex(({ key }, index) => key !== targets[index]?.key);
  const [a, b] = [sources[depth], targets[depth]];
  if (!a || !b) return refuse("A frame cannot be connected to its own members.");
  return edit({ type: "connect", scope: memberScope(flow, a), from: a.name, to: b.name });
}

export const disconnect = (flow: Flow, link: ArrangedEdge): EditPlan =>
  edit({ type: "disconnect", scope: toScope(flow, link.scope, link.fromName), from: link.fromName, to: link.toName });

export function addAfter(flow: Flow, nodes: NodeIndex, after: NodeKey, agent: NewAgent): EditPlan {
  const node = nodes.get(after);
  if (!node) return nodeIsGone;
  if (!node.placed) return addLinked(flow, nodes, after, "after", agent);
  return edit({ type: "add-agent", ...agent, scope: memberScope(flow, node), after: node.name });
}

export function addBefore(flow: Flow, nodes: NodeIndex, before: NodeKey, agent: NewAgent): EditPlan {
  const node = nodes.get(before);
  if (!node) return nodeIsGone;
  const scope = memberScope(flow, node);
  if (!node.placed || !isWorkflow(flow, scope)) return addLinked(flow, nodes, before, "before", agent);
  return edit(
    { type: "add-agent", ...agent, scope },
    { type: "move-member", name: agent.name, scope, at: { member: node.name, side: "before" } },
  );
}

/** Without `after` it comes after the last steps of the flow. */
export function addControl(flow: Flow, nodes: NodeIndex, control: NewControl, after: NodeKey | undefined): EditPlan {
  const node = nodes.get(after ?? "");
  const placed = node?.placed ? node : undefined;
  const scope: Scope = placed ? memberScope(flow, placed) : { type: "root" };
  const lanes = control.agents.map((agent): Edit => ({ type: "declare-agent", ...agent }));
  const { agents: _, ...controlEdit } = control;
  return edit(...lanes, {
    type: "add-control",
    ...controlEdit,
    scope,
    ...(placed ? { after: placed.name } : { atEnd: true }),
  });
}

/** `wrapped`: the text of its first lane; missing: a new agent. */
export function createControl(flow: Flow, type: Control["type"], model: string, wrapped?: string): NewControl {
  const agents: NewAgent[] = [];
  let firstLane = wrapped;
  const addLane = (base: string): string => {
    const text = firstLane;
    firstLane = undefined;
    if (text !== undefined) return text;
    const name = freeName(flow, base);
    agents.push({ name, model });
    return printName(name);
  };
  const fields = findKindView(type)?.createControl?.({ model, addLane }) ?? {};
  return { control: type, name: freeName(flow, type), fields, agents };
}

/** Controls that can be put around members. */
export const wrappingControls = ["loop", "branch", "router"] as const satisfies readonly Control["type"][];
export type WrappingControl = (typeof wrappingControls)[number];

interface ControlWrap {
  plan: EditPlan;
  /** Of the control. */
  name: string;
}

/** The members become the first lane of a new control, which takes their place. */
export function wrapInControl(
  flow: Flow,
  nodes: NodeIndex,
  selection: readonly NodeKey[],
  { type, model }: { type: WrappingControl; model: string },
): ControlWrap {
  const members = findMembers(nodes, selection);
  if (!members) return { plan: refuse("Select members of the same group or swarm first."), name: "" };
  const scope = toScope(flow, members.frame, members.names[0] ?? "");
  const topology = isWorkflow(flow, scope) ? topologyOf(flow, scope) : null;
  if (!topology || !("expression" in topology))
    return { plan: refuse("Only members of a workflow can be put in a control."), name: "" };
  const span = findMemberSpan(topology.expression, new Set(members.names));
  if (typeof span === "string") return { plan: refuse(span), name: "" };
  const wrapped = printFlow(joinExpressions(span.type, span.units));
  const { agents, ...control } = createControl(flow, type, model, wrapped);
  const plan = edit(...agents.map((agent): Edit => ({ type: "declare-agent", ...agent })), {
    type: "wrap-control",
    ...control,
    scope,
    names: members.names,
  });
  return { plan, name: control.name };
}

export interface NewControl {
  control: Control["type"];
  name: string;
  fields: Extract<Edit, { type: "add-control" }>["fields"];
  agents: readonly NewAgent[];
}

/** After the last steps; in an empty flow it becomes the flow. */
export const addAtEnd = (agent: NewAgent): EditPlan =>
  edit({ type: "add-agent", ...agent, scope: { type: "root" }, atEnd: true });

export function addLinked(
  flow: Flow,
  nodes: NodeIndex,
  key: NodeKey,
  side: "after" | "before",
  agent: NewAgent,
): EditPlan {
  const node = nodes.get(key);
  if (!node) return nodeIsGone;
  const scope = memberScope(flow, node);
  const [sourceName, targetName] = side === "after" ? [node.name, agent.name] : [agent.name, node.name];
  return edit({ type: "add-agent", ...agent, scope }, { type: "connect", scope, from: sourceName, to: targetName });
}

/** `side`: in which order the two lanes are written. */
export function addLane(
  flow: Flow,
  nodes: NodeIndex,
  key: NodeKey,
  agent: NewAgent,
  side: "before" | "after" = "after",
): EditPlan {
  const node = nodes.get(key);
  if (!node) return nodeIsGone;
  const scope = memberScope(flow, node);
  // Members without an order: no parallel group is needed.
  if (node.placed && !isWorkflow(flow, scope)) return edit({ type: "add-agent", ...agent, scope });
  const topology = node.placed ? topologyOf(flow, scope) : null;
  if (!topology || !("expression" in topology))
    return refuse(`"${node.name}" is not in the flow yet: connect it first.`);
  const names = side === "after" ? [node.name, agent.name] : [agent.name, node.name];
  const lanes = parallelExpression(names.map((name) => nameExpression(name)));
  const rewritten = mapNames(topology.expression, (name) => (name === node.name ? lanes : nameExpression(name)));
  const text = printFlow(rewritten, { as: textKind(flow, scope) });
  return edit({ type: "add-agent", ...agent, scope }, { type: "set-flow-text", scope, text });
}

export interface NewAgent {
  name: string;
  model?: string;
}

export function commonModel(flow: Flow, fallback: string): string {
  const written = [...flow.agents.values()].flatMap((agent) => asWritten(agent, "model", agent.model) || []);
  const [common] = [...groupBy(written, (model) => model)].toSorted(([, a], [, b]) => b.length - a.length);
  return common?.[0] ?? fallback;
}

/** `agent`, `agent_2`, `agent_3` … */
export const freeName = (flow: Flow, base: string): string =>
  findFreeName(base, (name) => findDeclaration(flow, name) !== null);

export function outermost(nodes: NodeIndex, selection: readonly NodeKey[]): ArrangedNode[] {
  const selected = new Set(selection);
  return selection.flatMap((key) => {
    const lineage = lineageOf(nodes, key);
    return lineage.findIndex((node) => selected.has(node.key)) === lineage.length - 1 ? lineage.slice(-1) : [];
  });
}

/** Once for each scope, in the order of the selection. */
export function groupByScope(flow: Flow, members: readonly ArrangedNode[]): { scope: Scope; names: string[] }[] {
  const groups = groupBy(members, (member) => JSON.stringify(memberScope(flow, member)));
  return [...groups.values()].flatMap((group) => {
    const names = [...new Set(group.map(({ name }) => name))];
    return group.slice(0, 1).map((member) => ({ scope: memberScope(flow, member), names }));
  });
}

export function deleteNodes(flow: Flow, nodes: NodeIndex, selection: readonly NodeKey[]): EditPlan {
  const deletions = groupByScope(flow, outermost(nodes, selection));
  if (deletions.length === 0) return refuse("Select something to delete first.");
  return edit(...deletions.map((deletion): Edit => ({ type: "delete-nodes", ...deletion, declarations: true })));
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
