import type { ArrangedEdge } from "@/lib/core/layout/arrange-flow";
import { toLinkPoints } from "@/lib/core/layout/scene/link-points";
import { isDownward, routeOf } from "@/lib/core/layout/scene/link-route";
import { countLinkUses } from "../state/link-uses";
import type { SceneColors } from "./colors";
import { toPaintedBox } from "./draw-notes";
import type { SceneDrawing, Viewpoint } from "./scene-drawing";

interface LinkDrawing extends Viewpoint, Pick<SceneDrawing, "scene" | "statuses"> {
  context: Pick<CanvasRenderingContext2D, "beginPath" | "moveTo" | "lineTo" | "stroke" | "strokeStyle" | "lineWidth">;
  colors: Pick<SceneColors, "link" | "taken">;
}

/** Links of more nodes than this are straight, except to the next line: their corners cost several times as much. */
const maxCorners = 800;

/** The links that leave these nodes: all of them, and on top of them those that the run took. */
export function drawLinks(drawing: LinkDrawing, positions: readonly number[]): void {
  const straight = positions.length > maxCorners;
  const { statuses, colors, zoom } = drawing;
  const [idle, taken]: [ArrangedEdge[], ArrangedEdge[]] = [[], []];
  for (const edge of listLinks(drawing, positions, "from")) (isTaken(drawing, edge) ? taken : idle).push(edge);
  stroke(drawing, idle, { color: colors.link, width: Math.max(0.75, 2 * zoom), straight });
  if (statuses.size > 0) stroke(drawing, taken, { ...takenStyle(drawing), straight });
}

/** The links that lead to these nodes, once the run took them. */
export function drawTakenLinks(drawing: LinkDrawing, positions: readonly number[]): void {
  const taken = [...listLinks(drawing, positions, "to")].filter((edge) => isTaken(drawing, edge));
  stroke(drawing, taken, { ...takenStyle(drawing), straight: drawing.scene.nodes.length > maxCorners });
}

const takenStyle = ({ colors, zoom }: LinkDrawing) => ({ color: colors.taken, width: Math.max(1, 2.5 * zoom) });

function* listLinks({ scene }: LinkDrawing, positions: readonly number[], end: "from" | "to"): Iterable<ArrangedEdge> {
  for (const position of positions) {
    const key = scene.nodes[position]?.key;
    for (const edge of scene.links(position)) if (edge[end] === key && edge.from !== edge.to) yield edge;
  }
}

const isTaken = ({ statuses }: LinkDrawing, { key, from: source, to: target, type }: ArrangedEdge): boolean =>
  countLinkUses(statuses, { id: key, source, target, data: { type } }) > 0;

interface LinkStyle {
  color: string;
  width: number;
  straight: boolean;
}

function stroke(drawing: LinkDrawing, edges: readonly ArrangedEdge[], { color, width, straight }: LinkStyle): void {
  if (edges.length === 0) return;
  const { context } = drawing;
  context.beginPath();
  for (const edge of edges) addLink(drawing, edge, straight);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.stroke();
}

function addLink(drawing: LinkDrawing, edge: ArrangedEdge, straight: boolean): void {
  const { context, scene, zoom, x: left, y: top } = drawing;
  const source = scene.nodes[scene.positions.get(edge.from) ?? -1];
  const target = scene.nodes[scene.positions.get(edge.to) ?? -1];
  if (!source || !target) return;
  const down = isDownward(scene.arrangement, source);
  if (straight && edge.turn === undefined) {
    const [from, to] = [toPaintedBox(drawing, source), toPaintedBox(drawing, target)];
    context.moveTo(from.x + (down ? from.width / 2 : from.width), from.y + (down ? from.height : from.height / 2));
    context.lineTo(to.x + (down ? to.width / 2 : 0), to.y + (down ? 0 : to.height / 2));
    return;
  }
  const toDragged = (node: typeof source) =>
    drawing.dragged?.keys.has(node.key)
      ? { ...node, x: node.x + drawing.dragged.dx, y: node.y + drawing.dragged.dy }
      : node;
  const ends = { source: toDragged(source), target: toDragged(target), down };
  toLinkPoints(ends, routeOf(scene.arrangement, edge)).forEach((point, index) => {
    const [x, y] = [point.x * zoom + left, point.y * zoom + top];
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  });
}
