import { type Expression, sourcesOf } from "../flow/expression";
import { type Flow, findDeclaration, limits } from "../flow/flow";
import { Graph, GraphError, type Link } from "../flow/graph";
import { groupBy } from "../flow/group-by";
import { type NodeKey, nodeKey } from "../flow/node-key";
import type { Lane, NodeContent } from "../kinds/node-content";
import { kindOf } from "../kinds/registry";
import { type ArrangedNode, cardSize, type EdgeType, frameInset, gap } from "./arrangement";

/** The series-parallel tree with sizes: the result of pass one. */
export type Box = CardBox | AgainBox | FrameBox | ListBox;

interface Sized {
  width: number;
  height: number;
}
export interface CardBox extends Sized {
  type: "card";
  node: ArrangedNode;
}
/** A name that stands in its topology twice: takes no room, its links go to the card that is there. */
export interface AgainBox extends Sized {
  type: "again";
  node: ArrangedNode;
}
export interface FrameBox extends Sized {
  type: "frame";
  node: ArrangedNode;
  content: Box;
}
export interface ListBox extends Sized {
  type: "serial" | "parallel";
  members: Box[];
  scope: NodeKey;
  /** Serial: whether its members are linked one to the next. */
  linked: boolean;
  /** Links that are no part of the tree. */
  extra?: { links: readonly Link[]; type: EdgeType; nodes: ReadonlyMap<string, ArrangedNode> };
}

interface Building {
  flow: Flow;
  direction: "right" | "down";
  /** Shared by all parts. Beyond `limits.declarations` nodes, groups that are used many times over stay closed. */
  drawn: { nodes: number; repeats: boolean };
  scope: NodeKey;
  /** Names of the frames round it: a part that holds itself stops here. */
  open: readonly string[];
  /** Lists and frames round it. */
  depth: number;
  /** What stands in this topology so far, by name. */
  nodes: Map<string, ArrangedNode>;
}

/** Pass one for a whole flow. `repeats`: some topology holds a name twice. */
export function buildRoot(flow: Flow, direction: "right" | "down"): { root: Box; repeats: boolean } {
  const drawn = { nodes: 0, repeats: false };
  const building = { flow, direction, drawn, scope: "", open: [], depth: 0, nodes: new Map() };
  return {
    root: buildContent(kindOf(flow.swarm).content(flow.swarm) ?? { type: "members", members: [] }, building),
    repeats: drawn.repeats,
  };
}

function buildContent(content: NodeContent, building: Building): Box {
  switch (content.type) {
    case "flow":
      return build(content.flow, building, building.depth);
    case "lanes":
      return buildLanes(content.lanes, building);
    case "members": {
      const members = content.members.map((name) => buildName(name, building, building.depth));
      return list("parallel", members, building, false);
    }
    case "graph":
      return buildGraph(content, building);
  }
}

/** The lanes of a control side by side; each starts with its name. */
function buildLanes(lanes: readonly Lane[], building: Building): Box {
  const boxes = lanes.flatMap(([lane, flow]) => {
    if (!flow) return [];
    const box = build(flow, building, building.depth + 1);
    for (const name of sourcesOf(flow)) {
      const node = building.nodes.get(name);
      if (node) node.lane = lane;
    }
    return [box];
  });
  return list("parallel", boxes, building, false);
}

/** Goes as deep as parentheses do inside an open frame, which `buildName` limits. */
function build(expression: Expression, building: Building, depth: number): Box {
  if (expression.type === "name") return buildName(expression.name, building, depth);
  const members: Box[] = [];
  for (const member of expression.members) members.push(build(member, building, depth + 1));
  return list(expression.type, members, building, true);
}

