import { MarkerType, type NodeHandle, Position } from "@xyflow/react";
import { findKindView } from "@/app/_kinds/registry";
import type { FlowDirection } from "@/lib/core/flow/edit";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote, type KeyedNote, listNotes, type Notes } from "@/lib/core/flow/note";
import type { Problem } from "@/lib/core/flow/problem";
import type { ArrangedEdge, ArrangedNode, Arrangement, EdgeType } from "@/lib/core/layout/arrange-flow";
import { routeOf } from "../scene/link-route";
import { indexNodes, type NodeIndex } from "../scene/node-index";
import { type Scene, sceneOf } from "../scene/scene";
import type { CanvasNode, FrameCardData, LinkEdge, NodeCardData, NoteNode, ZoneNode } from "./canvas-nodes";
import { describeLane } from "./describe-lane";
import { reuseUnchanged, reuseUnchangedList } from "./reuse-unchanged";

/**
 * The only file that knows both `Flow` and React Flow. Sizes and handles are given, so that nothing is measured; unchanged nodes and edges
 * stay the same objects, so that React Flow does not render them again.
 */

export interface CanvasGraph {
  nodes: CanvasNode[];
  edges: LinkEdge[];
  input: CanvasInput | null;
}

const emptyGraph: CanvasGraph = { nodes: [], edges: [], input: null };

export interface CanvasInput {
  flow: Flow;
  arrangement: Arrangement;
  problems: readonly Problem[];
  selection: readonly NodeKey[];
  edge: string | null;
  notes?: Notes | undefined;
  /** Includes the frames around each node. Missing: everything. */
  mounted?: ReadonlySet<NodeKey> | undefined;
}

const handleSize = 12;
/** No node key begins with a slash. */
const zoneKey = "/zone";

export function toCanvas(input: CanvasInput, previous: CanvasGraph = emptyGraph): CanvasGraph {
  const before = previous.input;
  const isSameFlow =
    before?.flow === input.flow && before.arrangement === input.arrangement && before.problems === input.problems;
  const isSamePicture = isSameFlow && before.mounted === input.mounted && before.notes === input.notes;
  const nodes = isSamePicture ? select(previous.nodes, input.selection) : toNodes(input, previous.nodes, isSameFlow);
  return { nodes, edges: toEdges(input, previous.edges), input };
}

function select(nodes: CanvasNode[], selection: readonly NodeKey[]): CanvasNode[] {
  const selected = new Set(selection);
  return reuseUnchangedList(
    nodes.map((node) => mark(node, selected)),
    nodes,
  );
}

const mark = (node: CanvasNode, selected: ReadonlySet<NodeKey>): CanvasNode =>
  node.type === "zone" || node.selected === selected.has(node.id) ? node : { ...node, selected: selected.has(node.id) };

/** With `isSameFlow`, existing nodes only need their selection updated. */
function toNodes(input: CanvasInput, previous: CanvasNode[], isSameFlow: boolean): CanvasNode[] {
  const previousNodes = new Map(previous.map((node) => [node.id, node]));
  const context = toContext(input);
  const mountedNodes = findMounted(input).map((node): CanvasNode => {
    const previousNode = previousNodes.get(node.key);
    return isSameFlow && previousNode
      ? mark(previousNode, context.selected)
      : reuseUnchanged(previousNode, toNode(node, context));
  });
  const previousZone = previousNodes.get(zoneKey);
  const zone = isSameFlow && previousZone ? previousZone : toZone(input.arrangement);
  const notes = findMountedNotes(input).map((note) =>
    reuseUnchanged(previousNodes.get(note.key), toNote(note, context.selected)),
  );
  return reuseUnchangedList(
    zone && mountedNodes.length > 0
      ? [reuseUnchanged(previousZone, zone), ...notes, ...mountedNodes]
      : [...notes, ...mountedNodes],
    previous,
  );
}

const findMountedNotes = ({ notes, mounted }: CanvasInput): readonly KeyedNote[] =>
  listNotes(notes).filter(({ key }) => mounted?.has(key) ?? true);

function findMounted({ arrangement, mounted }: CanvasInput): readonly ArrangedNode[] {
  if (!mounted) return arrangement.nodes;
  const { positions, nodes } = sceneOf(arrangement);
  const mountedPositions = [...mounted].flatMap((key) => positions.get(key) ?? []).sort((a, b) => a - b);
  return mountedPositions.flatMap((position) => nodes[position] ?? []);
}

