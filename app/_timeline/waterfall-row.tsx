import { ChevronDown, ChevronRight } from "lucide-react";
import type { RunNode } from "@/lib/core/trace/run-state";
import { type SegmentType, type TimeRange, type TraceRow, toBar, toSegments } from "@/lib/core/trace/spans";
import { agentColor } from "../_ui/agent-color";
import { formatDuration, formatTokens } from "../_ui/format";
import { KindIcon, kindLabels } from "../_ui/kind-icon";
import { statusLooks } from "../_ui/status-badge";

interface WaterfallRowProps {
  id: string;
  row: TraceRow;
  index: number;
  top: number;
  height: number;
  range: TimeRange;
  now: number;
  selected: boolean;
  onSelect(id: number): void;
  onToggle(id: number, closed: boolean): void;
}

/** Bars are placed on a scale of a thousand. */
const scale = 1000;

export function WaterfallRow({
  id,
  row,
  index,
  top,
  height,
  range,
  now,
  selected,
  onSelect,
  onToggle,
}: WaterfallRowProps) {
  const { node, depth, hasChildren, collapsed, position, siblings } = row;
  const duration = (node.endedAt ?? Math.max(now, node.startedAt)) - node.startedAt;
  const tokens = node.usage.input + node.usage.output;
  const { word } = statusLooks[node.status];
  return (
    <div
      id={id}
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 1}
      aria-level={depth}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={selected}
      aria-expanded={hasChildren ? !collapsed : undefined}
      onClick={() => onSelect(node.id)}
      onKeyDown={undefined}
      className={`absolute inset-x-0 flex cursor-default items-center border-line border-b ${selected ? "bg-surface-selected" : "hover:bg-surface-sunken"}`}
      style={{ top, height }}
    >
      <div
        role="gridcell"
        aria-label={`${kindLabels[node.kind]} ${node.name}, ${word}`}
        className="flex w-[46%] min-w-44 shrink-0 items-center gap-1.5 pr-2"
        style={{ paddingLeft: 8 + (depth - 1) * 14 }}
      >
        {hasChildren ? (
          <button
            type="button"
            tabIndex={-1}
            aria-label={collapsed ? "Open" : "Close"}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded text-text-muted hover:bg-surface-hover"
            onClick={(event) => {
              event.stopPropagation();
              onToggle(node.id, !collapsed);
            }}
          >
            {collapsed ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />}
          </button>
        ) : (
          <span className="w-6 shrink-0" />
        )}
        <span className="shrink-0" style={{ color: colorOf(node) }}>
          <KindIcon kind={node.kind} />
        </span>
        <span className="truncate">{node.name}</span>
        <StatusMark node={node} />
      </div>
      <div role="gridcell" className="hidden w-16 shrink-0 text-right text-text-muted tabular-nums sm:block">
        {tokens > 0 ? formatTokens(tokens) : ""}
      </div>
      <div role="gridcell" className="w-16 shrink-0 text-right text-text-muted tabular-nums">
        {formatDuration(duration)}
      </div>
      <div role="gridcell" aria-label="Bar" className="relative mx-3 h-full min-w-16 flex-1">
        <Bars node={node} range={range} now={Math.max(now, node.startedAt)} />
      </div>
    </div>
  );
}

const colorOf = (node: RunNode): string => (node.kind === "agent" ? agentColor(node.name) : "var(--text-muted)");

function StatusMark({ node }: { node: RunNode }) {
  const { icon: Icon, word, spins, colors } = statusLooks[node.status];
  if (node.status === "SUCCESS") return null;
  return (
    <Icon
      size={13}
      role="img"
      aria-label={word}
      className={`ml-auto shrink-0 bg-transparent! ${colors} ${spins ? "animate-spin" : ""}`}
    />
  );
}

const opacity: Record<SegmentType, number> = { retry: 0.25, "first-token": 0.45, generate: 1, work: 1 };

function Bars({ node, range, now }: { node: RunNode; range: TimeRange; now: number }) {
  const color = node.status === "FAILED" || node.status === "TIMEOUT" ? "var(--danger)" : barColor(node);
  const thin = node.kind === "swarm" || node.kind === "group";
  return toSegments(node, now).map(({ type, from, to }) => {
    const { x, width } = toBar(from, to, range, scale);
    return (
      <span
        key={type}
        data-segment={type}
        className={`absolute rounded-sm ${thin ? "top-[45%] h-[10%] min-h-0.5" : "top-1/4 h-1/2"}`}
        style={{
          left: `${(x / scale) * 100}%`,
          width: `${(width / scale) * 100}%`,
          background: color,
          opacity: opacity[type],
        }}
      />
    );
  });
}

/** Calls take the colour of the agent above them, whose name begins their path. */
function barColor(node: RunNode): string {
  if (node.kind === "swarm" || node.kind === "group") return "var(--line-strong)";
  const place = node.path.split("#")[0] ?? node.path;
  return agentColor(decodeURIComponent(place.slice(place.lastIndexOf("/") + 1)));
}
