/** A time range, in milliseconds since the epoch. */
export interface TimeRange {
  start: number;
  end: number;
}

/** Times on a line from 0 to 1. Longer idle gaps may be squeezed: only their scale differs. */
export interface TimeScale {
  readonly range: TimeRange;
  /** The squeezed gaps inside the range. */
  readonly gaps: readonly TimeRange[];
  /** The position of a time: 0 at the range's start, 1 at its end; times outside stay at the ends. */
  place(time: number): number;
  /** The time at a position. */
  timeAt(position: number): number;
}

/** How much of the line one squeezed gap takes, as a part of the time that is not idle. */
const gapShare = 0.02;

/** Shortest range that can be shown, in milliseconds. */
const shortest = 0.001;

const clamp = (value: number, low: number, high: number): number => (value > low ? Math.min(value, high) : low);

/** The scale over `range`, `gaps` squeezed: in order, without overlaps. Total: no input gives NaN. */
export function toTimeScale(range: TimeRange, gaps: readonly TimeRange[] = []): TimeScale {
  const fullRange = orderRange(range);
  const inside = gaps
    .map((gap) => ({ start: Math.max(gap.start, fullRange.start), end: Math.min(gap.end, fullRange.end) }))
    .filter(({ start, end }) => end > start);
  const idle = totalLength(inside);
  const length = fullRange.end - fullRange.start;
  const squeezed = Math.max(length - idle, length * 0.05) * gapShare;
  const times = [fullRange.start];
  const places = [0];
  let [time, position] = [fullRange.start, 0];
  for (const { start, end } of inside) {
    position += start - time;
    times.push(start, end);
    places.push(position, position + Math.min(squeezed, end - start));
    position += Math.min(squeezed, end - start);
    time = end;
  }
  times.push(fullRange.end);
  places.push(position + (fullRange.end - time));
  const total = places.at(-1) ?? 1;
  return {
    range: fullRange,
    gaps: inside,
    place: (time) => (Number.isFinite(time) ? interpolate(times, places, time) / total : 0),
    timeAt: (position) => interpolate(places, times, clamp(position, 0, 1) * total),
  };
}

const totalLength = (ranges: readonly TimeRange[]): number =>
  ranges.reduce((sum, { start, end }) => sum + end - start, 0);

/** The largest time that dates reach: one more is another number still. */
const latest = 8.64e15;

/** Never empty, never NaN. */
function orderRange(range: TimeRange): TimeRange {
  const start = Number.isFinite(range.start) ? clamp(range.start, -latest, latest) : 0;
  return { start, end: Number.isFinite(range.end) && range.end - start >= shortest ? range.end : start + 1 };
}

/** The output at `value`, linear between neighbouring inputs. Inputs and outputs increase. */
function interpolate(inputs: readonly number[], outputs: readonly number[], value: number): number {
  let [low, high] = [0, inputs.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((inputs[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  const [a, b] = [inputs[low] ?? 0, inputs[high] ?? 0];
  const [x, y] = [outputs[low] ?? 0, outputs[high] ?? 0];
  // Neither end is worked out: it would be missed by a rounding.
  if (!(b > a) || value <= a) return x;
  return value >= b ? y : Math.min(x + ((value - a) / (b - a)) * (y - x), y);
}

/** A bar inside a box of some width, in the same unit as the width. */
export interface TimeBar {
  x: number;
  width: number;
}

/** Narrowest bar, in px. */
const thinnest = 2;

/** The bar of a time range in a box `box` px wide; always inside it, never thinner than can be seen, never NaN. */
export function toBar(start: number, end: number, scale: TimeScale, box: number): TimeBar {
  if (!(box > 0) || !Number.isFinite(box)) return { x: 0, width: 0 };
  const leftEdge = scale.place(start) * box;
  const rightEdge = scale.place(Math.max(start, end)) * box;
  const width = Math.min(Math.max(rightEdge - leftEdge, thinnest), box);
  return { x: Math.min(leftEdge, box - width), width };
}

/** The scale's range made `factor` times as long around a position (0 to 1) of it, inside `fullRange`. */
export function zoomRange(scale: TimeScale, fullRange: TimeRange, position: number, factor: number): TimeRange {
  const centre = scale.timeAt(position);
  const [fullLength, length] = [fullRange.end - fullRange.start, scale.range.end - scale.range.start];
  const newLength = clamp(length * factor, Math.min(shortest, fullLength), fullLength);
  const start = centre - ((centre - scale.range.start) / length) * newLength;
  return moveInside({ start, end: start + newLength }, fullRange);
}

/** The range as long as it is, moved so that it is inside `fullRange`. */
export function moveInside(range: TimeRange, fullRange: TimeRange): TimeRange {
  const length = Math.min(range.end - range.start, fullRange.end - fullRange.start);
  const start = clamp(range.start, fullRange.start, fullRange.end - length);
  return { start, end: start + length };
}

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];

/** `offset`: round times since `origin` for an axis `box` px wide, in order, at least `apart` px from one to the next; none inside a gap. `x`: px. */
export function toTicks(scale: TimeScale, origin: number, box: number, apart = 80): { offset: number; x: number }[] {
  if (!(box > 0)) return [];
  const { range, gaps } = scale;
  const busy = Math.max(range.end - range.start - totalLength(gaps), 1);
  const most = Math.max(1, Math.floor(box / apart));
  const step = steps.find((candidate) => busy / candidate <= most) ?? Math.ceil(busy / most);
  const ticks: { offset: number; x: number }[] = [];
  const addTicks = (start: number, end: number): void => {
    for (let time = Math.ceil((start - origin) / step) * step; time <= end - origin; time += step) {
      const x = scale.place(origin + time) * box;
      const last = ticks.at(-1);
      if (!last || x - last.x >= apart * 0.75) ticks.push({ offset: time, x });
    }
  };
  let busyStart = range.start;
  for (const gap of gaps) {
    addTicks(busyStart, gap.start);
    busyStart = gap.end;
  }
  addTicks(busyStart, range.end);
  return ticks;
}
