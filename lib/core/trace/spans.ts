import { groupBy } from "../flow/group-by";
import type { RunNode, RunState } from "./run-state";

/** One row of the tree beside the waterfall. */
export interface TraceRow {
  node: RunNode;
  /** 1 for the root. */
  depth: number;
  hasChildren: boolean;
  collapsed: boolean;
  /** Among its siblings, from 1. */
  position: number;
  siblings: number;
}

/** The rows to show: every node below its parent, in order of starting; what is below a collapsed node is left out. */
export function toRows(state: RunState, collapsed: ReadonlySet<number>): TraceRow[] {
  const known = new Set(state.nodes.map(({ id }) => id));
  const children = groupBy(state.nodes, ({ parent }) => (parent !== undefined && known.has(parent) ? parent : null));
  const rows: TraceRow[] = [];
  const waiting = toPending(children.get(null) ?? [], 1);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const below = children.get(next.node.id) ?? [];
    const closed = below.length > 0 && collapsed.has(next.node.id);
    rows.push({ ...next, hasChildren: below.length > 0, collapsed: closed });
    if (!closed) for (const pending of toPending(below, next.depth + 1)) waiting.push(pending);
  }
  return rows;
}

/** Last first: they are taken from the end. */
const toPending = (nodes: readonly RunNode[], depth: number) =>
  nodes.map((node, index) => ({ node, depth, position: index + 1, siblings: nodes.length })).reverse();

/** A stretch of time, in milliseconds since the epoch. */
export interface TimeRange {
  from: number;
  to: number;
}

/** From the first start to the last end; what still runs ends `now`. Never empty. */
export function rangeOf(state: RunState, now: number): TimeRange {
  let from = state.startedAt ?? Number.POSITIVE_INFINITY;
  let to = state.endedAt ?? Number.NEGATIVE_INFINITY;
  for (const node of state.nodes) {
    from = Math.min(from, node.startedAt);
    to = Math.max(to, node.endedAt ?? now);
  }
  if (!Number.isFinite(from)) from = now;
  if (!Number.isFinite(to) || (state.endedAt === undefined && to < now)) to = now;
  return { from, to: Math.max(to, from + 1) };
}

/** A bar inside a box of some width, in the same unit as the width. */
export interface Bar {
  x: number;
  width: number;
}

/** Narrowest bar, in the unit of the box. */
const thinnest = 2;

/** Where a stretch of time stands in a box; always inside it, never thinner than can be seen, never NaN. */
export function toBar(start: number, end: number, range: TimeRange, box: number): Bar {
  if (!(box > 0)) return { x: 0, width: 0 };
  const scale = box / Math.max(1, range.to - range.from);
  const clamp = (value: number): number => Math.min(Math.max(Number.isFinite(value) ? value : 0, 0), box);
  const left = clamp((start - range.from) * scale);
  const right = clamp((Math.max(start, end) - range.from) * scale);
  const width = Math.min(Math.max(right - left, thinnest), box);
  return { x: Math.min(left, box - width), width };
}

export type SegmentType = "queue" | "retry" | "first-token" | "generate" | "work";
export interface Segment {
  type: SegmentType;
  from: number;
  to: number;
}

/**
 * What a node's time went into, in order and without gaps: the wait for its turn at the provider; attempts that failed and were tried again, with the waits
 * between them; the wait for the first token; the rest.
 */
export function toSegments(node: RunNode, now: number): Segment[] {
  const end = node.endedAt ?? now;
  if (node.kind !== "llm_call") return [{ type: "work", from: node.startedAt, to: Math.max(node.startedAt, end) }];
  const segments: Segment[] = [];
  let at = node.startedAt;
  const add = (type: SegmentType, until: number): void => {
    const to = Math.min(Math.max(until, at), Math.max(end, at));
    if (to > at) segments.push({ type, from: at, to });
    at = to;
  };
  if (node.queuedMs !== undefined) add("queue", node.startedAt + node.queuedMs);
  for (const { at: failedAt, waitMs } of node.attempts) if (waitMs !== undefined) add("retry", failedAt + waitMs);
  add("first-token", node.firstTokenAt ?? end);
  add("generate", end);
  return segments;
}

const steps = [
  1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000,
  1_800_000, 3_600_000,
];

/** Round times for an axis, as offsets from the range's start, at most about one each `apart` units of the box. */
export function toTicks(range: TimeRange, box: number, apart = 80): number[] {
  const length = range.to - range.from;
  const most = Math.max(1, Math.floor(box / apart));
  if (!(length > 0) || !(box > 0)) return [0];
  const step = steps.find((candidate) => length / candidate <= most) ?? Math.ceil(length / most);
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => index * step);
}
