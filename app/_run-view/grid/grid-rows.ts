import type { TraceView } from "@/lib/core/trace/model/trace-view";
import { findParallelSteps, type ParallelSteps } from "@/lib/core/trace/timeline/parallel-steps";
import type { SpanGroup } from "@/lib/core/trace/timeline/span-groups";
import { type Folding, hasChildren, isClosed } from "@/lib/core/trace/timeline/span-rows";

/** A row between the steps that is none itself. */
export type ExtraRow = ({ type: "parallel" } & ParallelSteps) | { type: "not-reached"; name: string };

export interface GridRows {
  length: number;
  /** The step of a row; -1: the row is a group or an extra row. */
  spanAt(row: number): number;
  groupAt(row: number): SpanGroup | undefined;
  extraAt(row: number): ExtraRow | undefined;
  /** 1 for the outermost. */
  depthAt(row: number): number;
  /** Null: there is nothing below it. */
  isOpenAt(row: number): boolean | null;
  foldIdAt(row: number): number;
  /** Row of a step; -1: the step has none. */
  find(span: number): number;
}

const toPlainRows = (trace: TraceView, rows: Int32Array, folding: Folding): GridRows => {
  const spanAt = (row: number): number => rows[row] ?? -1;
  return {
    length: rows.length,
    spanAt,
    groupAt: () => undefined,
    extraAt: () => undefined,
    depthAt: (row) => trace.columns.depth[spanAt(row)] ?? 1,
    isOpenAt: (row) => (hasChildren(trace, spanAt(row)) ? !isClosed(trace, spanAt(row), folding) : null),
    foldIdAt: spanAt,
    find: (span) => rows.indexOf(span),
  };
};

const parallelFoldId = ({ members }: ParallelSteps): number => -(members[0] ?? 0) - 1;

/** The steps as a tree; steps that ran at once are below a row of their own, agents that were not reached come last. */
export function toStepRows(
  trace: TraceView,
  rows: Int32Array,
  folding: Folding,
  notReached: readonly string[] = [],
): GridRows {
  const parallel = findParallelSteps(trace);
  if (parallel.size === 0 && notReached.length === 0) return toPlainRows(trace, rows, folding);
  const nesting = toNesting(trace, parallel, folding);
  const entries: (number | ExtraRow)[] = [];
  const listed = new Set<ParallelSteps>();
  for (const span of rows) {
    const steps = parallel.get(span);
    if (steps && !listed.has(steps) && nesting.hidden[trace.columns.parent[span] ?? -1] !== 1) {
      listed.add(steps);
      entries.push({ type: "parallel", ...steps });
    }
    if (nesting.hidden[span] !== 1) entries.push(span);
  }
  for (const name of notReached) entries.push({ type: "not-reached", name });
  return toMixedRows(trace, entries, nesting.shift, folding);
}

/** How much deeper each span is than in the trace, and 1 for those in a closed row. */
function toNesting(trace: TraceView, parallel: ReadonlyMap<number, ParallelSteps>, { toggled }: Folding) {
  const shift = new Uint8Array(trace.length);
  const hidden = new Uint8Array(trace.length);
  for (let span = 0; span < trace.length; span++) {
    const above = trace.columns.parent[span] ?? -1;
    const steps = parallel.get(span);
    shift[span] = (shift[above] ?? 0) + (steps ? 1 : 0);
    hidden[span] = hidden[above] === 1 || (steps && toggled.has(parallelFoldId(steps))) ? 1 : 0;
  }
  return { shift, hidden };
}

function toMixedRows(
  trace: TraceView,
  entries: readonly (number | ExtraRow)[],
  shift: Uint8Array,
  folding: Folding,
): GridRows {
  const entryAt = (row: number): number | ExtraRow => entries[row] ?? -1;
  const depthOf = (span: number): number => (trace.columns.depth[span] ?? 1) + (shift[span] ?? 0);
  const spanAt = (row: number): number => {
    const entry = entryAt(row);
    return typeof entry === "number" ? entry : -1;
  };
  return {
    length: entries.length,
    spanAt,
    groupAt: () => undefined,
    extraAt: (row) => {
      const entry = entryAt(row);
      return typeof entry === "number" ? undefined : entry;
    },
    depthAt: (row) => {
      const entry = entryAt(row);
      if (typeof entry === "number") return depthOf(entry);
      return entry.type === "parallel" ? depthOf(entry.members[0] ?? 0) - 1 : 2;
    },
    isOpenAt: (row) => {
      const entry = entryAt(row);
      if (typeof entry === "number") return hasChildren(trace, entry) ? !isClosed(trace, entry, folding) : null;
      return entry.type === "parallel" ? !folding.toggled.has(parallelFoldId(entry)) : null;
    },
    foldIdAt: (row) => {
      const entry = entryAt(row);
      return typeof entry === "number" ? entry : entry.type === "parallel" ? parallelFoldId(entry) : -1;
    },
    find: (span) => entries.indexOf(span),
  };
}

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
    extraAt: () => undefined,
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
