import type { TraceView } from "../model/trace-view";
import { nextBeyond } from "./span-rows";
import type { TimeScale } from "./time-scale";

/** The position of every span in a flame graph: its lane, from 0 down, and when the last of its descendants ends. */
export interface FlameLayout {
  lane: Int32Array;
  until: Float64Array;
  lanes: number;
}

/** A lane that siblings share one after another. */
interface Track {
  /** When the last one in it ends. */
  free: number;
  /** Lanes that the tallest one in it takes. */
  height: number;
  members: number[];
}

/**
 * Lanes for all spans: children are below their parent, and concurrent spans never share a lane. Siblings are put in
 * order of starting into the first lanes that are free. What still runs ends `now`. Without recursion.
 */
export function toFlameLayout(trace: TraceView, now: number): FlameLayout {
  const { length } = trace;
  const { firstChild, nextSibling, parent, start } = trace.columns;
  const until = new Float64Array(length);
  const height = new Int32Array(length);
  const below = new Int32Array(length);
  const lane = new Int32Array(length);
  for (let span = length - 1; span >= 0; span--) {
    until[span] = Math.max(until[span] ?? 0, trace.endOf(span, now));
    const above = parent[span] ?? -1;
    if (above >= 0) until[above] = Math.max(until[above] ?? 0, until[span] ?? 0);
  }
  /** Puts siblings into tracks; `below` becomes the lane of each, counted from the first lane of all of them. */
  const stack = (firstSibling: number): number => {
    const tracks: Track[] = [];
    for (let span = firstSibling; span >= 0; span = nextSibling[span] ?? -1) {
      const track = findTrack(tracks, start[span] ?? 0);
      track.free = until[span] ?? 0;
      track.height = Math.max(track.height, height[span] ?? 1);
      track.members.push(span);
    }
    let used = 0;
    for (const { members, height: tall } of tracks) {
      for (const member of members) below[member] = used;
      used += tall;
    }
    return used;
  };
  for (let span = length - 1; span >= 0; span--) height[span] = 1 + stack(firstChild[span] ?? -1);
  const lanes = length > 0 ? stack(0) : 0;
  for (let span = 0; span < length; span++) {
    const above = parent[span] ?? -1;
    lane[span] = (below[span] ?? 0) + (above < 0 ? 0 : (lane[above] ?? 0) + 1);
  }
  return { lane, until, lanes };
}

/** Tracks that are looked through for a free one; where more run at once, the others wait unused: siblings by the ten thousand cost no more each. */
const mostSearched = 64;

function findTrack(tracks: Track[], start: number): Track {
  for (let index = 0; index < tracks.length && index < mostSearched; index++) {
    const track = tracks[index];
    if (track && track.free <= start) return track;
  }
  const track = { free: start, height: 1, members: [] };
  tracks.push(track);
  return track;
}

/** Which part of a flame graph is looked at. */
export interface FlameWindow {
  scale: TimeScale;
  /** In px. */
  width: number;
  fromLane: number;
  toLane: number;
  /** Narrowest box, in px. */
  finest?: number;
}

/**
 * Calls `draw` for what is to be seen of a flame graph `width` px wide between two lanes: whole subtrees outside of the time
 * are passed over, and boxes below `finest` that would lie on the last one of their lane are left out. Boxes are in px.
 */
export function visitFlame(
  trace: TraceView,
  { lane, until, lanes }: FlameLayout,
  { scale, width, fromLane, toLane, finest = 1 }: FlameWindow,
  draw: (box: { span: number; x: number; width: number; lane: number }) => void,
): void {
  const { columns } = trace;
  const { firstChild, start, end } = columns;
  const filled = new Float64Array(lanes).fill(-1);
  const { range } = scale;
  let span = trace.length > 0 && width > 0 ? 0 : -1;
  while (span >= 0) {
    const spanLane = lane[span] ?? 0;
    const begun = start[span] ?? 0;
    const isInTime = begun <= range.end && (until[span] ?? 0) >= range.start;
    if (isInTime && spanLane >= fromLane && spanLane <= toLane) {
      const ended = end[span] ?? Number.NaN;
      const x = scale.place(begun) * width;
      const right = scale.place(Number.isNaN(ended) ? (until[span] ?? begun) : ended) * width;
      const edge = Math.max(right, x + finest);
      if (edge > (filled[spanLane] ?? 0) + finest / 2) {
        filled[spanLane] = edge;
        draw({ span, x, width: edge - x, lane: spanLane });
      }
    }
    const child = isInTime && spanLane < toLane ? (firstChild[span] ?? -1) : -1;
    span = child >= 0 ? child : nextBeyond(columns, span);
  }
}

/** The span at a point of the graph, or -1: the one whose bar is there, with a little room round thin ones. */
export function findInFlame(
  trace: TraceView,
  layout: FlameLayout,
  { scale, width, lane }: { scale: TimeScale; width: number; lane: number },
  x: number,
): number {
  let nearestSpan = -1;
  let distance = 4;
  visitFlame(trace, layout, { scale, width, fromLane: lane, toLane: lane }, (box) => {
    const away = Math.max(box.x - x, x - (box.x + box.width), 0);
    if (away < distance) [nearestSpan, distance] = [box.span, away];
  });
  return nearestSpan;
}
