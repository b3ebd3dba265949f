import { type Box, buildBox, cardSize, frameInset, gap } from "./arrange-boxes";
import { type EndLink, linkEnds } from "./arrange-links";
import { membersOf } from "./check";
import type { Layout } from "./edit";
import { type Flow, findDeclaration, type Group, type Swarm } from "./flow";
import { type NodeKey, nodeKey } from "./keys";

export { cardSize } from "./arrange-boxes";

/** One card or frame, in canvas pixels; absolute, pins applied. */
export interface ArrangedNode {
  key: NodeKey;
  name: string;
  kind: "agent" | "group" | "swarm" | "unknown";
  groupType?: Group["type"];
  swarmType?: Swarm["type"];
  /** Drawn round its members; else drawn as a card. */
  frame: boolean;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The frame that holds it. */
  parent?: NodeKey;
  /** False: declared but in no topology; drawn in a row below. */
  placed: boolean;
}

export interface ArrangedEdge {
  key: string;
  from: NodeKey;
  to: NodeKey;
  /** Of a drawing that no text can say. */
  draft: boolean;
  /** The place whose topology holds the link; `""` is the root swarm. */
  scope: NodeKey;
  fromName: string;
  toName: string;
}

export interface Arrangement {
  /** Frames before what they hold. */
  nodes: ArrangedNode[];
  edges: ArrangedEdge[];
  width: number;
  height: number;
}

export interface ArrangeOptions {
  /** Which way a serial runs. */
  direction?: "right" | "down";
}

const unplacedColumns = 5;
const unplacedGap = 96;

/**
 * Where everything in a flow stands: the two-pass layout of a series-parallel tree. Pass one sums sizes from the
 * leaves up (a serial adds along the main axis and takes the maximum across, a parallel the other way round, a frame
 * adds its inset); pass two places, centred across. Linear, deterministic, without overlaps; pins move nodes afterwards.
 */
export function arrangeFlow(flow: Flow, layout: Layout, options: ArrangeOptions = {}): Arrangement {
  const direction = options.direction ?? "right";
  const nodes: ArrangedNode[] = [];
  const links: EndLink[] = [];
  const root = buildBox({ flow, direction, scope: "", part: flow.swarm, open: [] });
  place(root, { x: 0, y: 0 }, { layout, direction, nodes, links });
  const size = placeWaiting(flow, nodes, layout, root);
  const edges = links.map(({ scope, from, to, draft }) => ({
    key: `${scope}|${from.name}|${to.name}`,
    from: from.key,
    to: to.key,
    draft,
    scope,
    fromName: from.name,
    toName: to.name,
  }));
  return { nodes, edges, ...size };
}

interface Placing {
  layout: Layout;
  direction: "right" | "down";
  nodes: ArrangedNode[];
  links: EndLink[];
}

/** Pass two: writes the nodes of `box`, whose corner stands at `at`. */
function place(box: Box, at: { x: number; y: number }, placing: Placing, parent?: NodeKey): void {
  if (box.type === "card" || box.type === "frame") {
    const pin = placing.layout.pins[box.key];
    const corner = { x: at.x + (pin?.dx ?? 0), y: at.y + (pin?.dy ?? 0) };
    placing.nodes.push({
      ...box.facts,
      ...corner,
      width: box.width,
      height: box.height,
      ...(parent === undefined ? {} : { parent }),
    });
    if (box.type === "frame")
      place(box.content, { x: corner.x + frameInset.side, y: corner.y + frameInset.top }, placing, box.key);
    return;
  }
  const along = box.type === "serial" ? placing.direction === "right" : placing.direction === "down";
  let offset = 0;
  for (const member of box.members) {
    const corner = along
      ? { x: at.x + offset, y: at.y + (box.height - member.height) / 2 }
      : { x: at.x + (box.width - member.width) / 2, y: at.y + offset };
    place(member, corner, placing, parent);
    offset += (along ? member.width : member.height) + (box.type === "serial" ? gap.along : gap.across);
  }
  linkEnds(box, placing.links);
}

/** Rows of cards below the flow for what is declared but stands in no topology. */
function placeWaiting(flow: Flow, nodes: ArrangedNode[], layout: Layout, root: Box): { width: number; height: number } {
  const names = unreached(flow);
  const empty = root.type !== "card" && root.type !== "frame" && root.members.length === 0;
  const top = empty ? 0 : root.height + unplacedGap;
  names.forEach((name, index) => {
    const key = nodeKey("", name);
    const pin = layout.pins[key];
    const declaration = findDeclaration(flow, name);
    nodes.push({
      key,
      name,
      kind: declaration?.kind ?? "unknown",
      ...(declaration?.kind === "group" ? { groupType: declaration.value.type } : {}),
      ...(declaration?.kind === "swarm" ? { swarmType: declaration.value.type } : {}),
      frame: false,
      x: (index % unplacedColumns) * (cardSize.width + gap.across) + (pin?.dx ?? 0),
      y: top + Math.floor(index / unplacedColumns) * (cardSize.height + gap.across) + (pin?.dy ?? 0),
      ...cardSize,
      placed: false,
    });
  });
  if (names.length === 0) return { width: root.width, height: root.height };
  const columns = Math.min(names.length, unplacedColumns);
  const rows = Math.ceil(names.length / unplacedColumns);
  return {
    width: Math.max(root.width, columns * (cardSize.width + gap.across) - gap.across),
    height: top + rows * (cardSize.height + gap.across) - gap.across,
  };
}

function unreached(flow: Flow): string[] {
  const reached = new Set<string>();
  const waiting = membersOf(flow.swarm);
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const found = findDeclaration(flow, name);
    if (found && found.kind !== "agent") waiting.push(...membersOf(found.value));
  }
  return [...flow.agents.keys(), ...flow.groups.keys(), ...flow.swarms.keys()].filter((name) => !reached.has(name));
}
