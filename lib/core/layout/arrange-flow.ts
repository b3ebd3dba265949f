import type { Layout } from "../flow/edit";
import type { Flow } from "../flow/flow";
import type { NodeKey } from "../flow/node-key";
import { findUnreached } from "../kinds/members";
import {
  type ArrangedLine,
  type ArrangedNode,
  type Arrangement,
  type ArrangeOptions,
  cardSizes,
  frameInsetOf,
  gap,
} from "./arrangement";
import { type Box, buildRoot, isEmpty, type ListBox, type Sized, toNode } from "./build-boxes";
import { linkLines, linkMembers } from "./link-boxes";
import { canWrap, sizeLines, wrapLines } from "./wrap-lines";

export type {
  ArrangedEdge,
  ArrangedLine,
  ArrangedNode,
  Arrangement,
  ArrangeOptions,
  Density,
  EdgeType,
} from "./arrangement";

/**
 * Positions everything in a flow: the two-pass layout of a series-parallel tree. Pass one sums sizes from the
 * leaves up (a serial adds along the main axis and takes the maximum across, a parallel the other way round, a frame
 * adds its inset); pass two assigns positions, centred across. With `wrap`, an outermost serial that is longer continues
 * in further lines, each as long as fits. Linear, deterministic, without overlaps; pins move nodes
 * afterwards, a frame together with its content. A name that occurs twice in one topology has one card. Declarations in no
 * topology are placed in rows below.
 */
export function arrangeFlow(flow: Flow, layout: Layout, options: ArrangeOptions = {}): Arrangement {
  const direction = options.direction ?? layout.direction ?? "right";
  const density = options.density ?? "full";
  const { root, repeats } = buildRoot(flow, direction, { density, folded: foldedKeys(layout) });
  const lines: ArrangedLine[] = [];
  const placing: Placing = {
    pins: layout.pins,
    direction,
    density,
    mode: flow.swarm.mode,
    lines,
    nodes: [],
    edges: [],
    width: 0,
    height: 0,
  };
  const rootSize = placeRoot(root, options.wrap, lines, placing);
  placeWaiting(flow, isEmpty(root) ? 0 : rootSize.height + waitingGap, options.waitingColumns, placing);
  const { pins: _, edges, ...arrangement } = placing;
  return { ...arrangement, edges: repeats ? [...new Map(edges.map((edge) => [edge.key, edge])).values()] : edges };
}

/** Without one for most flows. */
export const foldedKeys = ({ folded }: Layout): ReadonlySet<NodeKey> | undefined => folded && new Set(folded);

interface Placing extends Arrangement {
  pins: Layout["pins"];
}

/** Returns the size that the root takes. */
function placeRoot(root: Box, wrap: number | undefined, arranged: ArrangedLine[], placing: Placing): Sized {
  const lines = wrap !== undefined && canWrap(root) ? wrapLines(root, placing.direction, wrap) : [];
  if (lines.length < 2) {
    place(root, 0, 0, placing);
    return root;
  }
  const isRight = placing.direction === "right";
  let across = 0;
  let before: ListBox | null = null;
  for (const line of lines) {
    const [x, y] = isRight ? [0, across] : [across, 0];
    const start = placing.nodes.length;
    place(line, x, y, placing);
    arranged.push({ x, y, width: line.width, height: line.height, start, end: placing.nodes.length });
    if (before) linkLines(before, line, across - gap.lines / 2, placing.edges);
    across += (isRight ? line.height : line.width) + gap.lines;
    before = line;
  }
  return sizeLines(lines, placing.direction);
}

/** Pass two: positions the nodes of `box`, whose top left corner is at `x`, `y`. Recurses as deep as pass one. */
function place(box: Box, x: number, y: number, placing: Placing): void {
  if (box.type === "again") return;
  if (!("members" in box)) {
    const { node } = box;
    put(node, x, y, placing);
    if (box.type !== "frame") return;
    const { left, top } = frameInsetOf(node, placing.direction);
    place(box.content, node.x + left, node.y + top, placing);
    return;
  }
  const along = (box.type === "serial") === (box.direction === "right");
  const { space } = box;
  const trunks: number[] = [];
  let offset = 0;
  for (const member of box.members) {
    trunks.push((along ? x : y) + offset - space / 2);
    if (isEmpty(member)) continue;
    if (along) place(member, x + offset, y + (box.height - member.height) / 2, placing);
    else place(member, x + (box.width - member.width) / 2, y + offset, placing);
    offset += (along ? member.width : member.height) + space;
  }
  linkMembers(box, trunks, placing.edges);
}

/** Positions a node, moved by its pin. */
function put(node: ArrangedNode, x: number, y: number, placing: Placing): void {
  const pin = Object.hasOwn(placing.pins, node.key) ? placing.pins[node.key] : undefined;
  node.x = x + (pin?.dx ?? 0);
  node.y = y + (pin?.dy ?? 0);
  placing.nodes.push(node);
  placing.width = Math.max(placing.width, node.x + node.width);
  placing.height = Math.max(placing.height, node.y + node.height);
}

export const waitingGap = 96;
export const mostWaitingColumns = 5;

/** The positions of cards in no topology, from the top left corner of the first: in rows. */
export function toWaitingPosition(index: number, { width, height }: Sized, columns = mostWaitingColumns) {
  const [row, column] = [Math.floor(index / columns), index % columns];
  return { x: column * (width + gap.across), y: row * (height + gap.across) };
}

/** Places declarations that are in no topology in rows of cards below the flow. */
function placeWaiting(flow: Flow, top: number, columns: number | undefined, placing: Placing): void {
  findUnreached(flow).forEach((name, index) => {
    const node = { ...toNode(flow, name, "", placing.density), placed: false };
    const { x, y } = toWaitingPosition(index, cardSizes[placing.density], columns);
    put(node, x, top + y, placing);
  });
}
