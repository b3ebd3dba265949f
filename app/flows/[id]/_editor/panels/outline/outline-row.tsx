import {
  ChevronDown,
  ChevronRight,
  CornerDownRight,
  type LucideIcon,
  MoreHorizontal,
  Rows3,
  StickyNote,
  Workflow,
} from "lucide-react";
import { memo } from "react";
import { ProblemMark } from "@/app/_canvas/cards/problem-mark";
import { useNodeStatus } from "@/app/_canvas/state/node-statuses";
import { KindIcon } from "@/app/_kinds/kind-icon";
import { agentColor } from "@/app/_ui/agent-color";
import { AgentTile } from "@/app/_ui/badges/agent-tile";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import type { OutlineItem } from "@/lib/core/layout/outline";
import { describeJoins, describeProblemCount, nameRow, titleOf } from "./describe-row";
import { RenameInput } from "./rename-input";

interface OutlineRowProps {
  id: string;
  item: OutlineItem;
  index: number;
  top: number;
  height: number;
  closed: boolean;
  selected: boolean;
  active: boolean;
  errors: number;
  warnings: number;
  renaming: boolean;
  onRenamed(): void;
}

const holders: readonly OutlineItem["type"][] = ["root", "waiting", "notes"];

/** Limited, so that names stay readable. */
const deepestIndent = 14;

export const OutlineRow = memo(function OutlineRow(props: OutlineRowProps) {
  const { id, item, index, top, height, closed, selected, active, errors, warnings, renaming, onRenamed } = props;
  const status = useNodeStatus(item.type === "link" ? item.id : (item.node?.key ?? "#"));
  const holds = item.end > index + 1;
  const look = status && statusStyles[status.status];
  const label = [nameRow(item), describeProblemCount({ errors, warnings }), look?.word].filter(Boolean).join(", ");
  const joins = item.type === "list" ? "" : describeJoins(item);
  return (
    <div
      role="treeitem"
      id={id}
      tabIndex={-1}
      data-row={index}
      data-active={active || undefined}
      aria-label={label}
      aria-level={item.level}
      aria-posinset={item.position}
      aria-setsize={item.size}
      aria-selected={selected}
      aria-expanded={holds ? !closed : undefined}
      className="absolute inset-x-0 flex select-none items-center gap-1.5 pr-1 text-xs outline-focus -outline-offset-2 hover:bg-surface-hover aria-selected:bg-surface-selected group-focus-visible/tree:data-active:outline-2"
      style={{ top, height, paddingLeft: 4 + 14 * Math.min(item.level - 1, deepestIndent) }}
    >
      <span data-toggle className="flex size-6 shrink-0 items-center justify-center text-text-muted">
        {holds && (closed ? <ChevronRight size={14} aria-hidden /> : <ChevronDown size={14} aria-hidden />)}
      </span>
      <RowIcon item={item} />
      {renaming ? (
        <RenameInput name={item.label} onDone={onRenamed} />
      ) : (
        <span className={`min-w-0 truncate ${item.node || item.type === "root" ? "font-medium" : "text-text-muted"}`}>
          {titleOf(item)}
        </span>
      )}
      {joins !== "" && <span className="shrink-0 text-[11px] text-text-muted">{joins}</span>}
      <span className="ml-auto flex shrink-0 items-center gap-1">
        <ProblemMark errors={errors} warnings={warnings} />
        {look && (
          <look.icon
            size={13}
            role="img"
            aria-label={look.word}
            className={`${look.tint} ${look.spins ? "animate-spin" : ""}`}
          />
        )}
        {(active || selected) && !holders.includes(item.type) && (
          <button
            type="button"
            tabIndex={-1}
            data-more
            aria-label={`Actions for ${titleOf(item)}`}
            className="flex size-6 items-center justify-center rounded text-text-muted hover:bg-surface-hover hover:text-text"
          >
            <MoreHorizontal size={14} aria-hidden />
          </button>
        )}
      </span>
    </div>
  );
});

const rowIcons: Partial<Record<OutlineItem["type"], LucideIcon>> = {
  root: Workflow,
  note: StickyNote,
  notes: StickyNote,
};

function RowIcon({ item: { type, joins, node } }: { item: OutlineItem }) {
  if (node?.agentNumber !== undefined) return <AgentTile name={node.name} color={agentColor(node.agentNumber)} />;
  if (node)
    return (
      <span className="shrink-0">
        <KindIcon kind={node.type} />
      </span>
    );
  const Icon = rowIcons[type] ?? (type === "list" && joins === "parallel" ? Rows3 : CornerDownRight);
  return <Icon size={14} aria-hidden className={type === "root" ? "shrink-0" : "shrink-0 text-text-muted"} />;
}
