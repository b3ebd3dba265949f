import type { Layout } from "../flow/edit";
import type { Flow } from "../flow/flow";
import { findUnreached } from "../kinds/members";
import { type ArrangedNode, type Arrangement, type ArrangeOptions, cardSize, frameInset, gap } from "./arrangement";
import { type Box, buildRoot, isEmpty, toNode } from "./build-boxes";
import { linkMembers } from "./link-boxes";

export type { ArrangedEdge, ArrangedNode, Arrangement, ArrangeOptions, EdgeType } from "./arrangement";

/**
 * Positions everything in a flow: the two-pass layout of a series-parallel tree. Pass one sums sizes from the
 * leaves up (a serial adds along the main axis and takes the maximum across, a parallel the other way round, a frame
 * adds its inset); pass two assigns positions, centred across. Linear, deterministic, without overlaps; pins move nodes
 * afterwards, a frame together with its content. A name that occurs twice in one topology has one card. Declarations in no
 * topology are placed in rows below.
 */
export function arrangeFlow(flow: Flow, layout: Layout, options: ArrangeOptions = {}): Arrangement {
  const direction = options.direction ?? layout.direction ?? "right";
  const { root, repeats } = buildRoot(flow, direction);
  const placing: Placing = { pins: layout.pins, direction, nodes: [], edges: [], width: 0, height: 0 };
  place(root, 0, 0, placing);
  placeWaiting(flow, root, placing);
  const { pins: _, edges, ...arrangement } = placing;
  return { ...arrangement, edges: repeats ? [...new Map(edges.map((edge) => [edge.key, edge])).values()] : edges };
}

interface Placing extends Arrangement {
  pins: Layout["pins"];
}

/** Pass two: positions the nodes of `box`, whose top left corner is at `x`, `y`. Recurses as deep as pass one. */
function place(box: Box, x: number, y: number, placing: Placing): void {
  if (box.type === "again") return;
  if (!("members" in box)) {
    const { node } = box;
    put(node, x, y, placing);
    if (box.type === "frame") place(box.content, node.x + frameInset.side, node.y + frameInset.top, placing);
    return;
  }
  const along = (box.type === "serial") === (placing.direction === "right");
  const space = box.type === "serial" ? gap.along : gap.across;
  let offset = 0;
  for (const member of box.members) {
    if (isEmpty(member)) continue;
    if (along) place(member, x + offset, y + (box.height - member.height) / 2, placing);
    else place(member, x + (box.width - member.width) / 2, y + offset, placing);
    offset += (along ? member.width : member.height) + space;
  }
  linkMembers(box, placing.edges);
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

const waitingColumns = 5;
const waitingGap = 96;

/** Places declarations that are in no topology in rows of cards below the flow. */
function placeWaiting(flow: Flow, root: Box, placing: Placing): void {
  const top = isEmpty(root) ? 0 : root.height + waitingGap;
  findUnreached(flow).forEach((name, index) => {
    const node = { ...toNode(flow, name, ""), placed: false };
    const [row, column] = [Math.floor(index / waitingColumns), index % waitingColumns];
    put(node, column * (cardSize.width + gap.across), top + row * (cardSize.height + gap.across), placing);
  });
}
