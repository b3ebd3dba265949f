import { isAgentKind, isContainerKind } from "@/lib/core/run/events/run-node-traits";
import { isFailure } from "@/lib/core/run/events/run-status";
import { type SpanSegmentType, toBarSegments } from "@/lib/core/trace/timeline/span-segments";
import { type TimeBar, toBar } from "@/lib/core/trace/timeline/time-scale";
import { noAgent } from "../drawing/span-colors";
import { alphaOf, type RowPen, type RowPicture } from "./row-picture";

const strength: Record<SpanSegmentType, number> = {
  queue: 0.12,
  attempt: 0.25,
  wait: 0,
  "first-token": 0.45,
  generate: 1,
  tool: 1,
  work: 1,
};

interface BarBox extends TimeBar {
  top: number;
  height: number;
}

const corner = 3;

/** Of a failed step: the width of its red end, and of the red tick of a failed attempt, in px. */
const [failedEnd, tick] = [4, 4];

export function drawBar(pen: RowPen, picture: RowPicture, span: number, y: number): void {
  const { context, colors, columns } = pen;
  const { bars } = columns;
  const { trace, scale, now, height, critical } = picture;
  const segments = toBarSegments(trace, span, scale, now, bars.width);
  const [first, last] = [segments?.[0], segments?.at(-1)];
  if (!segments || !first || !last) return;
  const kind = trace.kindOf(span);
  const thick = Math.round((height - 1) * (isContainerKind(kind) ? 0.2 : isAgentKind(kind) ? 0.52 : 0.32));
  const top = y + Math.round((height - 1 - thick) / 2);
  const box = { x: bars.left + first.x, width: last.x + last.width - first.x, top, height: thick };
  const color = colors.agents[picture.colors[span] ?? noAgent] ?? colors.place;
  const alpha = alphaOf(picture, span);
  const isFailed = isFailure(trace.statusOf(span)) && trace.errors.get(span) !== "interrupted";
  const hasSegments = segments.length > 1 || !isFailed;
  if (hasSegments)
    for (const { type: segmentType, x, width } of segments) {
      const type = kind === "approval" || trace.questions.has(span) ? "wait" : segmentType;
      context.globalAlpha = alpha * strength[type];
      context.fillStyle = color;
      fillRound(context, { x: bars.left + x, width, top, height: thick }, segments.length === 1 ? corner : 1);
      context.globalAlpha = alpha;
      if (type === "wait") drawWait(pen, { x: bars.left + x, width, top, height: thick });
    }
  context.globalAlpha = alpha;
  if (isFailed && !hasSegments) drawHollow(pen, box, color);
  if (isFailed || trace.attempts.has(span)) drawFailures(pen, picture, span, box);
  if (critical?.[span] !== 1) return;
  context.globalAlpha = 1;
  context.strokeStyle = colors.text;
  context.lineWidth = 1;
  context.strokeRect(box.x - 0.5, top - 0.5, box.width + 1, thick + 1);
}

/** Corners that no one would see are left out: to fill a path costs much more than to fill a rectangle. */
function fillRound(context: RowPen["context"], { x, width, top, height }: BarBox, mostRadius: number): void {
  const radius = Math.min(mostRadius, width / 2, height / 2);
  if (radius <= 1) {
    context.fillRect(x, top, width, height);
    return;
  }
  context.beginPath();
  context.roundRect(x, top, width, height, radius);
  context.fill();
}

/** What failed did not do its work: its bar is an outline. */
function drawHollow({ context }: RowPen, box: BarBox, color: string): void {
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.18;
  context.fillStyle = color;
  fillRound(context, box, corner);
  context.globalAlpha = alpha;
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.beginPath();
  const [width, height] = [Math.max(0.5, box.width - 1.5), Math.max(0.5, box.height - 1.5)];
  context.roundRect(box.x + 0.75, box.top + 0.75, width, height, Math.min(corner, width / 2, height / 2));
  context.stroke();
}

function drawWait({ context, colors }: RowPen, { x, width, top, height }: BarBox): void {
  context.strokeStyle = colors.frame;
  context.lineWidth = 1.5;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(x + tick, top + height / 2);
  context.lineTo(x + width - 2, top + height / 2);
  context.stroke();
  context.setLineDash([]);
}

/** A red tick where an attempt failed, and a red end where the step did. */
function drawFailures({ context, colors, columns: { bars } }: RowPen, picture: RowPicture, span: number, box: BarBox) {
  const { trace, scale } = picture;
  context.fillStyle = colors.danger;
  // Attempts of a reused step failed in the run before.
  const attempts = trace.reused.has(span) ? [] : (trace.attempts.get(span) ?? []);
  for (const { at: failedAt } of attempts) {
    const share = scale.place(failedAt);
    if (share < 0 || share > 1) continue;
    const x = Math.min(
      Math.max(bars.left + share * bars.width - tick / 2, box.x),
      box.x + Math.max(0, box.width - tick),
    );
    fillRound(context, { x, width: tick, top: box.top - 2, height: box.height + 4 }, 1.5);
  }
  if (!isFailure(trace.statusOf(span)) || trace.errors.get(span) === "interrupted") return;
  const width = Math.min(failedEnd, Math.max(2, box.width));
  const isThin = isContainerKind(trace.kindOf(span));
  const [top, height] = isThin ? [box.top - 2, box.height + 4] : [box.top, box.height];
  fillRound(context, { x: box.x + box.width - width, width, top, height }, 1.5);
}

/** Open below: its members are the rows that follow. */
export function drawBracket(
  { context, colors, columns: { bars } }: RowPen,
  picture: RowPicture,
  members: readonly number[],
  y: number,
): void {
  const { trace, scale, now, height } = picture;
  const start = Math.min(...members.map((span) => trace.columns.start[span] ?? 0));
  const end = Math.max(...members.map((span) => trace.endOf(span, now)));
  if (end < scale.range.start || start > scale.range.end) return;
  const { x, width } = toBar(start, end, scale, bars.width);
  const depth = Math.round(height * 0.36);
  const [left, top] = [bars.left + x + 0.75, y + Math.round((height - depth) / 2)];
  const right = Math.max(left + 1, bars.left + x + width - 0.75);
  context.globalAlpha = Math.max(...members.map((span) => alphaOf(picture, span)));
  context.strokeStyle = colors.frame;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(left, top + depth);
  context.arcTo(left, top, left + corner, top, Math.min(corner, (right - left) / 2));
  context.arcTo(right, top, right, top + corner, Math.min(corner, (right - left) / 2));
  context.lineTo(right, top + depth);
  context.stroke();
}

export function drawNotReached(
  { context, colors, columns: { bars } }: RowPen,
  { height }: RowPicture,
  y: number,
): void {
  context.globalAlpha = 1;
  context.font = `430 11px ${colors.family}`;
  context.fillStyle = colors.faint;
  context.textAlign = "right";
  context.textBaseline = "middle";
  context.fillText("not reached", bars.left + bars.width, y + (height - 1) / 2);
}
