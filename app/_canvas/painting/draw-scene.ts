import { cardSize, gap } from "@/lib/core/layout/arrangement";
import { isFailure } from "@/lib/core/run/events/events";
import { type CanvasBox, toScreenBox, toVisibleBox } from "../scene/canvas-box";
import { grow } from "../scene/detail-level";
import { drawNotes, toPaintedBox, truncate } from "./draw-notes";
import type { CoverBox } from "./pixel-dots";
import type { SceneDrawing } from "./scene-drawing";

const minSize = { box: 1, gap: 3, border: 5, title: 60 };
/** Links of more nodes than this are straight: curves cost several times as much. */
const maxCurves = 800;
/** Drawing pixel by pixel is faster for more cards than this. */
const maxRectangles = 500;
/** Links may start outside of the view; a fraction of its size. */
const linkMargin = 0.35;

/** The work grows with what is visible, not with the flow. */
export function drawScene(drawing: SceneDrawing): void {
  const { context, scene, zoom, width, height } = drawing;
  context.clearRect(0, 0, width, height);
  const view = toVisibleBox(drawing, width, height);
  const visible = scene.findIn(drawing.dragged ? grow(view, 1) : view);
  const frames = visible.filter((position) => scene.nodes[position]?.frame);
  drawNotes(drawing, view);
  drawFrames(drawing, frames);
  drawZone(drawing);
  if (gap.along * zoom >= minSize.gap) drawLinks(drawing, scene.findIn(grow(view, linkMargin)));
  drawContent(drawing, visible);
}

export function redrawCards(drawing: SceneDrawing, positions: readonly number[]): void {
  const { context, scene } = drawing;
  context.lineWidth = 1;
  for (const position of positions) {
    const box = scene.nodes[position]?.frame ? toScreen(drawing, position) : null;
    if (box && box.width >= minSize.border) drawBorder(drawing, position, box);
  }
  drawContent(
    drawing,
    positions.filter((position) => scene.nodes[position]?.frame === false),
  );
}

/** Cards, and what is above cards and frames. */
function drawContent(drawing: SceneDrawing, positions: readonly number[]): void {
  const { scene, zoom } = drawing;
  const cards = positions.filter((position) => !scene.nodes[position]?.frame);
  drawCards(drawing, cards);
  drawMarks(drawing, cards);
  if (cardSize.width * zoom >= minSize.title) drawTitles(drawing, positions);
  drawSelection(drawing, positions);
}

function toScreen(drawing: SceneDrawing, position: number): CanvasBox | null {
  const node = drawing.scene.nodes[position];
  return node ? toPaintedBox(drawing, node) : null;
}

function drawFrames(drawing: SceneDrawing, frames: readonly number[]): void {
  const { context, colors } = drawing;
  context.lineWidth = 1;
  for (const position of frames) {
    const box = toScreen(drawing, position);
    if (!box || box.width < minSize.border) continue;
    context.globalAlpha = 0.04;
    context.fillStyle = colors.text;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    drawBorder(drawing, position, box);
  }
}

function drawBorder(drawing: SceneDrawing, position: number, { x, y, width, height }: CanvasBox): void {
  const { context, colors } = drawing;
  context.strokeStyle = statusColor(drawing, position) ?? colors.line;
  context.strokeRect(x, y, width, height);
}

function drawZone(drawing: SceneDrawing): void {
  const { context, scene, colors } = drawing;
  if (!scene.zone) return;
  const { x, y, width, height } = toScreenBox(scene.zone, drawing);
  context.strokeStyle = colors.line;
  context.setLineDash([4, 3]);
  context.strokeRect(x, y, width, height);
  context.setLineDash([]);
}

function drawLinks(drawing: SceneDrawing, visiblePositions: readonly number[]): void {
  const { context, scene, colors } = drawing;
  const straight = visiblePositions.length > maxCurves;
  const down = scene.arrangement.direction === "down";
  context.beginPath();
  for (const position of visiblePositions) {
    const sourceBox = toScreen(drawing, position);
    for (const edge of scene.links(position)) {
      const target = scene.positions.get(edge.to) ?? -1;
      const leaves = edge.from === scene.nodes[position]?.key && target !== position;
      const targetBox = leaves ? toScreen(drawing, target) : null;
      if (!sourceBox || !targetBox) continue;
      addLink(context, sourceBox, targetBox, { down, straight });
    }
  }
  context.strokeStyle = colors.line;
  context.lineWidth = Math.max(0.5, 1.5 * drawing.zoom);
  context.stroke();
}

function addLink(
  context: CanvasRenderingContext2D,
  sourceBox: CanvasBox,
  targetBox: CanvasBox,
  { down, straight }: { down: boolean; straight: boolean },
): void {
  const [x1, y1] = down
    ? [sourceBox.x + sourceBox.width / 2, sourceBox.y + sourceBox.height]
    : [sourceBox.x + sourceBox.width, sourceBox.y + sourceBox.height / 2];
  const [x2, y2] = down
    ? [targetBox.x + targetBox.width / 2, targetBox.y]
    : [targetBox.x, targetBox.y + targetBox.height / 2];
  const bend = Math.abs(down ? y2 - y1 : x2 - x1) / 2;
  context.moveTo(x1, y1);
  if (straight) context.lineTo(x2, y2);
  else if (down) context.bezierCurveTo(x1, y1 + bend, x2, y2 - bend, x2, y2);
  else context.bezierCurveTo(x1 + bend, y1, x2 - bend, y2, x2, y2);
}

