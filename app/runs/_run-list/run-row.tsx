import { Trash2 } from "lucide-react";
import Link from "next/link";
import { isFailure } from "@/lib/core/run/events/run-status";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import { isPartlySimulated } from "@/lib/core/trace/timeline/simulated-share";
import type { ListedRun } from "@/lib/server/runs/read/list-runs";
import { SimulatedBadge } from "../../_ui/badges/simulated-badge";
import { StatusWord, statusStyles } from "../../_ui/badges/status-badge";
import { WarningBadge } from "../../_ui/badges/warning-badge";
import { formatDuration, formatExact, formatUsageCost, formatUsageTokens } from "../../_ui/format/format";
import { RelativeTime } from "../../_ui/format/relative-time";
import { MessageText } from "../../_ui/text/message-text";

interface RunRowProps {
  run: ListedRun;
  showPerson: boolean;
  isFlowInTrash: boolean;
  checked: boolean;
  full: boolean;
  onCheck(checked: boolean): void;
}

export function RunRow({ run, showPerson, isFlowInTrash, checked, full, onCheck }: RunRowProps) {
  const { id, flowName, status, usage, simulated, createdAt, durationMs, error, startedBy, warnings, version } = run;
  const shownStatus = toShownStatus(status, error?.code);
  return (
    <li
      className={`relative grid grid-cols-[auto_auto_minmax(0,1fr)_auto] items-center gap-x-2 py-2 pr-4 transition-colors [grid-template-areas:'check_name_name_age'_'check_status_text_text'_'check_error_error_error'] hover:bg-surface-hover sm:grid-cols-[auto_minmax(0,1fr)_auto_auto_auto] sm:gap-x-4 sm:[grid-template-areas:'check_name_status_age_sums'_'check_text_status_age_sums'_'check_error_status_age_sums'] ${checked ? "bg-surface-selected" : ""}`}
    >
      <label className="relative z-10 -my-2 flex cursor-pointer items-center self-stretch pr-1 pl-4 [grid-area:check] sm:-mr-2">
        <input
          type="checkbox"
          className="size-4 accent-accent"
          aria-label={`Compare ${flowName}, ${statusStyles[shownStatus].word}, ${createdAt === null ? "no date" : formatExact(createdAt, "UTC")}`}
          checked={checked}
          disabled={full && !checked}
          onChange={(event) => onCheck(event.target.checked)}
        />
      </label>
      <div className="flex min-w-0 flex-wrap items-center gap-x-2 [grid-area:name]">
        <span className="flex min-w-0 max-w-full items-center gap-x-2">
          <Link href={`/runs/${id}`} className="truncate font-medium text-sm after:absolute after:inset-0">
            {flowName}
          </Link>
          <WarningBadge count={warnings} />
          {simulated && <SimulatedBadge isShort share={isPartlySimulated(run.models) ? "some" : undefined} />}
        </span>
        {isFlowInTrash && (
          <span className="flex items-center gap-1 text-text-muted text-xs">
            <Trash2 size={12} aria-hidden /> Flow in the trash
          </span>
        )}
        <VersionWord version={version} />
        {showPerson && <span className="text-text-muted">by {startedBy}</span>}
      </div>
      <RunText run={run} />
      <span className="text-xs [grid-area:status] sm:w-24">
        <StatusWord status={shownStatus} />
      </span>
      <span className="text-text-muted text-xs tabular-nums [grid-area:age] sm:w-24">
        {createdAt !== null && <RelativeTime at={createdAt} isShort />}
      </span>
      <dl className="hidden gap-x-4 text-right text-text-muted text-xs tabular-nums [grid-area:sums] md:flex">
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
    </li>
  );
}

const VersionWord = ({ version }: Pick<ListedRun, "version">) =>
  version && (
    <span className="text-text-muted text-xs tabular-nums" title="The version that ran">
      v{version.number}
      {version.state !== null && ` ${version.state}`}
    </span>
  );

/** The input, and of a run that failed also why, each in a line of the row. */
function RunText({ run: { status, input, error } }: Pick<RunRowProps, "run">) {
  const isFailed = isFailure(toShownStatus(status, error?.code));
  return (
    <>
      {input.text !== "" && <p className="min-w-0 truncate text-text-muted [grid-area:text]">{input.text}</p>}
      {error && isFailed && (
        <p className={`min-w-0 truncate text-danger ${input.text === "" ? "[grid-area:text]" : "[grid-area:error]"}`}>
          <MessageText text={error.message} />
        </p>
      )}
    </>
  );
}