function toEdges(input: CanvasInput, previous: LinkEdge[]): LinkEdge[] {
  const { arrangement, mounted } = input;
  const previousEdges = new Map(previous.map((edge) => [edge.id, edge]));
  const nodeIndex = indexNodes(arrangement);
  const mountedLinks = mounted ? findLinks(sceneOf(arrangement), mounted) : arrangement.edges;
  return reuseUnchangedList(
    mountedLinks.map((edge) => reuseUnchanged(previousEdges.get(edge.key), toEdge(edge, input, nodeIndex))),
    previous,
  );
}

function findLinks({ positions, links }: Scene, mounted: ReadonlySet<NodeKey>): ArrangedEdge[] {
  const endsAreMounted = (edge: ArrangedEdge, start: NodeKey): boolean => edge.from === start && mounted.has(edge.to);
  return [...mounted].flatMap((key) => links(positions.get(key) ?? -1).filter((edge) => endsAreMounted(edge, key)));
}

interface MappingContext {
  flow: Flow;
  nodeIndex: NodeIndex;
  direction: FlowDirection;
  members: ReadonlyMap<NodeKey, number>;
  errors: ReadonlyMap<NodeKey, number>;
  warnings: ReadonlyMap<NodeKey, number>;
  selected: ReadonlySet<NodeKey>;
}

function toContext({ flow, arrangement, problems, selection }: CanvasInput): MappingContext {
  const count = (severity: Problem["severity"]): Map<NodeKey, number> => {
    const counts = new Map<NodeKey, number>();
    for (const problem of problems)
      if (problem.severity === severity)
        for (const key of problem.nodes ?? []) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  };
  const nodeIndex = indexNodes(arrangement);
  return {
    flow,
    nodeIndex: nodeIndex,
    direction: arrangement.direction,
    members: countMembers(arrangement),
    errors: count("error"),
    warnings: count("warning"),
    selected: new Set(selection),
  };
}

/** Counted once for each arrangement. */
function countMembers(arrangement: Arrangement): ReadonlyMap<NodeKey, number> {
  const cachedCounts = memberCounts.get(arrangement);
  if (cachedCounts) return cachedCounts;
  const counts = new Map<NodeKey, number>();
  for (const { parent } of arrangement.nodes)
    if (parent !== undefined) counts.set(parent, (counts.get(parent) ?? 0) + 1);
  memberCounts.set(arrangement, counts);
  return counts;
}

const memberCounts = new WeakMap<Arrangement, ReadonlyMap<NodeKey, number>>();

function toNode(node: ArrangedNode, context: MappingContext): CanvasNode {
  const parent = node.parent === undefined ? undefined : context.nodeIndex.get(node.parent);
  const { width, height } = node;
  const shared = {
    id: node.key,
    position: { x: node.x - (parent?.x ?? 0), y: node.y - (parent?.y ?? 0) },
    width,
    height,
    measured: { width, height },
    handles: toHandles(width, height, context.direction),
    ...sides[context.direction],
    selected: context.selected.has(node.key),
    ...(parent ? { parentId: parent.key } : {}),
    ...(node.frame ? { className: "pointer-events-none!" } : {}),
    domAttributes: { "aria-roledescription": undefined },
  };
  const facts: NodeCardData = {
    key: node.key,
    name: node.name,
    placed: node.placed,
    lane: describeLane(node.lane),
    errors: context.errors.get(node.key) ?? 0,
    warnings: context.warnings.get(node.key) ?? 0,
  };
  const declaration = findDeclaration(context.flow, node.name);
  const kind = findKindView(node.type);
  if (!kind || !declaration) return { ...shared, type: "unknown", data: facts };
  const content = kind.toCard(declaration);
  if (content.type === "agent-card") {
    const { provider, model, tools, moreTools } = content;
    return { ...shared, type: "agent", data: { ...facts, provider, model, tools, moreTools } };
  }
  const data: FrameCardData = {
    ...facts,
    kind: node.type,
    type: node.mode ?? node.type,
    detail: content.detail,
    detailIsText: content.detailIsText ?? false,
    repeats: content.repeats ?? false,
    members: context.members.get(node.key) ?? 0,
  };
  return node.frame
    ? { ...shared, type: "frame", dragHandle: ".frame-header", data }
    : { ...shared, type: "place", data };
}

