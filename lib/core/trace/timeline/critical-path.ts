import type { TraceView } from "../model/trace-view";

/**
 * The steps that the run's length depends on: 1 for each. From the end backwards, the child that ended last before the moment
 * looked at held its parent up until then; before that child began, another one did. What still runs ends `now`.
 */
export function toCriticalPath(trace: TraceView, now: number): Uint8Array {
  const { firstChild, nextSibling, start } = trace.columns;
  const marked = new Uint8Array(trace.length);
  const endOf = (span: number): number => trace.endOf(span, now);
  const open: { first: number; until: number }[] =
    trace.length > 0 ? [{ first: 0, until: Number.POSITIVE_INFINITY }] : [];
  for (let next = open.pop(); next; next = open.pop()) {
    const siblings: number[] = [];
    for (let span = next.first; span >= 0; span = nextSibling[span] ?? -1) siblings.push(span);
    siblings.sort((a, b) => endOf(b) - endOf(a) || b - a);
    let { until } = next;
    for (const span of siblings) {
      if (endOf(span) > until) continue;
      marked[span] = 1;
      until = Math.min(until, start[span] ?? 0);
      const child = firstChild[span] ?? -1;
      if (child >= 0) open.push({ first: child, until: endOf(span) });
    }
  }
  return marked;
}
