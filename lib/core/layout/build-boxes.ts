import { type Expression, sourcesOf } from "../flow/expression";
import { type Flow, findDeclaration, limits } from "../flow/flow";
import { Graph, GraphError, type Link } from "../flow/graph";
import { groupBy } from "../flow/group-by";
import { type NodeKey, nodeKey } from "../flow/node-key";
import type { Lane, NodeContent } from "../kinds/node-kind";
import { kindOf } from "../kinds/registry";
import { type ArrangedNode, cardSize, type EdgeType, frameInset, gap } from "./arrangement";

/** The series-parallel tree with sizes: the result of pass one. */
export type Box = CardBox | FrameBox | ListBox;

interface Sized {
  width: number;
  height: number;
}
/** `again`: a repeated name in its topology, which takes no space; its links go to the existing card. */
interface CardBox extends Sized {
  type: "card" | "again";
  node: ArrangedNode;
}
interface FrameBox extends Sized {
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
  /** Links that are not in the tree. */
  extra?: { links: readonly Link[]; type: EdgeType; nodes: ReadonlyMap<string, ArrangedNode> };
}

interface Building {
  flow: Flow;
  direction: "right" | "down";
  /** Shared by the whole flow. Beyond `limits.declarations` nodes, containers are drawn as cards. */
  drawn: { nodes: number; repeats: boolean };
  scope: NodeKey;
  /** Names of the enclosing frames, which ends the recursion of a container in itself. */
  open: readonly string[];
  /** The number of enclosing lists and frames. */
  depth: number;
  /** The nodes of this topology so far, by name. */
  nodes: Map<string, ArrangedNode>;
}

/** Pass one for a whole flow. `repeats`: some topology contains a name twice. */
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
      return buildExpression(content.flow, building, building.depth);
    case "lanes":
      return buildLanes(content.lanes, building);
    case "members": {
      const members = content.members.map((name) => buildName(name, building, building.depth));
      return toListBox("parallel", members, building, false);
    }
    case "graph":
      return buildGraph(content, building);
  }
}

/** The lanes of a control in parallel; their first nodes carry the name of the lane. */
function buildLanes(lanes: readonly Lane[], building: Building): Box {
  const boxes = lanes.flatMap(([lane, flow]) => {
    if (!flow) return [];
    const box = buildExpression(flow, building, building.depth + 1);
    for (const name of sourcesOf(flow)) {
      const node = building.nodes.get(name);
      if (node) node.lane = lane;
    }
    return [box];
  });
  return toListBox("parallel", boxes, building, false);
}

/** Recurses as deep as the parentheses in an open frame; `buildName` limits the frames. */
function buildExpression(expression: Expression, building: Building, depth: number): Box {
  if (expression.type === "name") return buildName(expression.name, building, depth);
  const members: Box[] = [];
  for (const member of expression.members) members.push(buildExpression(member, building, depth + 1));
  return toListBox(expression.type, members, building, true);
}

function buildName(name: string, building: Building, depth: number): Box {
  const { flow, scope, open, drawn, nodes } = building;
  const existingNode = nodes.get(name);
  if (existingNode) {
    drawn.repeats = true;
    return { type: "again", node: existingNode, width: 0, height: 0 };
  }
  const node = toNode(flow, name, scope);
  nodes.set(name, node);
  drawn.nodes++;
  const declaration = findDeclaration(flow, name);
  const isClosed = open.includes(name) || depth >= limits.depth || drawn.nodes > limits.declarations;
  const nodeContent = declaration && !isClosed ? kindOf(declaration).content(declaration) : null;
  if (!nodeContent) return { type: "card", node, width: node.width, height: node.height };
  const innerBuilding = { ...building, scope: node.key, open: [...open, name], depth: depth + 1, nodes: new Map() };
  const content = buildContent(nodeContent, innerBuilding);
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

function toListBox(
  type: "serial" | "parallel",
  members: Box[],
  { direction, scope }: Building,
  linked: boolean,
): ListBox {
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

/** Whether a box takes no space, and no gap either. */
export const isEmpty = (box: Box): boolean => box.width === 0;

/** A graph has no tree: its ranks are a serial. */
function buildGraph(graph: Extract<NodeContent, { type: "graph" }>, building: Building): Box {
  const { members, links, linkType, ranks: ranking } = graph;
  const order = ranking === "distance" ? rankByDistance(members, links) : rankNames(members, links);
  const ranks = order.map((names) => {
    const cards = names.map((name) => buildName(name, building, building.depth + 2));
    return toListBox("parallel", cards, building, false);
  });
  return { ...toListBox("serial", ranks, building, false), extra: { links, type: linkType, nodes: building.nodes } };
}

/** The ranks of a roster by distance from its first member; unreachable members are the last rank. */
function rankByDistance(roster: readonly string[], links: readonly Link[]): string[][] {
  const targets = groupBy(links, ([source]) => source);
  const [start] = roster;
  const ranks: string[][] = [];
  const rankedNames = new Set<string>();
  for (let rank = start === undefined ? [] : [start]; rank.length > 0; ) {
    for (const name of rank) rankedNames.add(name);
    ranks.push(rank);
    rank = [...new Set(rank.flatMap((name) => (targets.get(name) ?? []).map(([, target]) => target)))].filter(
      (name) => !rankedNames.has(name),
    );
  }
  const unreachedNames = roster.filter((name) => !rankedNames.has(name));
  return unreachedNames.length > 0 ? [...ranks, unreachedNames] : ranks;
}

/** The number of links that are ignored to break cycles; with more cycles all names are in one rank. */
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
