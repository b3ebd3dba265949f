import { isTerminal, type RunNodeKind, type RunStatus } from "@/lib/core/run/events/events";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { GridRows } from "../grid/grid-rows";

export interface RowSource {
  trace: TraceView;
  rows: GridRows;
  /** When the run began, in milliseconds since the epoch. */
  origin: number;
  /** Milliseconds of a span, as the time column shows them. */
  timeOf(span: number): number;
  /** The displayed moment; null: the end, or now. */
  moment: number | null;
}

export interface RowValues {
  kind: RunNodeKind | "group-of-steps";
  name: string;
  /** 1 for the outermost. */
  depth: number;
  /** Null: there is nothing below it. */
  isOpen: boolean | null;
  /** Null: not started at the displayed moment. */
  status: RunStatus | null;
  failedBelow: boolean;
  warnings: number;
  warnedBelow: boolean;
  tokens: number;
  /** In US dollars; null: unknown. */
  cost: number | null;
  /** Calls of models; 0: there is no cost to know. */
  calls: number;
  /** Milliseconds. */
  time: number;
  /** Milliseconds from the run's start to the step's. */
  began: number;
  attempts: number;
}

export function toRowValues({ trace, rows, origin, timeOf, moment }: RowSource, index: number): RowValues {
  const nesting = { depth: rows.depthAt(index), isOpen: rows.isOpenAt(index) };
  const group = rows.groupAt(index);
  if (group)
    return {
      ...nesting,
      kind: "group-of-steps",
      name: `${group.name} (${group.spans.length})`,
      status: group.failed > 0 ? "FAILED" : "SUCCESS",
      failedBelow: false,
      warnings: 0,
      warnedBelow: false,
      tokens: group.tokens,
      cost: group.cost,
      calls: group.tokens,
      time: group.time,
      began: 0,
      attempts: 0,
    };
  const span = rows.spanAt(index);
  const status = moment === null ? trace.shownStatusOf(span) : trace.statusAt(span, moment);
  const { start, input, output, cost, calls } = trace.columns;
  const spanCost = cost[span] ?? 0;
  const isKnown = moment === null || (status !== null && isTerminal(status));
  const warnings = isKnown ? (trace.warnings.get(span)?.length ?? 0) : 0;
  return {
    ...nesting,
    kind: trace.kindOf(span),
    name: trace.nameOf(span),
    status,
    failedBelow: isKnown && trace.hasFailedBelow(span),
    warnings,
    warnedBelow: isKnown && warnings === 0 && trace.isWarned(span),
    tokens: (input[span] ?? 0) + (output[span] ?? 0),
    cost: Number.isNaN(spanCost) ? null : spanCost,
    calls: calls[span] ?? 0,
    time: timeOf(span),
    began: (start[span] ?? 0) - origin,
    attempts: trace.attempts.get(span)?.length ?? 0,
  };
}

/** The mark at the end of a row's name, pale where it is about a step below. Null: there is nothing to mark. */
export function toRowMark(row: RowValues): { icon: RunStatus | "warning"; isPale: boolean } | null {
  if (row.status === null) return null;
  if (row.status !== "SUCCESS") return { icon: row.status, isPale: false };
  if (row.failedBelow) return { icon: "FAILED", isPale: true };
  return row.warnings > 0 || row.warnedBelow ? { icon: "warning", isPale: row.warnings === 0 } : null;
}
