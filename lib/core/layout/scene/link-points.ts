import { type CanvasBox, type CanvasPoint, distanceOf } from "./canvas-box";

/** The course of a link. Distances are in canvas pixels, from the source, so that a link moves along with a dragged frame. */
export type LinkRoute =
  | { type: "straight" }
  /** From the lead of a team to a worker. */
  | { type: "spoke" }
  /** Right-angled: turns at this distance after the end of its source. `shares`: the half that other links share. */
  | { type: "trunk"; at: number; shares: "none" | "start" | "end"; noPorts?: true }
  /** From the side of the diamond to the end of its frame, past its only lane: the size of the diamond, and where lanes join before the end. */
  | { type: "bypass"; lead: number; breadth: number; join: number }
  /** Past the ends of two cards that are beside each other. */
  | { type: "bracket"; slot: number }
  /**
   * Around the cards between its ends: at this distance from the middle of its source, across the flow. `late`, `early`: how much
   * further than others it goes straight on from its source, and to its target, so as to turn beside longer lanes.
   */
  | {
      type: "around";
      at: number;
      slot: number;
      leaves: "side" | "port";
      arrives: "side" | "port";
      late?: number;
      early?: number;
    };

/** The boxes at both ends of a link, and whether its flow runs down. */
export interface LinkEnds {
  source: CanvasBox;
  target: CanvasBox;
  down: boolean;
}

/** Along and across the flow: where it runs down, x and y are swapped. */
export interface FlowExtent {
  start: number;
  end: number;
  center: number;
  low: number;
  high: number;
  middle: number;
}

export const toExtent = ({ x, y, width, height }: CanvasBox, down: boolean): FlowExtent => {
  const [start, length, low, breadth] = down ? [y, height, x, width] : [x, width, y, height];
  return {
    start,
    end: start + length,
    center: start + length / 2,
    low,
    high: low + breadth,
    middle: low + breadth / 2,
  };
};

/** Where links begin and end: outside of the dot of a card, or at its border. */
const clear = { port: 7, border: 4 } as const;
/** A link turns at most so near to its ends: its head needs the room. */
const turn = { start: 10, end: 20 } as const;
/** Between a card and a line that goes around it. */
const corridor = 22;
/** Between lines that go around the same cards. */
const slotGap = 10;
const level = 2;

type AxisPoint = [along: number, across: number];

/** The corners of a link, from its start to its end. */
export function toLinkPoints(ends: LinkEnds, route: LinkRoute): CanvasPoint[] {
  const source = toExtent(ends.source, ends.down);
  const target = toExtent(ends.target, ends.down);
  return toAxisPoints(source, target, route).map(([along, across]) =>
    ends.down ? { x: across, y: along } : { x: along, y: across },
  );
}

function toAxisPoints(source: FlowExtent, target: FlowExtent, route: LinkRoute): AxisPoint[] {
  switch (route.type) {
    case "straight":
      return toStraightPoints(source, target);
    case "spoke":
      return [
        [source.end + clear.port, source.middle],
        [target.start - clear.port + 1, target.middle],
      ];
    case "bracket":
      return toBracketPoints(source, target, route.slot);
    case "bypass":
      return toBypassPoints(target, route);
    case "around":
      return toAroundPoints(source, target, route);
    case "trunk":
      return toTrunkPoints(source, target, route);
  }
}

/** Between the sides that face each other. */
function toStraightPoints(source: FlowExtent, target: FlowExtent): AxisPoint[] {
  if (target.start >= source.end)
    return [
      [source.end + clear.port, source.middle],
      [target.start - clear.port, target.middle],
    ];
  if (target.end <= source.start)
    return [
      [source.start - clear.port, source.middle],
      [target.end + clear.port, target.middle],
    ];
  return target.low >= source.middle
    ? [
        [source.center, source.high + clear.border],
        [target.center, target.low - clear.border],
      ]
    : [
        [source.center, source.low - clear.border],
        [target.center, target.high + clear.border],
      ];
}

/** Around the ends of cards that are beside each other. */
function toBracketPoints(source: FlowExtent, target: FlowExtent, slot: number): AxisPoint[] {
  const outside = Math.max(source.end, target.end) + corridor + slot * slotGap;
  return [
    [source.end + clear.port, source.middle],
    [outside, source.middle],
    [outside, target.middle],
    [target.end + clear.port, target.middle],
  ];
}

function toTrunkPoints(
  source: FlowExtent,
  target: FlowExtent,
  { at, noPorts }: Extract<LinkRoute, { type: "trunk" }>,
): AxisPoint[] {
  const start = source.end + (noPorts ? 0 : clear.port);
  const end = target.start - clear.port;
  if (end - start < turn.start + turn.end) return toTurnPoints(source, target);
  if (Math.abs(source.middle - target.middle) < level)
    return [
      [start, source.middle],
      [end, source.middle],
    ];
  const trunk = Math.min(Math.max(source.end + at, start + turn.start), end - turn.end);
  return [
    [start, source.middle],
    [trunk, source.middle],
    [trunk, target.middle],
    [end, target.middle],
  ];
}

/** Between the lane of a branch and the side of its frame. */
const bypassOffset = 10;

function toBypassPoints(
  frame: FlowExtent,
  { lead, breadth, join }: Extract<LinkRoute, { type: "bypass" }>,
): AxisPoint[] {
  const across = frame.high - bypassOffset;
  const [start, end] = [frame.start + lead / 2, frame.end - join];
  return [
    [start, frame.middle + breadth / 2],
    [start, across],
    [end, across],
    [end, frame.middle],
    [frame.end - clear.port, frame.middle],
  ];
}

