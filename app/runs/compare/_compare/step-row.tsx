import { labelOfStep, StepIcon } from "@/app/_kinds/step-icon";
import { isAgentKind } from "@/lib/core/run/events/run-node-traits";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { ComparedRow, ComparedStep, Difference } from "@/lib/core/trace/model/align-steps";
import { AgentTile } from "../../../_ui/badges/agent-tile";
import { statusStyles } from "../../../_ui/badges/status-badge";
import { formatDuration, formatTokens, formatTotalCost } from "../../../_ui/format/format";
import { columnStyles, phoneStyle } from "./columns";
import { costDelta, DeltaText, durationDelta, tokensDelta } from "./deltas";
import { letterOf } from "./letters";

const deepest = 12;

const words: Record<Exclude<Difference, "presence">, string> = {
  name: "kind",
  status: "status",
  output: "output",
  tokens: "tokens",
  cost: "cost",
};

function describeDifferences({ kind, differences, steps }: ComparedRow): string {
  if (differences.includes("presence"))
    return `only in ${steps.flatMap((step, index) => (step ? [letterOf(index)] : [])).join(", ")}`;
  const toWord = (difference: keyof typeof words): string =>
    difference === "name" && kind === "llm_call" ? "model" : words[difference];
  const named = differences.flatMap((difference) => (difference === "presence" ? [] : [toWord(difference)]));
  return named.length === 0 ? "" : `differs: ${named.join(", ")}`;
}

interface StepRowProps {
  id: string;
  row: ComparedRow;
  /** Index of the run that the base is compared to. */
  against: number;
  /** Of an agent. */
  color: string;
  /** `top` and `height` in px. */
  position: { index: number; top: number; height: number };
  selected: boolean;
}

export function StepRow({ id, row, against, color, position, selected }: StepRowProps) {
  const { index, top, height } = position;
  const difference = describeDifferences(row);
  const surface = selected ? "bg-surface-selected" : "bg-surface";
  return (
    <div
      id={id}
      role="row"
      tabIndex={-1}
      data-row={index}
      aria-rowindex={index + 2}
      aria-level={row.depth}
      aria-selected={selected}
      className={`group/row absolute inset-x-0 flex cursor-default items-stretch border-line border-b ${surface} ${selected ? "outline-focus -outline-offset-2 group-focus-visible/grid:outline-2" : "hover:bg-surface-sunken"}`}
      style={{ top, height }}
    >
      <div
        role="rowheader"
        tabIndex={-1}
        className={`flex flex-col justify-center border-l-2 pr-2 pl-[calc(8px+var(--depth)*12px)] outline-none max-sm:pl-[calc(6px+var(--depth)*6px)] ${difference === "" ? "border-l-transparent" : "border-l-warning"} ${surface} ${selected ? "" : "group-hover/row:bg-surface-sunken"} ${columnStyles.step}`}
        style={{ "--depth": String(Math.min(row.depth, deepest) - 1) }}
      >
        <span className="flex min-w-0 gap-x-1.5 max-sm:flex-col sm:items-center">
          {isAgentKind(row.kind) ? (
            <AgentTile name={row.name} color={color} />
          ) : (
            <span className="shrink-0 text-text-muted">
              <StepIcon kind={row.kind} />
            </span>
          )}
          <span className="sr-only">{labelOfStep(row.kind)}</span>
          <span className={`truncate ${isAgentKind(row.kind) ? "font-medium" : ""}`}>{row.name}</span>
        </span>
        {difference !== "" && <span className="truncate text-warning text-xs">{difference}</span>}
      </div>
      {row.steps.map((step, column) => (
        <StepCell
          key={letterOf(column)}
          step={step}
          base={column === 0 ? null : (row.steps[0] ?? null)}
          className={phoneStyle(column, against)}
        />
      ))}
    </div>
  );
}

const isMeasured = ({ status, reused }: ComparedStep): boolean => isTerminal(status) && !reused;

interface StepCellProps {
  step: ComparedStep | null;
  base: ComparedStep | null;
  className: string;
}

function StepCell({ step, base, className }: StepCellProps) {
  if (!step)
    return (
      <div
        role="gridcell"
        tabIndex={-1}
        className={`flex items-center text-text-faint ${columnStyles.run} ${className}`}
      >
        <span aria-hidden>–</span>
        <span className="sr-only">no such step</span>
      </div>
    );
  const { status, durationMs, tokens, reused } = step;
  const { icon: Icon, word, tint, spins } = statusStyles[status];
  return (
    <div
      role="gridcell"
      tabIndex={-1}
      className={`flex flex-col justify-center whitespace-nowrap tabular-nums ${columnStyles.run} ${className}`}
    >
      <span className="flex items-center gap-x-2 max-sm:flex-wrap">
        <Icon size={13} aria-hidden className={`shrink-0 ${tint} ${spins ? "animate-spin" : ""}`} />
        <span className="sr-only">{word}</span>
        <span className={reused ? "text-text-muted" : ""}>{reused ? "reused" : formatDuration(durationMs)}</span>
        {tokens > 0 && (
          <span className="truncate text-text-muted max-sm:basis-full max-sm:text-xs">
            {formatTokens(tokens)} tok · {formatTotalCost(step, "≥ ")}
          </span>
        )}
      </span>
      {base && isMeasured(base) && isMeasured(step) && <StepDeltas step={step} base={base} />}
    </div>
  );
}

function StepDeltas({ step, base }: { step: ComparedStep; base: ComparedStep }) {
  const tokens = tokensDelta(base.tokens, step.tokens);
  const cost = costDelta(base, step);
  return (
    <span className="flex gap-x-2 overflow-hidden max-sm:flex-wrap">
      <DeltaText delta={durationDelta(base.durationMs, step.durationMs)} />
      {tokens?.tone !== "same" && <DeltaText delta={tokens && { ...tokens, text: `${tokens.text} tok` }} />}
      {cost?.tone !== "same" && <DeltaText delta={cost} />}
    </span>
  );
}
