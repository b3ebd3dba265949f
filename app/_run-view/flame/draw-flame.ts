import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import { isFailure } from "@/lib/core/run/events/run-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { type FlameLayout, visitFlame } from "@/lib/core/trace/timeline/flame-layout";
import type { TimeScale } from "@/lib/core/trace/timeline/time-scale";
import { noAgent } from "../drawing/span-colors";
import type { Pen } from "../drawing/use-canvas";

export interface FlamePicture {
  trace: TraceView;
  layout: FlameLayout;
  colors: Uint8Array;
  scale: TimeScale;
  /** Height of a lane in px, with the line between two. */
  laneHeight: number;
  /** How far it is scrolled down, in px. */
  top: number;
  selected: number;
  /** Boxes closer than this to the one before, in px, may be left out. */
  finest: number;
  /** 1 for spans to show; the others are pale. Null: all. */
  lit: Uint8Array | null;
}

/** Narrowest box that gets a name, and narrowest part of a letter, in px. */
const [leastNamed, letterWidth] = [36, 6.2];

export function drawFlame({ context, width, height, colors: theme }: Pen, picture: FlamePicture): void {
  const { trace, layout, colors, scale, laneHeight, top, selected, lit, finest } = picture;
  const named: { x: number; y: number; width: number; span: number; isDark: boolean }[] = [];
  const box = Math.max(1, laneHeight - (laneHeight > 4 ? 1 : 0));
  context.font = `11px ${theme.family}`;
  context.textBaseline = "middle";
  const lanes = { fromLane: Math.floor(top / laneHeight), toLane: Math.floor((top + height) / laneHeight) };
  visitFlame(trace, layout, { scale, width, finest, ...lanes }, ({ span, x, width: wide, lane }) => {
    const y = lane * laneHeight - top;
    const color = colors[span] ?? noAgent;
    context.globalAlpha =
      lit && lit[span] === 0 ? 0.2 : color === noAgent ? 0.7 : isAgentKind(trace.kindOf(span)) ? 1 : 0.75;
    context.fillStyle = isFailure(trace.statusOf(span)) ? theme.danger : (theme.agents[color] ?? theme.place);
    context.fillRect(x, y, wide > 3 ? wide - 0.5 : wide, box);
    if (wide >= leastNamed && laneHeight >= 14) named.push({ x, y, width: wide, span, isDark: color !== noAgent });
    if (span === selected) {
      context.globalAlpha = 1;
      context.strokeStyle = theme.text;
      context.lineWidth = 2;
      context.strokeRect(x + 1, y + 1, Math.max(wide - 2, 1), box - 2);
    }
  });
  context.globalAlpha = 1;
  for (const { x, y, width: wide, span, isDark } of named) {
    const room = Math.floor((Math.min(wide, width - x) - 8) / letterWidth);
    const name = trace.nameOf(span);
    context.fillStyle = isDark || isFailure(trace.statusOf(span)) ? theme.surface : theme.text;
    if (room > 2)
      context.fillText(name.length > room ? `${name.slice(0, room - 1)}…` : name, x + 4, y + laneHeight / 2);
  }
}
