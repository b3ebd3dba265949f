import { MarkerType, type NodeHandle, Position } from "@xyflow/react";
import { findKindView } from "@/app/_kinds/registry";
import type { FlowDirection } from "@/lib/core/flow/edit";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote, type KeyedNote, listNotes, type Notes } from "@/lib/core/flow/note";
import type { Problem } from "@/lib/core/flow/problem";
import type { ArrangedEdge, ArrangedNode, Arrangement, EdgeType } from "@/lib/core/layout/arrange-flow";
import type { CanvasBox } from "../scene/canvas-box";
import { routeOf } from "../scene/link-route";
import { indexNodes, type NodeIndex } from "../scene/node-index";
import { type Scene, sceneOf } from "../scene/scene";
import type { CanvasNode, FrameCardData, LinkEdge, NodeCardData, NoteNode, UnconnectedZoneNode } from "./canvas-nodes";
import { describeLane } from "./describe-lane";
import { reuseUnchanged } from "./reuse-unchanged";

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

export const toCanvas = (input: CanvasInput, previous: CanvasGraph = emptyGraph): CanvasGraph => ({
  nodes: reuseUnchanged(toNodes(input), previous.nodes),
  edges: reuseUnchanged(toEdges(input), previous.edges),
  input,
});

function toNodes(input: CanvasInput): CanvasNode[] {
  const context = toContext(input);
  const notes = findMountedNotes(input).map((note) => toNote(note, context.selected));
  const nodes = findMounted(input).map((node) => toNode(node, context));
  const zone = nodes.length > 0 ? toZone(input.arrangement) : null;
  return [...(zone ? [zone] : []), ...notes, ...nodes];
}

const findMountedNotes = ({ notes, mounted }: CanvasInput): readonly KeyedNote[] =>
  listNotes(notes).filter(({ key }) => mounted?.has(key) ?? true);

function findMounted({ arrangement, mounted }: CanvasInput): readonly ArrangedNode[] {
  if (!mounted) return arrangement.nodes;
  const { positions, nodes } = sceneOf(arrangement);
  const mountedPositions = [...mounted].flatMap((key) => positions.get(key) ?? []).sort((a, b) => a - b);
  return mountedPositions.flatMap((position) => nodes[position] ?? []);
}

function toEdges(input: CanvasInput): LinkEdge[] {
  const { arrangement, mounted } = input;
  const nodeIndex = indexNodes(arrangement);
  const links = mounted ? findLinks(sceneOf(arrangement), mounted) : arrangement.edges;
  return links.map((edge) => toEdge(edge, input, nodeIndex));
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
  return {
    flow,
    nodeIndex: indexNodes(arrangement),
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

/** React Flow's own description of the role is removed: cards describe themselves. */
const toNodeBox = (id: string, { width, height }: CanvasBox, position: { x: number; y: number }) => ({
  id,
  position,
  width,
  height,
  measured: { width, height },
  domAttributes: { "aria-roledescription": undefined },
});

/** Positions of members count from the corner of their frame. */
function positionInFrame(node: ArrangedNode, nodeIndex: NodeIndex): { x: number; y: number } {
  const frame = nodeIndex.get(node.parent ?? "");
  return { x: node.x - (frame?.x ?? 0), y: node.y - (frame?.y ?? 0) };
}

function toNode(node: ArrangedNode, context: MappingContext): CanvasNode {
  const shared = {
    ...toNodeBox(node.key, node, positionInFrame(node, context.nodeIndex)),
    handles: toHandles(node.width, node.height, context.direction),
    ...sides[context.direction],
    selected: context.selected.has(node.key),
    ...(node.parent === undefined ? {} : { parentId: node.parent }),
    ...(node.frame ? { className: "pointer-events-none!" } : {}),
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
    : { ...shared, type: "closedFrame", data };
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

const backgroundNode = { handles: [], connectable: false, zIndex: -1 };

function toZone(arrangement: Arrangement): UnconnectedZoneNode | null {
  const { zone, nodes } = sceneOf(arrangement);
  return (
    zone && {
      ...toNodeBox(zoneKey, zone, { x: zone.x, y: zone.y }),
      ...backgroundNode,
      type: "unconnectedZone",
      selectable: false,
      draggable: false,
      className: "pointer-events-none!",
      data: { count: nodes.filter((node) => !node.placed && node.parent === undefined).length },
    }
  );
}

const toNote = (note: KeyedNote, selected: ReadonlySet<NodeKey>): NoteNode => ({
  ...toNodeBox(note.key, note, { x: note.x, y: note.y }),
  ...backgroundNode,
  type: "note",
  selected: selected.has(note.key),
  data: { id: note.id, text: note.text, color: note.color },
});

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
    const { x, y } = positionInFrame(node, nodeIndex);
    return [{ key, dx: position.x - x, dy: position.y - y }];
  });
}
