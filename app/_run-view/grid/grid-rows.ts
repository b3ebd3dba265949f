import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { SpanGroup } from "@/lib/core/trace/timeline/span-groups";
import { type Folding, hasChildren, isClosed } from "@/lib/core/trace/timeline/span-rows";

/** The rows of the grid: steps, or groups with their steps below them. */
export interface GridRows {
  length: number;
  /** The step in a row; -1: a group stands there. */
  spanAt(at: number): number;
  groupAt(at: number): SpanGroup | undefined;
  /** 1 for the outermost. */
  depthAt(at: number): number;
  /** Null: there is nothing below it. */
  isOpenAt(at: number): boolean | null;
  /** By what the folding knows the row. */
  foldIdAt(at: number): number;
  /** Row of a step; -1: it is not shown. */
  find(span: number): number;
}

/** Steps as a tree. `filtered`: rows that a filter left over are open, whatever their depth. */
export const toStepRows = (trace: TraceView, rows: Int32Array, folding: Folding): GridRows => {
  const spanAt = (at: number): number => rows[at] ?? -1;
  return {
    length: rows.length,
    spanAt,
    groupAt: () => undefined,
    depthAt: (at) => trace.columns.depth[spanAt(at)] ?? 1,
    isOpenAt: (at) => (hasChildren(trace, spanAt(at)) ? !isClosed(trace, spanAt(at), folding) : null),
    foldIdAt: spanAt,
    find: (span) => rows.indexOf(span),
  };
};

/** By what the folding knows a group: numbers below 0, which no step has. */
const foldIdOf = ({ number }: SpanGroup): number => -number - 1;

/** Groups; those that were toggled show their steps. */
export function toGroupRows(groups: readonly SpanGroup[], { toggled }: Folding): GridRows {
  const rows: { span: number; group: SpanGroup }[] = [];
  for (const group of groups) {
    rows.push({ span: -1, group });
    if (toggled.has(foldIdOf(group))) for (const span of group.spans) rows.push({ span, group });
  }
  return {
    length: rows.length,
    spanAt: (at) => rows[at]?.span ?? -1,
    groupAt: (at) => (rows[at]?.span === -1 ? rows[at].group : undefined),
    depthAt: (at) => (rows[at]?.span === -1 ? 1 : 2),
    isOpenAt: (at) => {
      const row = rows[at];
      return row?.span === -1 ? toggled.has(foldIdOf(row.group)) : null;
    },
    foldIdAt: (at) => {
      const row = rows[at];
      return row?.span === -1 ? foldIdOf(row.group) : (row?.span ?? -1);
    },
    find: (span) => rows.findIndex((row) => row.span === span),
  };
}
