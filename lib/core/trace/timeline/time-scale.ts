/** A stretch of time, in milliseconds since the epoch. */
export interface TimeRange {
  from: number;
  to: number;
}

/** Times on a line from 0 to 1. Longer idle stretches may be squeezed: they are the only ones that run at another speed. */
export interface TimeScale {
  readonly range: TimeRange;
  /** The squeezed stretches inside the range. */
  readonly gaps: readonly TimeRange[];
  /** Where a time stands: 0 at the range's start, 1 at its end; times outside stay at the ends. */
  place(at: number): number;
  /** The time that stands there. */
  timeAt(place: number): number;
}

/** How much of the line one squeezed gap takes, as a part of the time that is not idle. */
const gapShare = 0.02;

/** Shortest stretch that can be looked at, in milliseconds. */
const shortest = 0.001;

const clamp = (value: number, from: number, to: number): number => (value > from ? Math.min(value, to) : from);

/** The scale over `range`, `gaps` squeezed: in order, without overlaps. Total: no input gives NaN. */
export function toTimeScale(range: TimeRange, gaps: readonly TimeRange[] = []): TimeScale {
  const whole = orderRange(range);
  const inside = gaps
    .map(({ from, to }) => ({ from: Math.max(from, whole.from), to: Math.min(to, whole.to) }))
    .filter(({ from, to }) => to > from);
  const idle = inside.reduce((sum, { from, to }) => sum + to - from, 0);
  const length = whole.to - whole.from;
  const squeezed = Math.max(length - idle, length * 0.05) * gapShare;
  const times = [whole.from];
  const places = [0];
  let [time, place] = [whole.from, 0];
  for (const { from, to } of inside) {
    place += from - time;
    times.push(from, to);
    places.push(place, place + Math.min(squeezed, to - from));
    place += Math.min(squeezed, to - from);
    time = to;
  }
  times.push(whole.to);
  places.push(place + (whole.to - time));
  const total = places.at(-1) ?? 1;
  return {
    range: whole,
    gaps: inside,
    place: (at) => (Number.isFinite(at) ? between(times, places, at) / total : 0),
    timeAt: (at) => between(places, times, clamp(at, 0, 1) * total),
  };
}

/** The largest time that dates reach: one more is another number still. */
const latest = 8.64e15;

/** Never empty, never NaN. */
function orderRange({ from, to }: TimeRange): TimeRange {
  const start = Number.isFinite(from) ? clamp(from, -latest, latest) : 0;
  return { from: start, to: Number.isFinite(to) && to - start >= shortest ? to : start + 1 };
}

/** What stands in `to` where `value` stands in `from`; both grow. */
function between(from: readonly number[], to: readonly number[], value: number): number {
  let [low, high] = [0, from.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((from[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  const [a, b] = [from[low] ?? 0, from[high] ?? 0];
  const [x, y] = [to[low] ?? 0, to[high] ?? 0];
  // Neither end is worked out: it would be missed by a rounding.
  if (!(b > a) || value <= a) return x;
  return value >= b ? y : Math.min(x + ((value - a) / (b - a)) * (y - x), y);
}

/** A bar inside a box of some width, in the same unit as the width. */
export interface Bar {
  x: number;
  width: number;
}

/** Narrowest bar, in px. */
const thinnest = 2;

/** Where a stretch of time stands in a box `box` px wide; always inside it, never thinner than can be seen, never NaN. */
export function toBar(start: number, end: number, scale: TimeScale, box: number): Bar {
  if (!(box > 0) || !Number.isFinite(box)) return { x: 0, width: 0 };
  const left = scale.place(start) * box;
  const right = scale.place(Math.max(start, end)) * box;
  const width = Math.min(Math.max(right - left, thinnest), box);
  return { x: Math.min(left, box - width), width };
}

/** `range` made `factor` times as long round the place `at` (0 to 1) of it, inside `whole`. */
export function zoomRange(scale: TimeScale, whole: TimeRange, at: number, factor: number): TimeRange {
  const { from, to } = scale.range;
  const centre = scale.timeAt(at);
  const length = clamp((to - from) * factor, Math.min(shortest, whole.to - whole.from), whole.to - whole.from);
  const start = centre - ((centre - from) / (to - from)) * length;
  return moveInside({ from: start, to: start + length }, whole);
}

/** The range as long as it is, moved so that it lies inside `whole`. */
export function moveInside({ from, to }: TimeRange, whole: TimeRange): TimeRange {
  const length = Math.min(to - from, whole.to - whole.from);
  const start = clamp(from, whole.from, whole.to - length);
  return { from: start, to: start + length };
}

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000,
];

export interface Tick {
  /** Milliseconds since `origin`. */
  offset: number;
  /** In px from the box's left. */
  x: number;
}

/** Round times since `origin` for an axis `box` px wide, in order, at least `apart` px from one to the next; none inside a gap. */
export function toTicks(scale: TimeScale, origin: number, box: number, apart = 80): Tick[] {
  if (!(box > 0)) return [];
  const { range, gaps } = scale;
  const idle = gaps.reduce((sum, { from, to }) => sum + to - from, 0);
  const busy = Math.max(range.to - range.from - idle, 1);
  const most = Math.max(1, Math.floor(box / apart));
  const step = steps.find((candidate) => busy / candidate <= most) ?? Math.ceil(busy / most);
  const ticks: Tick[] = [];
  const add = (from: number, to: number): void => {
    for (let at = Math.ceil((from - origin) / step) * step; at <= to - origin; at += step) {
      const x = scale.place(origin + at) * box;
      const last = ticks.at(-1);
      if (!last || x - last.x >= apart * 0.75) ticks.push({ offset: at, x });
    }
  };
  let from = range.from;
  for (const gap of gaps) {
    add(from, gap.from);
    from = gap.to;
  }
  add(from, range.to);
  return ticks;
}
