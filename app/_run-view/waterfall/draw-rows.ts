import { parseModel } from "@/lib/core/flow/model-name";
import { toInitials } from "@/lib/core/layout/scene/agent-initials";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import { isParallelGroup } from "@/lib/core/trace/timeline/parallel-steps";
import { toTicks } from "@/lib/core/trace/timeline/time-scale";
import { formatTokens, formatTotalCost } from "../../_ui/format/format";
import type { TextContext, TextFitter } from "../drawing/fit-text";
import type { Pen } from "../drawing/use-canvas";
import { tickRoom } from "../time/axis";
import { drawBar, drawBracket, drawNotReached } from "./draw-bar";
import {
  type ColumnBox,
  type ColumnBoxes,
  markRoom,
  nameLeft,
  tileSize,
  toggleLeft,
  toggleWidth,
} from "./grid-columns";
import { alphaOf, type RowPen, type RowPicture } from "./row-picture";
import { formatRowTime, type RowValues, toRowMark, toRowValues } from "./row-values";

/** Some of the rows, on a pen whose top shows `top` px of them. */
export interface RowBand {
  firstRow: number;
  endRow: number;
  top: number;
}

const [iconSize, markSize] = [14, 13];

/** At the left of the selected row, in px. */
const selectedBarWidth = 2;
/** Space between the numbers and the bars, in px: what belongs to the bars begins in the middle of it. */
const barsMargin = 6;
const barsLeft = ({ bars }: ColumnBoxes): number => bars.left - barsMargin;

export function drawSteps(pen: RowPen, picture: RowPicture, band: RowBand): void {
  const { context } = pen;
  drawGround(pen, picture, band, { left: 0, width: barsLeft(pen.columns) });
  context.textBaseline = "middle";
  for (let row = band.firstRow; row < Math.min(band.endRow, picture.rows.length); row++) {
    const y = row * picture.height - band.top;
    const values = toRowValues(picture, row);
    context.globalAlpha = alphaOf(picture, picture.rows.spanAt(row));
    drawName(pen, picture, values, row, y);
    drawNumbers(pen, values, y + (picture.height - 1) / 2);
  }
  context.globalAlpha = 1;
}

export function drawBars(pen: RowPen, picture: RowPicture, band: RowBand): void {
  const { context, width, columns } = pen;
  const barsStart = barsLeft(columns);
  drawGround(pen, picture, band, { left: barsStart, width: width - barsStart });
  drawTicks(pen, picture, band);
  for (let row = band.firstRow; row < Math.min(band.endRow, picture.rows.length); row++) {
    const y = row * picture.height - band.top;
    const span = picture.rows.spanAt(row);
    const extra = picture.rows.extraAt(row);
    if (span >= 0 && isParallelGroup(picture.trace, span)) drawBracket(pen, picture, [span], y);
    else if (span >= 0) drawBar(pen, picture, span, y);
    else if (extra?.type === "parallel") drawBracket(pen, picture, extra.members, y);
    else if (extra) drawNotReached(pen, picture, y);
  }
  context.globalAlpha = 1;
}

function drawTicks({ context, colors, columns: { bars } }: RowPen, picture: RowPicture, band: RowBand): void {
  const [firstRow, endRow] = [band.firstRow, Math.min(band.endRow, picture.rows.length)];
  const [top, height] = [firstRow * picture.height - band.top, (endRow - firstRow) * picture.height];
  context.fillStyle = colors.line;
  for (const { x } of toTicks(picture.scale, picture.origin, bars.width, tickRoom))
    if (x > 0) context.fillRect(bars.left + Math.round(x), top, 1, height);
}

export function drawFocus({ context, width, colors }: Pen, { active, height, rows }: RowPicture, top: number): void {
  if (active < 0 || active >= rows.length) return;
  context.strokeStyle = colors.focus;
  context.lineWidth = 2;
  context.strokeRect(1, active * height - top + 1, width - 2, height - 3);
}

function drawGround(
  { context, colors }: Pen,
  { rows, height, active, hovered, hits }: RowPicture,
  band: RowBand,
  { left: columnStart, width }: ColumnBox,
): void {
  const last = Math.min(band.endRow, rows.length);
  context.clearRect(columnStart, band.firstRow * height - band.top, width, (band.endRow - band.firstRow) * height);
  for (let row = band.firstRow; row < last; row++) {
    const y = row * height - band.top;
    const color =
      row === active
        ? colors.selected
        : hits?.[rows.spanAt(row)] === 1
          ? colors.found
          : row === hovered
            ? colors.hovered
            : null;
    if (color !== null) {
      // The focus mark of the grid stays free.
      const inset = columnStart === 0 ? 2 : 0;
      context.fillStyle = color;
      context.fillRect(columnStart + inset, y, width - 2, height - 1);
      if (row === active && columnStart === 0) {
        context.fillStyle = colors.accent;
        context.fillRect(0, y, selectedBarWidth, height - 1);
      }
    }
  }
  context.fillStyle = colors.line;
  for (let row = band.firstRow; row < last; row++)
    context.fillRect(columnStart, (row + 1) * height - band.top - 1, width, 1);
}

