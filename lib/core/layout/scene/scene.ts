import type { NodeKey } from "../../flow/node-key";
import type { ArrangedEdge, ArrangedNode, Arrangement } from "../arrange-flow";
import { frameInsetOf } from "../arrangement";
import { boundsOf, type CanvasBox, overlaps } from "./canvas-box";

/** Nodes are identified by their position in the arrangement, where frames come before their members. */
export type Scene = ReturnType<typeof toScene>;

const noColor = 255;

const scenes = new WeakMap<Arrangement, Scene>();

export function sceneOf(arrangement: Arrangement): Scene {
  const cachedScene = scenes.get(arrangement);
  if (cachedScene) return cachedScene;
  const scene = toScene(arrangement);
  scenes.set(arrangement, scene);
  return scene;
}

function toScene(arrangement: Arrangement) {
  const { nodes } = arrangement;
  const positions: ReadonlyMap<NodeKey, number> = new Map(nodes.map((node, position) => [node.key, position]));
  const grid = toGrid(nodes);
  let linked: ArrangedEdge[][] | null = null;

  /** Ascending. */
  const findIn = (box: CanvasBox): number[] => {
    const matches = grid.framesIn(box);
    for (const position of grid.cardsNear(box)) if (isMet(nodes[position], box)) matches.push(position);
    return inOrder(matches, nodes.length);
  };
  return {
    arrangement,
    nodes,
    positions,
    zone: toZone(nodes),
    frame: toSwarmFrame(arrangement),
    /** The number of each node's colour; higher than every colour for kinds without one. */
    colors: Uint8Array.from(nodes, ({ agentNumber = noColor }) => agentNumber),
    links(position: number): readonly ArrangedEdge[] {
      linked ??= toLinks(arrangement, positions);
      return linked[position] ?? [];
    },
    findIn,
    /** The last card there, otherwise the innermost frame whose header is there. */
    findAt(x: number, y: number, headerHeight: number): ArrangedNode | null {
      let header: ArrangedNode | null = null;
      let card: ArrangedNode | null = null;
      for (const position of findIn({ x, y, width: 0, height: 0 })) {
        const node = nodes[position];
        if (node && !node.frame) card = node;
        else if (node && y <= node.y + headerHeight) header = node;
      }
      return card ?? header;
    },
  };
}

const zonePadding = { side: 16, top: 36, bottom: 16 };

function toZone(nodes: readonly ArrangedNode[]): CanvasBox | null {
  const bounds = boundsOf(nodes.filter((node) => !node.placed && node.parent === undefined));
  const { side, top, bottom } = zonePadding;
  return (
    bounds && {
      x: bounds.x - side,
      y: bounds.y - top,
      width: bounds.width + 2 * side,
      height: bounds.height + top + bottom,
    }
  );
}

/** The frame of the root swarm, unless that is a workflow. */
function toSwarmFrame({ nodes, mode, direction }: Arrangement): CanvasBox | null {
  if (mode === "workflow") return null;
  const bounds = boundsOf(nodes.filter((node) => node.placed && node.parent === undefined));
  const { left, right, top, bottom } = frameInsetOf({ type: "swarm", mode }, direction);
  return (
    bounds && {
      x: bounds.x - left,
      y: bounds.y - top,
      width: bounds.width + left + right,
      height: bounds.height + top + bottom,
    }
  );
}

/** For many positions counting is faster than comparing. */
function inOrder(positions: number[], count: number): number[] {
  if (positions.length < count / 16) return positions.sort((a, b) => a - b);
  const marks = new Uint8Array(count);
  for (const position of positions) marks[position] = 1;
  let next = 0;
  for (let position = 0; position < count; position++) if (marks[position] === 1) positions[next++] = position;
  return positions;
}

const isMet = (node: ArrangedNode | undefined, box: CanvasBox): boolean => node !== undefined && overlaps(node, box);

const cellSize = 1000;
/** More columns than any arrangement has, so that one number identifies a cell. */
const columns = 2 ** 22;

const cellOf = (pixels: number): number => Math.floor(pixels / cellSize);

/** Cards are in the cell of their corner; frames, which may be as large as the flow, in a separate list. */
function toGrid(nodes: readonly ArrangedNode[]) {
  const cells = new Map<number, number[]>();
  const frames: number[] = [];
  const cards: number[] = [];
  let [widest, highest] = [0, 0];
  nodes.forEach((node, position) => {
    if (node.frame) {
      frames.push(position);
      return;
    }
    cards.push(position);
    widest = Math.max(widest, node.width);
    highest = Math.max(highest, node.height);
    const cell = cellOf(node.y) * columns + cellOf(node.x);
    const cellPositions = cells.get(cell);
    if (cellPositions) cellPositions.push(position);
    else cells.set(cell, [position]);
  });
  return {
    framesIn: (box: CanvasBox): number[] => frames.filter((position) => isMet(nodes[position], box)),
    cardsNear(box: CanvasBox): number[] {
      const [firstColumn, lastColumn] = [cellOf(box.x - widest), cellOf(box.x + box.width)];
      const [firstRow, lastRow] = [cellOf(box.y - highest), cellOf(box.y + box.height)];
      // A box around everything would visit more empty cells than full ones.
      if ((lastColumn - firstColumn + 1) * (lastRow - firstRow + 1) > cells.size) return cards;
      const near: number[] = [];
      for (let row = firstRow; row <= lastRow; row++)
        for (let column = firstColumn; column <= lastColumn; column++)
          near.push(...(cells.get(row * columns + column) ?? []));
      return near;
    },
  };
}

function toLinks({ nodes, edges }: Arrangement, positions: ReadonlyMap<NodeKey, number>): ArrangedEdge[][] {
  const links: ArrangedEdge[][] = nodes.map(() => []);
  for (const edge of edges)
    for (const end of edge.from === edge.to ? [edge.from] : [edge.from, edge.to])
      links[positions.get(end) ?? -1]?.push(edge);
  return links;
}
