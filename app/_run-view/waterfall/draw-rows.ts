import { isFailure } from "@/lib/core/run/events/events";
import { isAgentKind, isContainerKind } from "@/lib/core/run/events/run-node-traits";
import { type SpanSegmentType, toBarSegments } from "@/lib/core/trace/timeline/span-segments";
import type { TimeScale } from "@/lib/core/trace/timeline/time-scale";
import { formatCost, formatDuration, formatTokens } from "../../_ui/format/format";
import type { TextFitter } from "../drawing/fit-text";
import type { IconSprites } from "../drawing/icon-sprites";
import { noAgent } from "../drawing/span-colors";
import type { Pen } from "../drawing/use-canvas";
import { type ColumnBox, type ColumnBoxes, markRoom, nameLeft, toggleLeft, toggleWidth } from "./grid-columns";
import { type RowSource, type RowValues, toRowMark, toRowValues } from "./row-values";

export interface RowPicture extends RowSource {
  scale: TimeScale;
  now: number;
  colors: Uint8Array;
  /** 1 for search hits, and for spans of the critical path; null: not requested. */
  hits: Uint8Array | null;
  critical: Uint8Array | null;
  /** Rows; -1: none. */
  active: number;
  hovered: number;
  /** Of a row, in px. */
  height: number;
  turns: boolean;
  isFocused: boolean;
}

export interface RowPen extends Pen {
  columns: ColumnBoxes;
  icons: IconSprites;
  texts: TextFitter;
}

/** Some of the rows, on a pen whose top shows `top` px of them. */
export interface RowBand {
  firstRow: number;
  endRow: number;
  top: number;
}

const [iconSize, markSize] = [14, 13];

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
  for (let row = band.firstRow; row < Math.min(band.endRow, picture.rows.length); row++) {
    const span = picture.rows.spanAt(row);
    if (span < 0) continue;
    drawBar(pen, picture, span, row * picture.height - band.top);
  }
  context.globalAlpha = 1;
}

export function drawFocus({ context, width, colors }: Pen, { active, height, rows }: RowPicture, top: number): void {
  if (active < 0 || active >= rows.length) return;
  context.strokeStyle = colors.focus;
  context.lineWidth = 2;
  context.strokeRect(1, active * height - top + 1, width - 2, height - 3);
}

const alphaOf = ({ trace, moment, critical }: RowPicture, span: number): number =>
  critical?.[span] === 0 || (moment !== null && (trace.columns.start[span] ?? 0) > moment) ? 0.5 : 1;

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
    }
  }
  context.fillStyle = colors.line;
  for (let row = band.firstRow; row < last; row++)
    context.fillRect(columnStart, (row + 1) * height - band.top - 1, width, 1);
}

function drawName(
  { context, colors, ratio, columns, icons, texts }: RowPen,
  { height, now, turns, colors: numbers, rows }: RowPicture,
  values: RowValues,
  row: number,
  y: number,
): void {
  const { kind, name, depth, isOpen } = values;
  const middle = y + (height - 1) / 2;
  const iconTop = Math.round(middle - iconSize / 2);
  if (isOpen !== null) {
    const arrow = icons.take(isOpen ? "open" : "closed", colors.muted, iconSize, ratio);
    context.drawImage(arrow, toggleLeft(depth) + 3, iconTop, iconSize, iconSize);
  }
  const isStep = kind !== "group-of-steps";
  if (isStep) {
    const color = isAgentKind(kind) ? colors.agents[numbers[rows.spanAt(row)] ?? noAgent] : undefined;
    const icon = icons.take(kind, color ?? colors.muted, iconSize, ratio);
    context.drawImage(icon, toggleLeft(depth) + toggleWidth, iconTop, iconSize, iconSize);
  }
  context.font = `${isStep && isAgentKind(kind) ? 500 : 400} 13px ${colors.family}`;
  context.fillStyle = colors.text;
  context.textAlign = "left";
  const nameStart = nameLeft(depth, isStep);
  const right = columns.step.left + columns.step.width;
  context.fillText(texts.fit(context, name, right - markRoom - nameStart), nameStart, middle);
  const mark = toRowMark(values);
  if (mark === null) return;
  const { icon } = mark;
  const color = icon === "warning" ? colors.warning : (colors.statuses.get(icon) ?? colors.muted);
  const sprite = icons.take(icon, color, markSize, ratio);
  const alpha = context.globalAlpha;
  if (mark.isPale) context.globalAlpha = alpha * 0.6;
  context.save();
  context.translate(right - 4 - markSize / 2, Math.round(middle - markSize / 2) + markSize / 2);
  if (icon === "RUNNING" && turns) context.rotate(((now % 1000) / 1000) * 2 * Math.PI);
  context.drawImage(sprite, -markSize / 2, -markSize / 2, markSize, markSize);
  context.restore();
  context.globalAlpha = alpha;
}

function drawNumbers(
  { context, colors, columns }: RowPen,
  { tokens, calls, cost, time }: RowValues,
  middle: number,
): void {
  context.font = `13px ${colors.family}`;
  context.fillStyle = colors.muted;
  context.textAlign = "right";
  const write = (column: ColumnBox, text: string): void => {
    if (column.width > 0) context.fillText(text, column.left + column.width, middle);
  };
  if (tokens > 0) write(columns.tokens, formatTokens(tokens));
  if (calls > 0) write(columns.cost, formatCost(cost));
  write(columns.time, formatDuration(time));
}

const strength: Record<SpanSegmentType, number> = {
  queue: 0.12,
  retry: 0.25,
  "first-token": 0.45,
  generate: 1,
  tool: 1,
  work: 1,
};

function drawBar({ context, colors, columns: { bars } }: RowPen, picture: RowPicture, span: number, y: number): void {
  const { trace, scale, now, height, critical } = picture;
  const segments = toBarSegments(trace, span, scale, now, bars.width);
  if (!segments) return;
  const kind = trace.kindOf(span);
  const share = isContainerKind(kind) ? 0.24 : isAgentKind(kind) ? 0.56 : 0.36;
  const thick = Math.round((height - 1) * share);
  const top = y + Math.round((height - 1 - thick) / 2);
  context.fillStyle = isFailure(trace.statusOf(span))
    ? colors.danger
    : (colors.agents[picture.colors[span] ?? noAgent] ?? colors.place);
  const alpha = alphaOf(picture, span);
  for (const { type, x, width } of segments) {
    context.globalAlpha = alpha * strength[type];
    context.fillRect(bars.left + x, top, width, thick);
  }
  const [firstSegment, lastSegment] = [segments[0], segments.at(-1)];
  if (critical?.[span] !== 1 || !firstSegment || !lastSegment) return;
  context.globalAlpha = 1;
  context.strokeStyle = colors.text;
  context.lineWidth = 1;
  context.strokeRect(
    bars.left + firstSegment.x - 0.5,
    top - 0.5,
    lastSegment.x + lastSegment.width - firstSegment.x + 1,
    thick + 1,
  );
}
