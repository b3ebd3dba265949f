import { ChevronDown, ChevronRight } from "lucide-react";
import type { RunNode } from "@/lib/core/trace/run-state";
import type { TimeRange, TraceRow } from "@/lib/core/trace/spans";
import { formatDuration, formatTokens } from "../_ui/format";
import { KindIcon, kindLabels } from "../_ui/kind-icon";
import { statusLooks } from "../_ui/status-badge";
import { agentColorOf, Bars } from "./bars";

/** Widths of the columns, shared with the head. */
export const columns = {
  step: "w-[42%] min-w-40 max-w-md shrink-0 max-sm:w-[48%]",
  tokens: "w-16 shrink-0 max-sm:hidden",
  time: "w-18 shrink-0 max-sm:w-15",
  bars: "mx-3 min-w-16 flex-1",
} as const;

/** Below this depth rows are not moved further to the right: their names need the room. */
const deepest = 12;

interface WaterfallRowProps {
  id: string;
  row: TraceRow;
  index: number;
  top: number;
  height: number;
  range: TimeRange;
  now: number;
  selected: boolean;
}

/** One step. Clicks are the grid's: `data-node` says whose row, `data-toggle` that its arrow was meant. */
export function WaterfallRow({ id, row, index, top, height, range, now, selected }: WaterfallRowProps) {
  const { node, depth, hasChildren, collapsed, position, siblings } = row;
  const until = node.endedAt ?? Math.max(now, node.startedAt);
  const tokens = node.usage.input + node.usage.output;
  return (
    <div
      id={id}
      role="row"
      tabIndex={-1}
      data-node={node.id}
      aria-rowindex={index + 2}
      aria-level={depth}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={selected}
      aria-expanded={hasChildren ? !collapsed : undefined}
      className={`absolute inset-x-0 flex cursor-default items-center border-line border-b ${selected ? "bg-surface-selected outline-focus -outline-offset-2 group-focus-visible/grid:outline-2" : "hover:bg-surface-sunken"}`}
      style={{ top, height }}
    >
      <div
        role="gridcell"
        tabIndex={-1}
        aria-label={`${kindLabels[node.kind]} ${node.name}, ${statusLooks[node.status].word}`}
        className={`flex h-full items-center gap-1.5 pr-2 pl-[calc(4px+var(--depth)*14px)] outline-none max-sm:pl-[calc(2px+var(--depth)*8px)] ${columns.step}`}
        style={{ "--depth": String(Math.min(depth, deepest) - 1) }}
      >
        {hasChildren ? (
          <span
            data-toggle
            className="grid h-full w-6 shrink-0 cursor-pointer place-items-center text-text-muted hover:text-text"
          >
            {collapsed ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
          </span>
        ) : (
          <span className="w-6 shrink-0" />
        )}
        <span className="shrink-0" style={{ color: node.kind === "agent" ? agentColorOf(node) : "var(--text-muted)" }}>
          <KindIcon kind={node.kind} />
        </span>
        <span className={`truncate ${node.kind === "agent" ? "font-medium" : ""}`}>{node.name}</span>
        <StatusMark node={node} />
      </div>
      <div role="gridcell" tabIndex={-1} className={`text-right text-text-muted tabular-nums ${columns.tokens}`}>
        {tokens > 0 ? formatTokens(tokens) : ""}
      </div>
      <div role="gridcell" tabIndex={-1} className={`text-right text-text-muted tabular-nums ${columns.time}`}>
        {formatDuration(until - node.startedAt)}
      </div>
      <div
        role="gridcell"
        tabIndex={-1}
        aria-label={barText(node, range)}
        className={`relative h-full ${columns.bars}`}
      >
        <Bars node={node} range={range} now={Math.max(now, node.startedAt)} />
      </div>
    </div>
  );
}

const barText = (node: RunNode, range: TimeRange): string =>
  `Began after ${formatDuration(node.startedAt - range.from)}${node.attempts.length > 0 ? `, ${node.attempts.length} failed attempts` : ""}`;

function StatusMark({ node: { status } }: { node: RunNode }) {
  if (status === "SUCCESS") return null;
  const { icon: Icon, spins, tint } = statusLooks[status];
  return <Icon size={13} aria-hidden className={`ml-auto shrink-0 ${tint} ${spins ? "animate-spin" : ""}`} />;
}
