import { cardSize, gap } from "@/lib/core/layout/arrangement";
import { type CanvasBox, toScreenBox, toVisibleBox } from "@/lib/core/layout/scene/canvas-box";
import { isFailure, type ShownStatus } from "@/lib/core/run/events/run-status";
import { grow } from "../scene/detail-level";
import { drawLineLabels } from "./draw-line-labels";
import { drawLinks, drawTakenLinks } from "./draw-links";
import { drawNotes, toPaintedBox, truncate } from "./draw-notes";
import type { CoverBox } from "./pixel-dots";
import type { SceneDrawing } from "./scene-drawing";

const minSize = { box: 1, gap: 3, border: 5, title: 60 };
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
  drawSwarmFrame(drawing);
  if (gap.along * zoom >= minSize.gap) drawLinks(drawing, scene.findIn(grow(view, linkMargin)));
  drawContent(drawing, visible);
  drawLineLabels(drawing);
}

export function redrawCards(drawing: SceneDrawing, positions: readonly number[]): void {
  const { context, scene } = drawing;
  context.lineWidth = 1;
  for (const position of positions) {
    const box = scene.nodes[position]?.frame ? toScreen(drawing, position) : null;
    if (box && box.width >= minSize.border) drawBorder(drawing, position, box);
  }
  if (gap.along * drawing.zoom >= minSize.gap) drawTakenLinks(drawing, positions);
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
    context.globalAlpha = 0.55;
    context.fillStyle = colors.frameFill;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
    drawBorder(drawing, position, box);
  }
}

function drawBorder(drawing: SceneDrawing, position: number, { x, y, width, height }: CanvasBox): void {
  const { context, colors } = drawing;
  context.strokeStyle = statusColor(drawing, position) ?? colors.frame;
  context.strokeRect(x, y, width, height);
}

function drawSwarmFrame({ context, scene, colors, ...viewpoint }: SceneDrawing): void {
  if (!scene.frame) return;
  const { x, y, width, height } = toScreenBox(scene.frame, viewpoint);
  context.strokeStyle = colors.frame;
  context.strokeRect(x, y, width, height);
}

function drawZone(drawing: SceneDrawing): void {
  const { context, scene, colors } = drawing;
  if (!scene.zone) return;
  const { x, y, width, height } = toScreenBox(scene.zone, drawing);
  context.strokeStyle = colors.frame;
  context.setLineDash([4, 3]);
  context.strokeRect(x, y, width, height);
  context.setLineDash([]);
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
  const { zoom } = drawing;
  if (cardSize.height * zoom < minSize.border) {
    drawPixelDots(drawing, cards);
    return;
  }
  for (const position of cards) {
    const box = toScreen(drawing, position);
    if (box) drawBlock(drawing, position, box);
  }
}

const ring = { width: 2, gap: 1.5 };

/** Filled: done, or no run is shown. Hollow: to come, or failed. With a ring inside, which needs no room: now. */
function drawBlock(drawing: SceneDrawing, position: number, { x, y, width, height }: CanvasBox): void {
  const { context, colors } = drawing;
  const status = statusOf(drawing, position);
  const isActive = status === "RUNNING" || status === "WAITING";
  context.fillStyle = isActive || !isFilled(drawing, position) ? colors.surface : blockColor(drawing, position);
  context.fillRect(x, y, width, height);
  if (isActive) {
    const inset = ring.width + ring.gap;
    context.fillStyle = blockColor(drawing, position);
    context.fillRect(x + inset, y + inset, Math.max(0, width - 2 * inset), Math.max(0, height - 2 * inset));
  }
  if (!isActive && isFilled(drawing, position)) return;
  context.lineWidth = isActive ? ring.width : 1;
  context.strokeStyle = (isActive ? statusColor(drawing, position) : null) ?? colors.frame;
  const half = context.lineWidth / 2;
  context.strokeRect(x + half, y + half, width - 2 * half, height - 2 * half);
}

const blockColor = (drawing: SceneDrawing, position: number): string =>
  agentColorOf(drawing, position) ?? drawing.colors.muted;

function isFilled(drawing: SceneDrawing, position: number): boolean {
  const status = statusOf(drawing, position);
  return drawing.statuses.size === 0 || (status !== undefined && status !== "INIT" && !isFailure(status));
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
  const size = Math.min(12, Math.max(11, 30 * zoom));
  context.font = `600 ${size}px "Inter Variable", sans-serif`;
  context.textBaseline = "middle";
  for (const position of positions) {
    const box = toScreen(drawing, position);
    const node = scene.nodes[position];
    if (!box || !node || box.width < minSize.title) continue;
    context.fillStyle = !node.frame && isFilled(drawing, position) ? colors.onAgent : colors.text;
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

const statusOf = ({ scene, statuses }: SceneDrawing, position: number): ShownStatus | undefined =>
  statuses.get(scene.nodes[position]?.key ?? "")?.status;

const statusColor = (drawing: SceneDrawing, position: number): string | undefined => {
  const status = statusOf(drawing, position);
  return status && drawing.colors.statuses[status];
};
