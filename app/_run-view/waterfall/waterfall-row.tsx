import { memo } from "react";
import { labelOfStep } from "@/app/_kinds/step-icon";
import { countNouns } from "@/lib/core/flow/format-count";
import type { RunNodeKind } from "@/lib/core/run/events/events";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import { statusStyles } from "../../_ui/badges/status-badge";
import { formatDuration, formatTokens, formatTotalCost } from "../../_ui/format/format";
import { columnGrid, nameLeft } from "./grid-columns";
import { formatRowTime, type RowValues } from "./row-values";

/** Invisible cells do not clip: clipping boxes would cost in every frame. */
const cell = "overflow-hidden whitespace-nowrap group-data-painted/grid:overflow-visible forced-colors:overflow-hidden";
const number = `${cell} text-right text-text-muted tabular-nums`;

interface RowProps extends RowValues {
  index: number;
  height: number;
  selected: boolean;
}

export const activeRowId = "active-step";

/** Memoized by hand: `WaterfallRows` opts out of the compiler, and passes values that rarely change. */
export const WaterfallRow = memo(function WaterfallRow(row: RowProps) {
  const { index, height, kind, name, depth, isOpen, selected } = row;
  return (
    <div
      id={selected ? activeRowId : undefined}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-level={depth}
      aria-selected={selected}
      aria-expanded={isOpen ?? undefined}
      className={columnGrid}
      style={{ height, lineHeight: `${height - 1}px` }}
    >
      <div
        role="gridcell"
        tabIndex={-1}
        aria-label={toLabel(row)}
        title={name}
        className={`text-ellipsis pr-6 ${cell} ${isStep(kind) && isAgentKind(kind) ? "font-medium" : ""}`}
        style={{ paddingLeft: nameLeft(depth, kind !== "group-of-steps") }}
      >
        {name}
      </div>
      <div role="gridcell" tabIndex={-1} className={number}>
        {row.tokens > 0 ? formatTokens(row.tokens) : ""}
      </div>
      <div role="gridcell" tabIndex={-1} className={number}>
        {row.calls > 0 ? formatTotalCost(row) : ""}
      </div>
      <div
        role="gridcell"
        tabIndex={-1}
        aria-label={kind === "not-reached" ? undefined : toTimeLabel(row)}
        className={number}
      >
        {kind === "not-reached" ? "" : formatRowTime(row)}
      </div>
    </div>
  );
});

const isStep = (kind: RowValues["kind"]): kind is RunNodeKind =>
  kind !== "group-of-steps" && kind !== "parallel" && kind !== "not-reached";

function toLabel({ kind, name, status, failedBelow, warnings, warnedBelow }: RowProps): string {
  if (kind === "group-of-steps") return `Group ${name}`;
  if (kind === "not-reached") return `Agent ${name}, Not reached`;
  const word = status === null ? "Not started" : statusStyles[status].word;
  const failed = failedBelow ? ", a descendant failed" : "";
  const warned =
    warnings > 0 ? `, ${countNouns(warnings, "warning")}` : warnedBelow ? ", a descendant has a warning" : "";
  return `${kind === "parallel" ? "Steps" : labelOfStep(kind)} ${name}, ${word}${failed}${warned}`;
}

function toTimeLabel({ time, began, attempts, isReused }: RowProps): string {
  if (isReused) return "Reused from the run before";
  const tried = attempts > 0 ? `, ${attempts} failed ${attempts === 1 ? "attempt" : "attempts"}` : "";
  return `${formatDuration(time)}, started after ${formatDuration(began)}${tried}`;
}
