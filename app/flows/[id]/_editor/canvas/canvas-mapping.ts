import { type Edge, MarkerType, type Node, type NodeHandle, Position } from "@xyflow/react";
import type { ArrangedEdge, ArrangedNode, Arrangement, EdgeType } from "@/lib/core/flow/arrange";
import { type DeclarationKind, type Flow, findDeclaration } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/keys";
import { parseModel } from "@/lib/core/flow/model-name";
import type { Problem } from "@/lib/core/flow/problem";
import { describeLane, describePlace } from "./describe-place";
import { indexNodes } from "./gestures";

/*
 * The only file that knows both what the core calls a flow and what React Flow draws. Everything that React Flow would
 * have to measure (sizes, handles) is given, and a node or edge that did not change stays the same object: then React
 * Flow neither blinks nor renders it again.
 */

/** What every card or frame shows, whatever its kind. */
type NodeFacts = {
  key: NodeKey;
  name: string;
  placed: boolean;
  /** The lane that begins here, in words; empty for most. */
  lane: string;
  errors: number;
  warnings: number;
};

type AgentLook = {
  provider: string;
  model: string;
  /** At most three names, joined by `\n`; a string, so that equal facts compare equal. */
  tools: string;
  moreTools: number;
};
export type AgentFacts = NodeFacts & AgentLook;

export type PlaceFacts = NodeFacts & {
  kind: Exclude<DeclarationKind, "agent">;
  /** `parallel`, `serial`, the kind of swarm, or of control. */
  type: string;
  /** What it does in a few words: a condition, a limit. */
  detail: string;
  members: number;
};

export type AgentNode = Node<AgentFacts, "agent">;
export type UnknownNode = Node<NodeFacts, "unknown">;
export type FrameNode = Node<PlaceFacts, "frame">;
export type PlaceNode = Node<PlaceFacts, "place">;
export type ZoneNode = Node<{ count: number }, "zone">;
export type CanvasNode = AgentNode | UnknownNode | FrameNode | PlaceNode | ZoneNode;

export type LinkEdge = Edge<
  {
    fromName: string;
    toName: string;
    type: EdgeType /** Of the cards at its ends, in canvas pixels. */;
    fromWidth: number;
    toWidth: number;
  },
  "link"
>;

export interface Canvas {
  nodes: CanvasNode[];
  edges: LinkEdge[];
  /** Links that are drawn as one path and take no pointer: those of a large flow that touch no selected node. */
  web: string;
  /** What it was drawn from. */
  input: CanvasInput | null;
}

const emptyCanvas: Canvas = { nodes: [], edges: [], web: "", input: null };

/** With more links than this only those of the selected nodes are elements of their own. */
const mostLinkElements = 1_200;

/** What the canvas is drawn from. */
export interface CanvasInput {
  flow: Flow;
  arrangement: Arrangement;
  problems: readonly Problem[];
  selection: readonly NodeKey[];
  /** Key of the selected edge. */
  edge: string | null;
}

const handleSize = 12;
/** No node key begins with a slash. */
const zoneKey = "/zone";
const zonePadding = { side: 16, top: 36, bottom: 16 };

/** The picture of a flow, taking over from `previous` every object that would come out the same. */
export function toCanvas(input: CanvasInput, previous: Canvas = emptyCanvas): Canvas {
  const { arrangement } = input;
  const before = previous.input;
  const isSamePicture =
    before?.flow === input.flow && before.arrangement === arrangement && before.problems === input.problems;
  const web = before?.arrangement === arrangement ? previous.web : toWeb(arrangement);
  const nodes = isSamePicture ? select(previous.nodes, input.selection) : toNodes(input, previous.nodes);
  return { nodes, edges: toEdges(input, previous.edges), web, input };
}

/** The nodes with the marks of selection brought up to date. */
function select(nodes: CanvasNode[], selection: readonly NodeKey[]): CanvasNode[] {
  const selected = new Set(selection);
  const isRight = (node: CanvasNode): boolean => node.type === "zone" || node.selected === selected.has(node.id);
  return nodes.every(isRight)
    ? nodes
    : nodes.map((node) => (isRight(node) ? node : { ...node, selected: selected.has(node.id) }));
}