function drawName(pen: RowPen, picture: RowPicture, values: RowValues, row: number, y: number): void {
  const { context, colors, ratio, columns, icons, texts } = pen;
  const { kind, name, depth, isOpen } = values;
  const middle = y + (picture.height - 1) / 2;
  if (isOpen !== null) {
    const arrow = icons.take(isOpen ? "open" : "closed", colors.muted, iconSize, ratio);
    context.drawImage(arrow, toggleLeft(depth) + 5, Math.round(middle - iconSize / 2), iconSize, iconSize);
  }
  drawKind(pen, picture, values, row, y);
  context.font = `${isStrong(kind) ? 560 : 430} 13px ${colors.family}`;
  context.fillStyle = kind === "not-reached" ? colors.muted : colors.text;
  context.textAlign = "left";
  const nameStart = nameLeft(depth, kind !== "group-of-steps");
  const right = columns.step.left + columns.step.width;
  const mark = toRowMark(values);
  const room = right - (mark === null ? 8 : markRoom) - nameStart;
  context.fillText(texts.fit(context, toShownName(pen, kind, name, room), room), nameStart, middle);
  if (mark) drawMark(pen, picture, mark, right, middle);
}

/** Where there is no room for the whole name of a model, that of its provider is left out. */
export const toShownName = (
  { context, texts }: { context: TextContext; texts: TextFitter },
  kind: RowValues["kind"],
  name: string,
  room: number,
): string => (kind === "llm_call" && texts.fit(context, name, room) !== name ? parseModel(name).name : name);

/** The tile of an agent, or the icon of another step. */
function drawKind(pen: RowPen, picture: RowPicture, { kind, name, depth }: RowValues, row: number, y: number): void {
  if (kind === "group-of-steps") return;
  const { context, colors, ratio, icons } = pen;
  const left = toggleLeft(depth) + toggleWidth;
  const middle = y + (picture.height - 1) / 2;
  if (kind !== "not-reached" && !isAgentStep(kind)) {
    const icon = icons.take(kind, colors.muted, iconSize, ratio);
    const inset = (tileSize - iconSize) / 2;
    context.drawImage(icon, left + inset, Math.round(middle - iconSize / 2), iconSize, iconSize);
    return;
  }
  const number = kind === "not-reached" ? picture.trace.agentNumberOf(name) : picture.colors[picture.rows.spanAt(row)];
  const color = (number === undefined ? null : colors.agents[number]) ?? colors.muted;
  const tile = {
    initials: toInitials(name),
    color,
    textColor: colors.onAgent,
    font: `600 11px ${colors.mono}`,
    isHollow: kind === "not-reached",
  };
  const sprite = icons.takeTile(tile, tileSize, ratio);
  context.drawImage(sprite, left, Math.round(middle - tileSize / 2), tileSize, tileSize);
}

const isAgentStep = (kind: RowValues["kind"]): boolean =>
  kind !== "group-of-steps" && kind !== "parallel" && kind !== "not-reached" && isAgentKind(kind);

/** Whether the row is about agents and what contains them: calls and tools are in a lighter type. */
const isStrong = (kind: RowValues["kind"]): boolean =>
  kind === "parallel" || kind === "swarm" || kind === "group" || isAgentStep(kind);

function drawMark(
  { context, colors, ratio, icons }: RowPen,
  { now, turns }: RowPicture,
  { icon, isPale }: NonNullable<ReturnType<typeof toRowMark>>,
  right: number,
  middle: number,
): void {
  const color = icon === "warning" ? colors.warning : (colors.statuses.get(icon) ?? colors.muted);
  const sprite = icons.take(icon, color, markSize, ratio);
  const alpha = context.globalAlpha;
  if (isPale) context.globalAlpha = alpha * 0.6;
  context.save();
  context.translate(right - 4 - markSize / 2, Math.round(middle - markSize / 2) + markSize / 2);
  if (icon === "RUNNING" && turns) context.rotate(((now % 1000) / 1000) * 2 * Math.PI);
  context.drawImage(sprite, -markSize / 2, -markSize / 2, markSize, markSize);
  context.restore();
  context.globalAlpha = alpha;
}

function drawNumbers(
  { context, colors, columns }: RowPen,
  { kind, tokens, calls, time, isReused, ...costs }: RowValues,
  middle: number,
): void {
  if (kind === "not-reached") return;
  context.font = `430 12px ${colors.family}`;
  context.fillStyle = colors.muted;
  context.textAlign = "right";
  const write = (column: ColumnBox, text: string): void => {
    if (column.width > 0) context.fillText(text, column.left + column.width, middle);
  };
  if (tokens > 0) write(columns.tokens, formatTokens(tokens));
  if (calls > 0) write(columns.cost, formatTotalCost(costs, "≥ "));
  context.font = `560 12px ${colors.family}`;
  context.fillStyle = colors.text;
  write(columns.time, formatRowTime({ time, isReused }));
}
