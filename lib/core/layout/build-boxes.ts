import { numberAgents } from "../flow/agent-numbers";
import { type Expression, sourcesOf } from "../flow/expression";
import { type Flow, findDeclaration, limits } from "../flow/flow";
import { Graph, GraphError, type Link } from "../flow/graph";
import { groupBy } from "../flow/group-by";
import { type NodeKey, nodeKey } from "../flow/node-key";
import { declaredNames } from "../kinds/members";
import type { Lane, NodeContent } from "../kinds/node-kind";
import { kindOf } from "../kinds/registry";
import { type ArrangedNode, cardSizes, type Density, type EdgeType, frameInsetOf, gap } from "./arrangement";

/** The series-parallel tree with sizes: the result of pass one. */
export type Box = CardBox | FrameBox | ListBox;

export interface Sized {
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
  /** Of serials in it. */
  direction: "right" | "down";
  /** Pixels between two members. */
  space: number;
  /** Serial: whether its members are linked one to the next. */
  linked: boolean;
  /** Links that are not in the tree. */
  extra?: { links: readonly Link[]; type: EdgeType; nodes: ReadonlyMap<string, ArrangedNode> };
}

interface Building {
  flow: Flow;
  direction: "right" | "down";
  density: Density;
  /** Containers that are drawn as cards. */
  folded: ReadonlySet<NodeKey>;
  /** Shared by the whole flow. Beyond its limits, containers are drawn as cards. */
  drawn: Drawn;
  scope: NodeKey;
  /** Names of the enclosing frames, which ends the recursion of a container in itself. */
  open: readonly string[];
  /** The number of enclosing lists and frames. */
  depth: number;
  /** The nodes of this topology so far, by name. */
  nodes: Map<string, ArrangedNode>;
}

interface Drawn {
  nodes: number;
  maxNodes: number;
  /** Of graphs. */
  links: number;
  maxLinks: number;
  repeats: boolean;
}

interface BuildOptions {
  density?: Density | undefined;
  folded?: ReadonlySet<NodeKey> | undefined;
}

const noKeys: ReadonlySet<NodeKey> = new Set();

/** A few names may have exponentially many places: larger flows may have so many for each declaration and each link. */
const [smallNodes, smallLinks, places] = [2_500, 10_000, 2];

function startDrawing(flow: Flow): Drawn {
  const links = [flow.swarm, ...flow.swarms.values()].reduce((sum, { edges = [] }) => sum + edges.length, 0);
  return {
    ...{ nodes: 0, maxNodes: Math.max(smallNodes, places * declaredNames(flow).length) },
    ...{ links: 0, maxLinks: Math.max(smallLinks, places * links) },
    repeats: false,
  };
}

const isFull = ({ nodes, maxNodes, links, maxLinks }: Drawn): boolean => nodes > maxNodes || links > maxLinks;

/** Pass one for a whole flow. `repeats`: some topology contains a name twice. */
export function buildRoot(
  flow: Flow,
  direction: "right" | "down",
  { density = "full", folded = noKeys }: BuildOptions = {},
): { root: Box; repeats: boolean } {
  const drawn = startDrawing(flow);
  const building = { flow, direction, density, folded, drawn, scope: "", open: [], depth: 0, nodes: new Map() };
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
  const { flow, density, folded, scope, open, drawn, nodes } = building;
  const existingNode = nodes.get(name);
  if (existingNode) {
    drawn.repeats = true;
    return { type: "again", node: existingNode, width: 0, height: 0 };
  }
  const node = toNode(flow, name, scope, density);
  nodes.set(name, node);
  drawn.nodes++;
  const declaration = findDeclaration(flow, name);
  const isClosed = open.includes(name) || depth >= limits.depth || isFull(drawn);
  const nodeContent = declaration && !isClosed ? kindOf(declaration).content(declaration) : null;
  if (nodeContent && folded.has(node.key)) node.folded = true;
  if (!nodeContent || node.folded) return { type: "card", node, width: node.width, height: node.height };
  const innerBuilding = { ...building, scope: node.key, open: [...open, name], depth: depth + 1, nodes: new Map() };
  const content = buildContent(nodeContent, innerBuilding);
  node.frame = true;
  const card = cardSizes[density];
  const { left, right, top, bottom } = frameInsetOf(node, building.direction);
  node.width = Math.max(content.width, card.width) + left + right;
  node.height = Math.max(content.height, card.height) + top + bottom;
  return { type: "frame", node, content, width: node.width, height: node.height };
}

/** A card of the usual size, not yet placed. */
export function toNode(flow: Flow, name: string, scope: NodeKey, density: Density = "full"): ArrangedNode {
  const declaration = findDeclaration(flow, name);
  const { width, height } = cardSizes[density];
  const node: ArrangedNode = {
    key: nodeKey(scope, name),
    name,
    type: declaration?.type ?? "unknown",
    frame: false,
    x: 0,
    y: 0,
    width,
    height,
    placed: true,
    agentNumber: numberAgents(flow).get(name),
  };
  if (scope !== "") node.parent = scope;
  if (declaration && "mode" in declaration) node.mode = declaration.mode;
  return node;
}

function toListBox(
  type: "serial" | "parallel",
  members: Box[],
  { direction, scope }: Pick<Building, "direction" | "scope">,
  linked: boolean,
  space: number = type === "serial" ? gap.along : gap.across,
): ListBox {
  const { width, height } = sizeList({ type, members, direction, space });
  return { type, members, scope, direction, linked, space, width, height };
}

export function sizeList({
  type,
  members,
  direction,
  space,
}: Pick<ListBox, "type" | "members" | "direction" | "space">): Sized {
  const isHorizontal = (type === "serial") === (direction === "right");
  let length = -space;
  let most = 0;
  for (const member of members) {
    if (isEmpty(member)) continue;
    length += (isHorizontal ? member.width : member.height) + space;
    most = Math.max(most, isHorizontal ? member.height : member.width);
  }
  length = Math.max(0, length);
  return isHorizontal ? { width: length, height: most } : { width: most, height: length };
}

/** Between the ranks of a graph, and between the members of one: its links are not parallel, and there may be some in a rank. */
const graphGap = { along: 96, across: 52 } as const;

/** Whether a box takes no space, and no gap either. */
export const isEmpty = (box: Box): boolean => box.width === 0;

/** A graph has no tree: its ranks are a serial. */
function buildGraph(graph: Extract<NodeContent, { type: "graph" }>, building: Building): Box {
  const { members, links, linkType, ranks: ranking } = graph;
  building.drawn.links += links.length;
  const order = ranking === "distance" ? rankByDistance(members, links) : rankNames(members, links);
  const isTurned = linkType === "delegate" && building.direction === "right" && links.length <= mostBelowLead;
  const turned: Building = isTurned ? { ...building, direction: "down" } : building;
  const ranks = order.map((names) => {
    const cards = names.map((name) => buildName(name, building, building.depth + 2));
    if (isTurned) for (const card of cards) if ("node" in card) card.node.direction = "down";
    return toListBox("parallel", cards, turned, false, linkType === "handoff" ? graphGap.across : gap.across);
  });
  return {
    ...toListBox("serial", ranks, turned, false, graphGap.along),
    extra: { links, type: linkType, nodes: building.nodes },
  };
}

/** A team of more workers has its lead before them: a row below it would be too wide. */
const mostBelowLead = 5;

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