function toNodes(input: CanvasInput, previous: CanvasNode[]): CanvasNode[] {
  const known = new Map(previous.map((node) => [node.id, node]));
  const context = toContext(input);
  const zone = toZone(input.arrangement.nodes);
  const fresh = input.arrangement.nodes.map((node) => toNode(node, context));
  return keepList(
    [...(zone ? [zone] : []), ...fresh].map((node) => keep(known.get(node.id), node)),
    previous,
  );
}

function toEdges({ arrangement, edge: chosen, selection }: CanvasInput, previous: LinkEdge[]): LinkEdge[] {
  const known = new Map(previous.map((edge) => [edge.id, edge]));
  const { edges } = arrangement;
  const selected = new Set(selection);
  const places = indexNodes(arrangement);
  const own =
    edges.length > mostLinkElements
      ? edges.filter(({ key, from, to }) => key === chosen || selected.has(from) || selected.has(to))
      : edges;
  return keepList(
    own.map((edge) => keep(known.get(edge.key), toEdge(edge, chosen, places))),
    previous,
  );
}

interface Context {
  flow: Flow;
  places: ReadonlyMap<NodeKey, ArrangedNode>;
  members: ReadonlyMap<NodeKey, number>;
  errors: ReadonlyMap<NodeKey, number>;
  warnings: ReadonlyMap<NodeKey, number>;
  selected: ReadonlySet<NodeKey>;
}

function toContext({ flow, arrangement, problems, selection }: CanvasInput): Context {
  const count = (severity: Problem["severity"]): Map<NodeKey, number> => {
    const counts = new Map<NodeKey, number>();
    for (const problem of problems)
      if (problem.severity === severity)
        for (const key of problem.nodes ?? []) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const members = new Map<NodeKey, number>();
  for (const { parent } of arrangement.nodes)
    if (parent !== undefined) members.set(parent, (members.get(parent) ?? 0) + 1);
  const places = indexNodes(arrangement);
  return { flow, places, members, errors: count("error"), warnings: count("warning"), selected: new Set(selection) };
}

function toNode(node: ArrangedNode, context: Context): CanvasNode {
  const parent = node.parent === undefined ? undefined : context.places.get(node.parent);
  const { width, height } = node;
  const shared = {
    id: node.key,
    position: { x: node.x - (parent?.x ?? 0), y: node.y - (parent?.y ?? 0) },
    width,
    height,
    measured: { width, height },
    handles: toHandles(width, height),
    selected: context.selected.has(node.key),
    ...(parent ? { parentId: parent.key } : {}),
    ...(node.frame ? { className: "pointer-events-none!" } : {}),
    domAttributes: { "aria-roledescription": undefined },
  };
  const facts: NodeFacts = {
    key: node.key,
    name: node.name,
    placed: node.placed,
    lane: describeLane(node.lane),
    errors: context.errors.get(node.key) ?? 0,
    warnings: context.warnings.get(node.key) ?? 0,
  };
  if (node.kind === "agent")
    return { ...shared, type: "agent", data: { ...facts, ...toAgentFacts(node, context.flow) } };
  if (node.kind === "unknown") return { ...shared, type: "unknown", data: facts };
  const data: PlaceFacts = {
    ...facts,
    kind: node.kind,
    type: toType(node),
    detail: describePlace(context.flow, node.name),
    members: context.members.get(node.key) ?? 0,
  };
  return node.frame
    ? { ...shared, type: "frame", dragHandle: ".frame-header", data }
    : { ...shared, type: "place", data };
}

const toType = (node: ArrangedNode): string => node.groupType ?? node.swarmType ?? node.kind;

function toAgentFacts(node: ArrangedNode, flow: Flow): AgentLook {
  const declaration = findDeclaration(flow, node.name);
  const agent = declaration?.kind === "agent" ? declaration.value : null;
  const { provider, name } = agent?.model ? parseModel(agent.model) : { provider: "", name: "" };
  const tools = agent?.tools ?? [];
  return { provider, model: name, tools: tools.slice(0, 3).join("\n"), moreTools: Math.max(0, tools.length - 3) };
}

/** Both ends of a card, centred on its border, so that links meet the drawn dots. */
function toHandles(width: number, height: number): NodeHandle[] {
  const half = handleSize / 2;
  const box = { y: height / 2 - half, width: handleSize, height: handleSize };
  return [
    { ...box, type: "target", position: Position.Left, x: -half },
    { ...box, type: "source", position: Position.Right, x: width - half },
  ];
}

/** The labelled zone round everything that is declared but not in the flow. */
function toZone(nodes: readonly ArrangedNode[]): ZoneNode | null {
  const waiting = nodes.filter((node) => !node.placed && node.parent === undefined);
  if (waiting.length === 0) return null;
  const left = Math.min(...waiting.map((node) => node.x)) - zonePadding.side;
  const top = Math.min(...waiting.map((node) => node.y)) - zonePadding.top;
  const width = Math.max(...waiting.map((node) => node.x + node.width)) + zonePadding.side - left;
  const height = Math.max(...waiting.map((node) => node.y + node.height)) + zonePadding.bottom - top;
  return {
    id: zoneKey,
    type: "zone",
    position: { x: left, y: top },
    width,
    height,
    measured: { width, height },
    handles: [],
    selectable: false,
    draggable: false,
    connectable: false,
    zIndex: -1,
    className: "pointer-events-none!",
    domAttributes: { "aria-roledescription": undefined },
    data: { count: waiting.length },
  };
}

/** All links of a large flow as one path of curves, like the single ones; empty for others. */
function toWeb(arrangement: Arrangement): string {
  const { edges } = arrangement;
  if (edges.length <= mostLinkElements) return "";
  const places = indexNodes(arrangement);
  const curves = edges.map(({ from, to }) => {
    const [source, target] = [places.get(from), places.get(to)];
    if (!source || !target) return "";
    const [x1, y1] = [source.x + source.width, source.y + source.height / 2];
    const [x2, y2] = [target.x, target.y + target.height / 2];
    const bend = Math.max(Math.abs(x2 - x1) / 2, 20);
    return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
  });
  return curves.join("");
}

const edgeLabels: Record<EdgeType, (from: string, to: string) => string> = {
  flow: (from, to) => `Link from ${from} to ${to}`,
  draft: (from, to) => `Link from ${from} to ${to}`,
  handoff: (from, to) => `${from} may hand over to ${to}`,
  delegate: (from, to) => `${from} may call ${to}`,
};

function toEdge(edge: ArrangedEdge, selected: string | null, places: ReadonlyMap<NodeKey, ArrangedNode>): LinkEdge {
  const { key, from, to, fromName, toName, type } = edge;
  return {
    id: key,
    type: "link",
    source: from,
    target: to,
    selected: key === selected,
    ariaLabel: edgeLabels[type](fromName, toName),
    domAttributes: { "aria-roledescription": undefined },
    markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18, markerUnits: "userSpaceOnUse" },
    data: { fromName, toName, type, fromWidth: places.get(from)?.width ?? 0, toWidth: places.get(to)?.width ?? 0 },
  };
}

