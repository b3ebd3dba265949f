import { formatCount } from "@/lib/core/flow/format-count";
import type { RunNodeKind } from "@/lib/core/run/events/events";
import type { ShownStatus } from "@/lib/core/run/events/run-status";
import { isTerminal } from "@/lib/core/run/events/run-status";
import { addCosts, type Cost } from "@/lib/core/run/events/usage";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { TraceView } from "@/lib/core/trace/model/trace-view";
import type { ParallelSteps } from "@/lib/core/trace/timeline/parallel-steps";
import { formatDuration } from "../../_ui/format/format";
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

export interface RowValues extends Cost {
  kind: RunNodeKind | "group-of-steps" | "parallel" | "not-reached";
  name: string;
  /** 1 for the outermost. */
  depth: number;
  /** Null: there is nothing below it. */
  isOpen: boolean | null;
  /** Null: not started at the displayed moment. */
  status: ShownStatus | null;
  failedBelow: boolean;
  warnings: number;
  warnedBelow: boolean;
  tokens: number;
  /** Calls of models; 0: there is no cost to know. */
  calls: number;
  /** Milliseconds. */
  time: number;
  /** Whether a fork took it from its parent: it took no time. */
  isReused: boolean;
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
      name: `${group.name} (${formatCount(group.spans.length)})`,
      status: group.failed > 0 ? "FAILED" : "SUCCESS",
      failedBelow: false,
      warnings: group.spans.reduce((count, span) => count + (trace.warnings.get(span)?.length ?? 0), 0),
      warnedBelow: group.spans.some((span) => trace.isWarned(span)),
      tokens: group.tokens,
      cost: group.cost,
      isCostPartial: group.isCostPartial,
      calls: group.tokens,
      time: group.time,
      isReused: false,
      began: 0,
      attempts: 0,
    };
  const extra = rows.extraAt(index);
  if (extra?.type === "parallel") return { ...nesting, ...toParallelValues({ trace, timeOf, origin, moment }, extra) };
  if (extra) return { ...nesting, ...emptyValues, kind: "not-reached", name: extra.name };
  return { ...nesting, ...toStepValues({ trace, timeOf, origin, moment }, rows.spanAt(index)) };
}

type Values = Omit<RowValues, "depth" | "isOpen">;

const emptyValues = {
  status: null,
  failedBelow: false,
  warnings: 0,
  warnedBelow: false,
  tokens: 0,
  cost: 0,
  calls: 0,
  time: 0,
  isReused: false,
  began: 0,
  attempts: 0,
} as const;

function toParallelValues(source: Omit<RowSource, "rows">, { members, lanes }: ParallelSteps): Values {
  const steps = members.map((span) => toStepValues(source, span));
  const sum = (value: (step: Values) => number): number => steps.reduce((total, step) => total + value(step), 0);
  const began = Math.min(...steps.map((step) => step.began));
  return {
    ...emptyValues,
    kind: "parallel",
    name: `${lanes} at once`,
    status: statusesByWeight.find((status) => steps.some((step) => step.status === status)) ?? null,
    failedBelow: steps.some(({ failedBelow }) => failedBelow),
    warnings: sum(({ warnings }) => warnings),
    warnedBelow: steps.some(({ warnedBelow }) => warnedBelow),
    tokens: sum(({ tokens }) => tokens),
    ...steps.reduce<Cost>(addCosts, { cost: 0 }),
    calls: sum(({ calls }) => calls),
    isReused: steps.every(({ isReused }) => isReused),
    time: Math.max(...steps.map((step) => step.began + step.time)) - began,
    began,
  };
}

/** Of steps that ran at once, the first of these that one has. */
const statusesByWeight: readonly ShownStatus[] = [
  "WAITING",
  "RUNNING",
  "PAUSED",
  "FAILED",
  "TIMEOUT",
  "UNREADABLE",
  "INTERRUPTED",
  "CANCELLED",
  "SUCCESS",
];

function toStepValues({ trace, origin, timeOf, moment }: Omit<RowSource, "rows">, span: number): Values {
  const runStatus = moment === null ? trace.shownStatusOf(span) : trace.statusAt(span, moment);
  const status = runStatus && toShownStatus(runStatus, trace.errors.get(span));
  const { start, input, output, calls } = trace.columns;
  const isKnown = moment === null || (runStatus !== null && isTerminal(runStatus));
  const warnings = isKnown ? (trace.warnings.get(span)?.length ?? 0) : 0;
  return {
    kind: trace.kindOf(span),
    name: trace.nameOf(span),
    status,
    failedBelow: isKnown && trace.hasFailedBelow(span),
    warnings,
    warnedBelow: isKnown && warnings === 0 && trace.isWarned(span),
    tokens: (input[span] ?? 0) + (output[span] ?? 0),
    ...trace.costOf(span),
    calls: calls[span] ?? 0,
    time: timeOf(span),
    isReused: trace.reused.has(span),
    began: (start[span] ?? 0) - origin,
    attempts: trace.reused.has(span) ? 0 : (trace.attempts.get(span)?.length ?? 0),
  };
}

/** The mark at the end of a row's name, pale where it is about a step below. Null: there is nothing to mark. */
export function toRowMark(row: RowValues): { icon: ShownStatus | "warning"; isPale: boolean } | null {
  if (row.status === null) return null;
  if (row.status !== "SUCCESS") return { icon: row.status, isPale: false };
  if (row.failedBelow) return { icon: "FAILED", isPale: true };
  return row.warnings > 0 || row.warnedBelow ? { icon: "warning", isPale: row.warnings === 0 } : null;
}

/** The time column of a row: a step that was not done has none. */
export const formatRowTime = ({ time, isReused }: Pick<RowValues, "time" | "isReused">): string =>
  isReused ? "reused" : formatDuration(time);
