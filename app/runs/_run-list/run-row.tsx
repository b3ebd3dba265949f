import { Trash2 } from "lucide-react";
import Link from "next/link";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import type { RunSummary } from "@/lib/server/runs/read/queries";
import { SimulatedBadge } from "../../_ui/badges/simulated-badge";
import { StatusBadge, statusStyles } from "../../_ui/badges/status-badge";
import { WarningBadge } from "../../_ui/badges/warning-badge";
import { formatDuration, formatUsageCost, formatUsageTokens } from "../../_ui/format/format";
import { RelativeTime } from "../../_ui/format/relative-time";

interface RunRowProps {
  run: RunSummary;
  showPerson: boolean;
  isFlowInTrash: boolean;
  checked: boolean;
  full: boolean;
  onCheck(checked: boolean): void;
}

export function RunRow({ run, showPerson, isFlowInTrash, checked, full, onCheck }: RunRowProps) {
  const { id, flowName, status, input, usage, simulated, createdAt, durationMs, error, startedBy, warnings } = run;
  const shownStatus = toShownStatus(status, error?.code);
  return (
    <li
      className={`relative flex items-center transition-colors hover:bg-surface-sunken ${checked ? "bg-surface-selected" : ""}`}
    >
      <label className="relative z-10 flex shrink-0 cursor-pointer items-center self-stretch pr-1 pl-4">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          aria-label={`Compare ${flowName}, ${statusStyles[shownStatus].word}, ${new Date(createdAt).toISOString()}`}
          checked={checked}
          disabled={full && !checked}
          onChange={(event) => onCheck(event.target.checked)}
        />
      </label>
      <div className="flex min-w-0 flex-1 items-center gap-3 py-2 pr-4 pl-2">
        <div className="min-w-0 flex-1">
          <div className="flex flex-wrap items-center gap-2">
            <Link href={`/runs/${id}`} className="max-w-full truncate font-medium text-sm after:absolute after:inset-0">
              {flowName}
            </Link>
            <StatusBadge status={shownStatus} />
            <WarningBadge count={warnings} />
            {simulated && <SimulatedBadge />}
            {isFlowInTrash && (
              <span className="flex items-center gap-1 text-text-muted text-xs">
                <Trash2 size={12} aria-hidden /> Flow in the trash
              </span>
            )}
            {showPerson && <span className="text-text-muted">by {startedBy}</span>}
          </div>
          <p className="truncate text-text-muted">{error?.message ?? input.text}</p>
        </div>
        <dl className="hidden shrink-0 grid-cols-3 gap-x-4 text-right text-text-muted tabular-nums sm:grid">
          <div className="w-16">
            <dt className="sr-only">Duration</dt>
            <dd>{formatDuration(durationMs)}</dd>
          </div>
          <div className="w-20">
            <dt className="sr-only">Tokens</dt>
            <dd>{formatUsageTokens(usage)} tok</dd>
          </div>
          <div className="w-16">
            <dt className="sr-only">Cost</dt>
            <dd>{formatUsageCost(usage)}</dd>
          </div>
        </dl>
        <span className="shrink-0 text-right text-text-muted sm:w-24">
          <RelativeTime at={createdAt} />
        </span>
      </div>
    </li>
  );
}
