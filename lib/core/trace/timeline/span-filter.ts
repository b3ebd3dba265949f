import { isFailure } from "../../run/events/run-status";
import type { TraceView } from "../model/trace-view";
import { allOpen, toRows } from "./span-rows";

export interface FilteredSpans {
  /** 1 for every hit and everything above it. */
  kept: Uint8Array;
  /** In the order of the rows. */
  hits: Int32Array;
}

/** The spans with `query` in their name or path, in any case. Null: neither a query nor errors are asked for. */
export function filterSpans(trace: TraceView, query: string, errorsOnly: boolean): FilteredSpans | null {
  const searchText = query.trim().toLowerCase();
  if (searchText === "" && !errorsOnly) return null;
  const isNamed = toNameTest(trace, searchText);
  return collectHits(trace, (span) => (!errorsOnly || isFailure(trace.statusOf(span))) && isNamed(span));
}

/** Whether a step failed itself, not only something below it. */
const isFailedItself = (trace: TraceView, span: number): boolean =>
  isFailure(trace.statusOf(span)) && !trace.hasFailedBelow(span);

/** The steps that failed themselves, in the order of the rows. */
export const failedSteps = (trace: TraceView): Int32Array =>
  collectHits(trace, (span) => isFailedItself(trace, span)).hits;

/** How many steps failed themselves: one pass, without their order. */
export function countFailedSteps(trace: TraceView): number {
  let count = 0;
  for (let span = 0; span < trace.length; span++) if (isFailedItself(trace, span)) count++;
  return count;
}

function collectHits(trace: TraceView, isHit: (span: number) => boolean): FilteredSpans {
  const { parent } = trace.columns;
  const matches = new Uint8Array(trace.length);
  const hit = new Uint8Array(trace.length);
  for (let span = 0; span < trace.length; span++) {
    if (!isHit(span)) continue;
    hit[span] = 1;
    for (let ancestor = span; ancestor >= 0 && matches[ancestor] === 0; ancestor = parent[ancestor] ?? -1)
      matches[ancestor] = 1;
  }
  return { kept: matches, hits: toRows(trace, allOpen, matches).filter((span) => hit[span] === 1) };
}

/** Names are few and looked at once; whole paths only when the text has a mark of a path in it. */
function toNameTest(trace: TraceView, searchText: string): (span: number) => boolean {
  if (searchText === "") return () => true;
  const named = trace.names.values.map((name) => name.toLowerCase().includes(searchText));
  const isName = (span: number): boolean => named[trace.columns.name[span] ?? -1] ?? false;
  if (!/[/#]/.test(searchText)) return isName;
  return (span) => isName(span) || trace.pathOf(span).toLowerCase().includes(searchText);
}
