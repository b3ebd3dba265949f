import { isContainerKind, isDeclaredKind } from "../../run/events/run-node-traits";
import { kindNumber, type TraceView } from "../model/trace-view";

/** Siblings that ran at the same time. The flow has them in parentheses; the run has no step for these. */
export interface ParallelSteps {
  /** Spans in order of starting; at least two. */
  members: readonly number[];
  /** Most of them at one moment. */
  lanes: number;
}

/** In larger traces none are found: it takes a pass over all steps with each new one. */
const mostSpans = 5000;

/** By their members. A named parallel group has a step, and is not among them. Independent of how far the run has come. */
export function findParallelSteps(trace: TraceView): ReadonlyMap<number, ParallelSteps> {
  const found = new Map<number, ParallelSteps>();
  if (trace.length > mostSpans) return found;
  const { firstChild, kind } = trace.columns;
  const group = kindNumber("group");
  for (let parent = 0; parent < trace.length; parent++) {
    if (!isContainerKind(trace.kindOf(parent)) || (firstChild[parent] ?? -1) < 0) continue;
    const siblings = declaredChildren(trace, parent);
    for (const members of toConcurrentClusters(trace, siblings)) {
      if (members.length < 2 || (kind[parent] === group && members.length === siblings.length)) continue;
      const steps = { members, lanes: countLanes(trace, members) };
      for (const member of members) found.set(member, steps);
    }
  }
  return found;
}

/** Whether a step is a group whose members run at the same time: the second starts before the first has ended. */
export function isParallelGroup(trace: TraceView, span: number): boolean {
  const { firstChild, nextSibling } = trace.columns;
  if (trace.kindOf(span) !== "group") return false;
  const first = firstChild[span] ?? -1;
  const second = first < 0 ? -1 : (nextSibling[first] ?? -1);
  return second >= 0 && startOf(trace, second) < endOf(trace, first);
}

function declaredChildren(trace: TraceView, parent: number): number[] {
  const { firstChild, nextSibling } = trace.columns;
  const children: number[] = [];
  for (let span = firstChild[parent] ?? -1; span >= 0; span = nextSibling[span] ?? -1)
    if (isDeclaredKind(trace.kindOf(span))) children.push(span);
  return children;
}

/** What a fork took over began and ended in the run before. */
const startOf = ({ columns, ran }: TraceView, span: number): number => ran.get(span)?.[0] ?? columns.start[span] ?? 0;

const endOf = ({ columns, ran }: TraceView, span: number): number => {
  const end = ran.get(span)?.[1] ?? columns.end[span] ?? Number.NaN;
  return Number.isNaN(end) ? Number.POSITIVE_INFINITY : end;
};

/** The siblings, split where one starts after everything before it has ended. */
export function toConcurrentClusters(trace: TraceView, siblings: readonly number[]): number[][] {
  const clusters: number[][] = [];
  let latestEnd = Number.NEGATIVE_INFINITY;
  for (const span of siblings) {
    const cluster = clusters.at(-1);
    if (cluster && startOf(trace, span) < latestEnd) cluster.push(span);
    else clusters.push([span]);
    latestEnd = Math.max(latestEnd, endOf(trace, span));
  }
  return clusters;
}

function countLanes(trace: TraceView, members: readonly number[]): number {
  let lanes = 0;
  let open: number[] = [];
  for (const span of members) {
    const start = startOf(trace, span);
    open = [...open.filter((other) => endOf(trace, other) > start), span];
    lanes = Math.max(lanes, open.length);
  }
  return lanes;
}
