import { type NodeHandle, Position } from "@xyflow/react";
import { numberAgents } from "@/lib/core/flow/agent-numbers";
import type { FlowDirection } from "@/lib/core/flow/edit";
import { type Flow, findDeclaration } from "@/lib/core/flow/flow";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { findNote, type KeyedNote, listNotes, type Notes } from "@/lib/core/flow/note";
import type { Problem } from "@/lib/core/flow/problem";
import { kindOf } from "@/lib/core/kinds/registry";
import { describeSwarmLimit } from "@/lib/core/kinds/swarm";
import type { ArrangedNode, Arrangement } from "@/lib/core/layout/arrange-flow";
import { isFoldable, listFoldedAgents } from "@/lib/core/layout/folded-agents";
import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import { rolesOf } from "@/lib/core/layout/scene/member-roles";
import { indexNodes, type NodeIndex } from "@/lib/core/layout/scene/node-index";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { toEdges } from "./canvas-edges";
import type {
  CanvasNode,
  FrameCardData,
  LinkEdge,
  NodeCardData,
  NoteNode,
  SwarmFrameNode,
  UnconnectedZoneNode,
} from "./canvas-nodes";
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
const swarmFrameKey = "/swarm";

export const toCanvas = (input: CanvasInput, previous: CanvasGraph = emptyGraph): CanvasGraph => ({
  nodes: reuseUnchanged(toNodes(input), previous.nodes),
  edges: reuseUnchanged(toEdges(input), previous.edges),
  input,
});

function toNodes(input: CanvasInput): CanvasNode[] {
  const context = toContext(input);
  const notes = findMountedNotes(input).map((note) => toNote(note, context.selected));
  const nodes = findMounted(input).map((node) => toNode(node, context));
  const background = nodes.length > 0 ? [toSwarmFrame(input), toZone(input.arrangement)] : [];
  return [...background.filter((node) => node !== null), ...notes, ...nodes];
}

const findMountedNotes = ({ notes, mounted }: CanvasInput): readonly KeyedNote[] =>
  listNotes(notes).filter(({ key }) => mounted?.has(key) ?? true);

function findMounted({ arrangement, mounted }: CanvasInput): readonly ArrangedNode[] {
  if (!mounted) return arrangement.nodes;
  const { positions, nodes } = sceneOf(arrangement);
  const mountedPositions = [...mounted].flatMap((key) => positions.get(key) ?? []).sort((a, b) => a - b);
  return mountedPositions.flatMap((position) => nodes[position] ?? []);
}

interface MappingContext {
  flow: Flow;
  nodeIndex: NodeIndex;
  direction: FlowDirection;
  isCompact: boolean;
  members: ReadonlyMap<NodeKey, number>;
  errors: ReadonlyMap<NodeKey, number>;
  warnings: ReadonlyMap<NodeKey, number>;
  selected: ReadonlySet<NodeKey>;
  roles: ReturnType<typeof rolesOf>;
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
    isCompact: arrangement.density === "compact",
    members: countMembers(arrangement),
    errors: count("error"),
    warnings: count("warning"),
    selected: new Set(selection),
    roles: rolesOf(flow),
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
  const isSelected = context.selected.has(node.key);
  const shared = {
    ...toNodeBox(node.key, node, positionInFrame(node, context.nodeIndex)),
    handles: toHandles(node.width, node.height, node.direction ?? context.direction),
    ...sides[node.direction ?? context.direction],
    selected: isSelected,
    // Cards that users moved may lie on each other.
    ...(isSelected && !node.frame ? { zIndex: 1 } : {}),
    ...(node.parent === undefined ? {} : { parentId: node.parent }),
    ...(node.frame ? { className: "pointer-events-none!" } : {}),
  };
  const facts: NodeCardData = {
    key: node.key,
    name: node.name,
    agentNumber: node.agentNumber,
    isCompact: context.isCompact,
    placed: node.placed,
    role: context.roles(node),
    errors: context.errors.get(node.key) ?? 0,
    warnings: context.warnings.get(node.key) ?? 0,
  };
  const declaration = findDeclaration(context.flow, node.name);
  if (!declaration) return { ...shared, type: "unknown", data: facts };
  if (node.folded) return { ...shared, type: "folded", data: { ...facts, ...toFoldedData(node, context) } };
  const content = kindOf(declaration).card(declaration);
  if (content.type === "agent-card") {
    const { type: _, ...card } = content;
    return { ...shared, type: "agent", data: { ...facts, ...card } };
  }
  const data: FrameCardData = {
    ...facts,
    kind: node.type,
    type: node.mode ?? node.type,
    detail: content.detail,
    detailIsText: content.detailIsText ?? false,
    shape: content.shape ?? "rectangle",
    runsDown: context.direction === "down",
    condition: content.condition ?? "",
    limit: content.limit ?? "",
    members: context.members.get(node.key) ?? 0,
    foldable: node.frame && isFoldable(context.flow, node.name),
  };
  return node.frame
    ? { ...shared, type: "frame", dragHandle: ".frame-header", data }
    : { ...shared, type: "closedFrame", data };
}

/** The problems of hidden members count too. */
function toFoldedData(node: ArrangedNode, { flow, errors, warnings }: MappingContext) {
  const numbers = numberAgents(flow);
  const countInside = (counts: ReadonlyMap<NodeKey, number>): number =>
    [...counts].reduce(
      (sum, [key, count]) => (key === node.key || key.startsWith(`${node.key}/`) ? sum + count : sum),
      0,
    );
  return {
    kind: node.type,
    type: node.mode ?? node.type,
    errors: countInside(errors),
    warnings: countInside(warnings),
    agents: listFoldedAgents(flow, node).map(({ key, name }) => {
      const number = numbers.get(name);
      return { key, name, ...(number === undefined ? {} : { number }) };
    }),
  };
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

/** Around the members of a flow that is itself a handoff swarm, a team or an orchestration. */
function toSwarmFrame({ arrangement, flow: { swarm } }: CanvasInput): SwarmFrameNode | null {
  const { frame } = sceneOf(arrangement);
  return (
    frame && {
      ...toNodeBox(swarmFrameKey, frame, { x: frame.x, y: frame.y }),
      ...backgroundNode,
      zIndex: -2,
      type: "swarmFrame",
      selectable: false,
      draggable: false,
      className: "pointer-events-none!",
      data: { mode: swarm.mode, limit: describeSwarmLimit(swarm) },
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