function drawPixelDots(drawing: SceneDrawing, cards: readonly number[]): void {
  const { context, colors, statuses, pixelDots } = drawing;
  const isRun = statuses.size > 0;
  const paint = (cover: CoverBox): void => {
    for (const position of cards) {
      const box = toScreen(drawing, position);
      if (!box) continue;
      const color = isRun ? statusColor(drawing, position) : agentColorOf(drawing, position);
      const [width, height] = [Math.max(box.width, minSize.box), Math.max(box.height, minSize.box)];
      cover(color ?? (isRun ? colors.line : colors.muted), box.x, box.y, width, height);
    }
  };
  if (cards.length > maxRectangles) pixelDots.draw(context, context.getTransform().a, paint);
  else
    paint((color, ...box) => {
      context.fillStyle = color;
      context.fillRect(...box);
    });
}

const agentColorOf = ({ scene, colors }: SceneDrawing, position: number): string | undefined =>
  colors.agents[scene.colors[position] ?? -1];

function drawCards(drawing: SceneDrawing, cards: readonly number[]): void {
  const { context, colors, zoom } = drawing;
  if (cardSize.height * zoom < minSize.border) {
    drawPixelDots(drawing, cards);
    return;
  }
  context.lineWidth = 1;
  for (const position of cards) {
    const box = toScreen(drawing, position);
    if (!box) continue;
    const status = statusColor(drawing, position);
    context.fillStyle = colors.surface;
    context.fillRect(box.x, box.y, box.width, box.height);
    if (status) {
      context.globalAlpha = 0.3;
      context.fillStyle = status;
      context.fillRect(box.x, box.y, box.width, box.height);
      context.globalAlpha = 1;
    }
    context.strokeStyle = status ?? colors.line;
    context.strokeRect(box.x, box.y, box.width, box.height);
    context.fillStyle = agentColorOf(drawing, position) ?? colors.line;
    context.fillRect(box.x, box.y, Math.max(2, 3 * zoom), box.height);
  }
}

/** Crossed out, so that no one depends on colours. */
function drawMarks(drawing: SceneDrawing, cards: readonly number[]): void {
  const { context, scene, colors, statuses, broken, zoom } = drawing;
  if (statuses.size + broken.size === 0 || cardSize.height * zoom < minSize.border) return;
  context.beginPath();
  for (const position of cards) {
    const key = scene.nodes[position]?.key ?? "";
    const status = statuses.get(key)?.status;
    const failed = (status !== undefined && isFailure(status)) || broken.has(key);
    const box = failed ? toScreen(drawing, position) : null;
    if (!box) continue;
    const side = Math.min(box.height / 2, 8);
    const [right, middle] = [box.x + box.width - side / 2, box.y + box.height / 2];
    context.moveTo(right - side, middle - side / 2);
    context.lineTo(right, middle + side / 2);
    context.moveTo(right - side, middle + side / 2);
    context.lineTo(right, middle - side / 2);
  }
  context.strokeStyle = colors.danger;
  context.lineWidth = 1.5;
  context.stroke();
}

function drawTitles(drawing: SceneDrawing, positions: readonly number[]): void {
  const { context, scene, colors, zoom } = drawing;
  const size = Math.min(12, Math.max(9, 30 * zoom));
  context.font = `600 ${size}px "Inter Variable", sans-serif`;
  context.textBaseline = "middle";
  context.fillStyle = colors.text;
  for (const position of positions) {
    const box = toScreen(drawing, position);
    const node = scene.nodes[position];
    if (!box || !node || box.width < minSize.title) continue;
    const name = truncate(node.name, Math.floor((box.width - 14) / (size * 0.58)));
    const middle = node.frame ? Math.min(18 * zoom, box.height / 2) : box.height / 2;
    context.fillText(name, box.x + 8, box.y + middle);
  }
}

function drawSelection(drawing: SceneDrawing, positions: readonly number[]): void {
  const { context, scene, colors, selection } = drawing;
  if (selection.size === 0) return;
  context.strokeStyle = colors.accent;
  context.lineWidth = 2;
  for (const position of positions) {
    if (!selection.has(scene.nodes[position]?.key ?? "")) continue;
    const box = toScreen(drawing, position);
    if (box) context.strokeRect(box.x - 1, box.y - 1, Math.max(box.width, 2) + 2, Math.max(box.height, 2) + 2);
  }
}

const statusColor = ({ scene, statuses, colors }: SceneDrawing, position: number): string | undefined => {
  const status = statuses.get(scene.nodes[position]?.key ?? "")?.status;
  return status && colors.statuses[status];
};