function buildName(name: string, building: Building, depth: number): Box {
  const { flow, scope, open, drawn, nodes } = building;
  const there = nodes.get(name);
  if (there) {
    drawn.repeats = true;
    return { type: "again", node: there, width: 0, height: 0 };
  }
  const node = toNode(flow, name, scope);
  nodes.set(name, node);
  drawn.nodes++;
  const declaration = findDeclaration(flow, name);
  const isClosed = open.includes(name) || depth >= limits.depth || drawn.nodes > limits.declarations;
  const nodeContent = declaration && !isClosed ? kindOf(declaration).content(declaration) : null;
  if (!nodeContent) return { type: "card", node, width: node.width, height: node.height };
  const inner = { ...building, scope: node.key, open: [...open, name], depth: depth + 1, nodes: new Map() };
  const content = buildContent(nodeContent, inner);
  node.frame = true;
  node.width = Math.max(content.width, cardSize.width) + 2 * frameInset.side;
  node.height = Math.max(content.height, cardSize.height) + frameInset.top + frameInset.bottom;
  return { type: "frame", node, content, width: node.width, height: node.height };
}

/** A card of the usual size, not yet placed. */
export function toNode(flow: Flow, name: string, scope: NodeKey): ArrangedNode {
  const declaration = findDeclaration(flow, name);
  const node: ArrangedNode = {
    key: nodeKey(scope, name),
    name,
    type: declaration?.type ?? "unknown",
    frame: false,
    x: 0,
    y: 0,
    width: cardSize.width,
    height: cardSize.height,
    placed: true,
  };
  if (scope !== "") node.parent = scope;
  if (declaration && "mode" in declaration) node.mode = declaration.mode;
  return node;
}

function list(type: "serial" | "parallel", members: Box[], { direction, scope }: Building, linked: boolean): ListBox {
  const along = (type === "serial") === (direction === "right");
  const space = type === "serial" ? gap.along : gap.across;
  let length = -space;
  let most = 0;
  for (const member of members) {
    if (isEmpty(member)) continue;
    length += (along ? member.width : member.height) + space;
    most = Math.max(most, along ? member.height : member.width);
  }
  length = Math.max(0, length);
  return { type, members, scope, linked, width: along ? length : most, height: along ? most : length };
}

/** Takes no room, and no gap either. */
export const isEmpty = (box: Box): boolean => box.width === 0;

/** A graph has no tree: its ranks follow one another. */
function buildGraph(graph: Extract<NodeContent, { type: "graph" }>, building: Building): Box {
  const { members, links, linkType, ranks: ranking } = graph;
  const order = ranking === "distance" ? rankByDistance(members, links) : rankNames(members, links);
  const ranks = order.map((names) => {
    const cards = names.map((name) => buildName(name, building, building.depth + 2));
    return list("parallel", cards, building, false);
  });
  return { ...list("serial", ranks, building, false), extra: { links, type: linkType, nodes: building.nodes } };
}

/** Those whom the first may hand over to stand behind it, and so on; whom nobody hands over to stand last. */
function rankByDistance(roster: readonly string[], links: readonly Link[]): string[][] {
  const targets = groupBy(links, ([from]) => from);
  const [start] = roster;
  const ranks: string[][] = [];
  const seen = new Set<string>();
  for (let rank = start === undefined ? [] : [start]; rank.length > 0; ) {
    for (const name of rank) seen.add(name);
    ranks.push(rank);
    rank = [...new Set(rank.flatMap((name) => (targets.get(name) ?? []).map(([, to]) => to)))].filter(
      (name) => !seen.has(name),
    );
  }
  const left = roster.filter((name) => !seen.has(name));
  return left.length > 0 ? [...ranks, left] : ranks;
}

/** So many links that close a circle are left out of account; with more of them everything stands in one rank. */
const mostCycles = 100;

function rankNames(names: readonly string[], links: readonly Link[]): string[][] {
  const graph = Graph.of(names, links);
  for (let cycles = 0; cycles < mostCycles; cycles++)
    try {
      return graph.layers();
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      graph.removeEdge(error.nodes.at(-1) ?? "", error.nodes[0] ?? "");
    }
  return [[...names]];
}
