import { isFailure } from "../../run/events/events";
import type { TraceView } from "../model/trace-view";
import { allOpen, toRows } from "./span-rows";

export interface SpanFilter {
  /** A part of the name or the path, in any case. */
  query: string;
  errorsOnly: boolean;
}

export interface Filtered {
  /** 1 for every hit and everything above it. */
  kept: Uint8Array;
  /** In the order of the rows. */
  hits: Int32Array;
}

/** What a filter leaves over; null: it asks for nothing. */
export function toFiltered(trace: TraceView, { query, errorsOnly }: SpanFilter): Filtered | null {
  const wanted = query.trim().toLowerCase();
  if (wanted === "" && !errorsOnly) return null;
  const isNamed = toNameTest(trace, wanted);
  return keep(trace, (span) => (!errorsOnly || isFailure(trace.statusOf(span))) && isNamed(span));
}

/** The steps that failed themselves, not only something below them, in the order of the rows. */
export const failedSteps = (trace: TraceView): Int32Array =>
  keep(trace, (span) => isFailure(trace.statusOf(span)) && !trace.hasFailedBelow(span)).hits;

function keep(trace: TraceView, isHit: (span: number) => boolean): Filtered {
  const { parent } = trace.columns;
  const kept = new Uint8Array(trace.length);
  const hit = new Uint8Array(trace.length);
  for (let span = 0; span < trace.length; span++) {
    if (!isHit(span)) continue;
    hit[span] = 1;
    for (let at = span; at >= 0 && kept[at] === 0; at = parent[at] ?? -1) kept[at] = 1;
  }
  return { kept, hits: toRows(trace, allOpen, kept).filter((span) => hit[span] === 1) };
}

/** Names are few and looked at once; whole paths only when the text has a mark of a path in it. */
function toNameTest(trace: TraceView, wanted: string): (span: number) => boolean {
  if (wanted === "") return () => true;
  const named = trace.names.values.map((name) => name.toLowerCase().includes(wanted));
  const isName = (span: number): boolean => named[trace.columns.name[span] ?? -1] ?? false;
  if (!/[/#]/.test(wanted)) return isName;
  return (span) => isName(span) || trace.pathOf(span).toLowerCase().includes(wanted);
}
