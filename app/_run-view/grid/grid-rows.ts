import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { SpanGroup } from "@/lib/core/trace/timeline/span-groups";
import { type Folding, hasChildren, isClosed } from "@/lib/core/trace/timeline/span-rows";

export interface GridRows {
  length: number;
  /** The step of a row; -1: the row is a group. */
  spanAt(row: number): number;
  groupAt(row: number): SpanGroup | undefined;
  /** 1 for the outermost. */
  depthAt(row: number): number;
  /** Null: there is nothing below it. */
  isOpenAt(row: number): boolean | null;
  foldIdAt(row: number): number;
  /** Row of a step; -1: the step has none. */
  find(span: number): number;
}

export const toStepRows = (trace: TraceView, rows: Int32Array, folding: Folding): GridRows => {
  const spanAt = (row: number): number => rows[row] ?? -1;
  return {
    length: rows.length,
    spanAt,
    groupAt: () => undefined,
    depthAt: (row) => trace.columns.depth[spanAt(row)] ?? 1,
    isOpenAt: (row) => (hasChildren(trace, spanAt(row)) ? !isClosed(trace, spanAt(row), folding) : null),
    foldIdAt: spanAt,
    find: (span) => rows.indexOf(span),
  };
};

const foldIdOf = ({ number }: SpanGroup): number => -number - 1;

export function toGroupRows(groups: readonly SpanGroup[], { toggled }: Folding): GridRows {
  const rows: { span: number; group: SpanGroup }[] = [];
  for (const group of groups) {
    rows.push({ span: -1, group });
    if (toggled.has(foldIdOf(group))) for (const span of group.spans) rows.push({ span, group });
  }
  return {
    length: rows.length,
    spanAt: (index) => rows[index]?.span ?? -1,
    groupAt: (index) => (rows[index]?.span === -1 ? rows[index].group : undefined),
    depthAt: (index) => (rows[index]?.span === -1 ? 1 : 2),
    isOpenAt: (index) => {
      const row = rows[index];
      return row?.span === -1 ? toggled.has(foldIdOf(row.group)) : null;
    },
    foldIdAt: (index) => {
      const row = rows[index];
      return row?.span === -1 ? foldIdOf(row.group) : (row?.span ?? -1);
    },
    find: (span) => rows.findIndex((row) => row.span === span),
  };
}