const sides = {
  right: { targetPosition: Position.Left, sourcePosition: Position.Right },
  down: { targetPosition: Position.Top, sourcePosition: Position.Bottom },
} as const;

/** Centred on the border, where the dots are drawn. */
function toHandles(width: number, height: number, direction: FlowDirection): NodeHandle[] {
  const half = handleSize / 2;
  const { targetPosition, sourcePosition } = sides[direction];
  const dot = { x: width / 2 - half, y: height / 2 - half, width: handleSize, height: handleSize };
  const [start, end] =
    direction === "right" ? [{ x: -half }, { x: width - half }] : [{ y: -half }, { y: height - half }];
  return [
    { ...dot, ...start, type: "target", position: targetPosition },
    { ...dot, ...end, type: "source", position: sourcePosition },
  ];
}

const backgroundNode = {
  handles: [],
  connectable: false,
  zIndex: -1,
  domAttributes: { "aria-roledescription": undefined },
};

function toZone(arrangement: Arrangement): ZoneNode | null {
  const { zone, nodes } = sceneOf(arrangement);
  if (!zone) return null;
  const { x, y, width, height } = zone;
  return {
    id: zoneKey,
    type: "zone",
    position: { x, y },
    width,
    height,
    measured: { width, height },
    ...backgroundNode,
    selectable: false,
    draggable: false,
    className: "pointer-events-none!",
    data: { count: nodes.filter((node) => !node.placed && node.parent === undefined).length },
  };
}

function toNote({ key, id, x, y, width, height, text, color }: KeyedNote, selected: ReadonlySet<NodeKey>): NoteNode {
  return {
    id: key,
    type: "note",
    position: { x, y },
    width,
    height,
    measured: { width, height },
    ...backgroundNode,
    selected: selected.has(key),
    data: { id, text, color },
  };
}

const edgeLabels: Record<EdgeType, (sourceName: string, targetName: string) => string> = {
  flow: (sourceName, targetName) => `Link from ${sourceName} to ${targetName}`,
  draft: (sourceName, targetName) => `Link from ${sourceName} to ${targetName}`,
  handoff: (sourceName, targetName) => `${sourceName} may hand over to ${targetName}`,
  delegate: (sourceName, targetName) => `${sourceName} may call ${targetName}`,
};

function toEdge(edge: ArrangedEdge, { edge: selected, arrangement }: CanvasInput, places: NodeIndex): LinkEdge {
  const { direction } = arrangement;
  const lengthOf = (end: NodeKey): number => places.get(end)?.[direction === "down" ? "height" : "width"] ?? 0;
  const { key, from: sourceKey, to: targetKey, fromName, toName, type } = edge;
  return {
    id: key,
    type: "link",
    source: sourceKey,
    target: targetKey,
    selected: key === selected,
    ariaLabel: edgeLabels[type](fromName, toName),
    domAttributes: { "aria-roledescription": undefined },
    markerEnd: { type: MarkerType.ArrowClosed, width: 18, height: 18, markerUnits: "userSpaceOnUse" },
    data: {
      fromName,
      toName,
      type,
      fromLength: lengthOf(sourceKey),
      toLength: lengthOf(targetKey),
      ...routeOf(arrangement, edge),
    },
  };
}

/** A distance in canvas pixels. */
export interface MovedItem {
  key: NodeKey;
  dx: number;
  dy: number;
}

export function findMoved(
  dragged: readonly CanvasNode[],
  arrangement: Arrangement,
  notes?: Notes | undefined,
): MovedItem[] {
  const nodeIndex = indexNodes(arrangement);
  return dragged.flatMap(({ id: key, position }) => {
    const note = findNote(notes, key);
    if (note) return [{ key, dx: position.x - note.x, dy: position.y - note.y }];
    const node = nodeIndex.get(key);
    if (!node) return [];
    const parent = node.parent === undefined ? undefined : nodeIndex.get(node.parent);
    return [{ key, dx: position.x - (node.x - (parent?.x ?? 0)), dy: position.y - (node.y - (parent?.y ?? 0)) }];
  });
}