/** How far along a link those that share its start part from it: in the middle of the corner, of this radius, where it turns. */
export const toForkLength = (route: LinkRoute, radius: number): number =>
  route.type === "trunk" && route.shares === "start" ? Math.max(0, route.at - clear.port - radius / 2) : 0;

/** Back to a target that has been dragged before its source. */
function toTurnPoints(source: FlowExtent, target: FlowExtent): AxisPoint[] {
  const isApart = target.low > source.high || source.low > target.high;
  const across = isApart
    ? (Math.max(source.low, target.low) + Math.min(source.high, target.high)) / 2
    : Math.max(source.high, target.high) + corridor;
  return toCorridorPoints(source, target, { across, slot: 0 });
}

/** Out of the end of the source, across, back, and into the start of the target. */
const toCorridorPoints = (
  source: FlowExtent,
  target: FlowExtent,
  { across, slot, late = 0, early = 0 }: { across: number; slot: number; late?: number; early?: number },
): AxisPoint[] => {
  const [out, into] = [source.end + late + corridor + slot * 4, target.start - early - corridor - 6 - slot * 4];
  return [
    [source.end + clear.port, source.middle],
    [out, source.middle],
    [out, across],
    [into, across],
    [into, target.middle],
    [target.start - clear.port, target.middle],
  ];
};

function toAroundPoints(
  source: FlowExtent,
  target: FlowExtent,
  { at, slot, leaves, arrives, late = 0, early = 0 }: Extract<LinkRoute, { type: "around" }>,
): AxisPoint[] {
  const isBelow = at > 0;
  const across = source.middle + at + (isBelow ? slot : -slot) * slotGap;
  const points = toCorridorPoints(source, target, { across, slot, late, early });
  const aside = Math.sign(target.center - source.center) * 16;
  const side = (extent: FlowExtent): number => (isBelow ? extent.high + clear.border : extent.low - clear.border);
  const start: AxisPoint[] =
    leaves === "port"
      ? points.slice(0, 3)
      : [
          [source.center + aside, side(source)],
          [source.center + aside, across],
        ];
  const end: AxisPoint[] =
    arrives === "port"
      ? points.slice(3)
      : [
          [target.center - aside, across],
          [target.center - aside, side(target)],
        ];
  return [...start, ...end];
}

/** From a point to the nearest segment of a line that is beside it, in canvas pixels; infinite beyond its ends. */
export function distanceToLine(points: readonly CanvasPoint[], { x, y }: CanvasPoint): number {
  let least = Number.POSITIVE_INFINITY;
  for (let index = 1; index < points.length; index++) {
    const [start, end] = [points[index - 1], points[index]];
    if (!start || !end) continue;
    const [dx, dy] = [end.x - start.x, end.y - start.y];
    const part = ((x - start.x) * dx + (y - start.y) * dy) / (dx * dx + dy * dy || 1);
    if (part < 0 || part > 1) continue;
    least = Math.min(least, Math.hypot(start.x + dx * part - x, start.y + dy * part - y));
  }
  return least;
}

/** The point at this distance from the last point, towards the point before it. */
export function shorten(points: readonly CanvasPoint[], distance: number): CanvasPoint[] {
  const [last, before] = [points.at(-1), points.at(-2)];
  if (!last || !before) return [...points];
  const length = Math.hypot(last.x - before.x, last.y - before.y) || 1;
  const part = Math.min(1, distance / length);
  return [...points.slice(0, -1), { x: last.x + (before.x - last.x) * part, y: last.y + (before.y - last.y) * part }];
}

const round = (value: number): number => Math.round(value * 10) / 10;
const print = ({ x, y }: CanvasPoint): string => `${round(x)} ${round(y)}`;

/** An SVG path with rounded corners. */
export function toRoundedPath(points: readonly CanvasPoint[], radius: number): string {
  let path = "";
  points.forEach((point, index) => {
    const [before, after] = [points[index - 1], points[index + 1]];
    if (!before) path = `M${print(point)}`;
    else if (!after) path += `L${print(point)}`;
    else {
      const reach = Math.min(radius, distanceOf(before, point) / 2, distanceOf(point, after) / 2);
      path += `L${print(towards(point, before, reach))}Q${print(point)} ${print(towards(point, after, reach))}`;
    }
  });
  return path;
}

function towards(start: CanvasPoint, end: CanvasPoint, distance: number): CanvasPoint {
  const part = distance / (distanceOf(start, end) || 1);
  return { x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part };
}

export const headLength = 11;
const headBreadth = 11;

/** The arrow head at the last point, as an SVG path. */
export function toHeadPath(points: readonly CanvasPoint[]): string {
  const [tip, before] = [points.at(-1), points.at(-2)];
  if (!tip || !before) return "";
  const base = towards(tip, before, headLength);
  const [acrossX, acrossY] = [
    ((tip.y - base.y) / headLength) * (headBreadth / 2),
    ((base.x - tip.x) / headLength) * (headBreadth / 2),
  ];
  return `M${print(tip)}L${print({ x: base.x + acrossX, y: base.y + acrossY })}L${print({ x: base.x - acrossX, y: base.y - acrossY })}Z`;
}

/** Where a link has room for a mark: on the part of it that it shares with no other link. */
export function toMarkPoint(points: readonly CanvasPoint[], route: LinkRoute): CanvasPoint {
  const segment = route.type === "trunk" && points.length > 2 && route.shares === "end" ? 0 : undefined;
  const first = segment ?? (points.length === 4 && route.type === "trunk" ? 2 : Math.floor((points.length - 1) / 2));
  const [start, end] = [points[first], points[first + 1]];
  if (!start || !end) return points[0] ?? { x: 0, y: 0 };
  // The head belongs to the last segment.
  const stop = first + 2 === points.length ? towards(end, start, headLength / 2) : end;
  return { x: (start.x + stop.x) / 2, y: (start.y + stop.y) / 2 };
}