/** The old object when the new one says the same. */
function keep<T extends CanvasNode | LinkEdge>(old: T | undefined, fresh: T): T {
  if (old === undefined) return fresh;
  const next = hold(old, fresh);
  return isSame(old, next) ? old : next;
}

/** A card that is being dragged stays where the hand holds it. */
function hold<T extends CanvasNode | LinkEdge>(old: T, fresh: T): T {
  const held = "dragging" in old && old.dragging === true && "position" in old;
  return held ? { ...fresh, position: old.position, dragging: true } : fresh;
}

/** The old list when every item is the old one. */
const keepList = <T>(fresh: T[], old: T[]): T[] =>
  fresh.length === old.length && fresh.every((item, index) => item === old[index]) ? old : fresh;

/** Compares plain data by value. `dragging` is React Flow's own and does not count. */
function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!isRecord(a) || !isRecord(b)) return false;
  let count = 0;
  for (const key in a) {
    if (key === "dragging") continue;
    if (!(key in b) || !isSame(a[key], b[key])) return false;
    count++;
  }
  for (const key in b) if (key !== "dragging") count--;
  return count === 0;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** How far dragged nodes are from where the flow put them, in canvas pixels. */
export function findMoved(
  moved: readonly CanvasNode[],
  arrangement: Arrangement,
): { key: NodeKey; dx: number; dy: number }[] {
  const places = indexNodes(arrangement);
  return moved.flatMap((node) => {
    const place = places.get(node.id);
    if (!place) return [];
    const parent = place.parent === undefined ? undefined : places.get(place.parent);
    const dx = node.position.x - (place.x - (parent?.x ?? 0));
    const dy = node.position.y - (place.y - (parent?.y ?? 0));
    return [{ key: node.id, dx, dy }];
  });
}
