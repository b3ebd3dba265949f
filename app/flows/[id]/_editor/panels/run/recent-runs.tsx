import { ChevronDown, EyeOff } from "lucide-react";
import type { ReactNode } from "react";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { Menu } from "@/app/_ui/controls/menu";
import { formatAgo, formatDuration, formatUsageCost } from "@/app/_ui/format/format";
import { toShownStatus } from "@/lib/core/trace/model/shown-status";
import { isPartlySimulated } from "@/lib/core/trace/timeline/simulated-share";
import { getCommand } from "../../commands/registry";
import { showRun } from "../../commands/run-commands";
import { useSession } from "../../state/session-context";
import { mostRecent, type RecentRuns as Recent, type RecentRun } from "./use-recent-runs";

interface RecentRunsProps {
  recent: Recent | null;
  /** The id of the run that is shown. */
  shown: string;
  icon: ReactNode;
}

/** The last runs of the flow as a menu; one that is picked is shown on the canvas and in the panel. */
export function RecentRuns({ recent, shown, icon }: RecentRunsProps) {
  const session = useSession();
  const label = `Last ${mostRecent} runs`;
  return (
    <Menu
      label={label}
      trigger={
        <span className="flex items-center gap-1.5 px-1 font-medium text-text text-xs">
          {icon}
          <span className="@max-2xl:hidden">{label}</span>
          <ChevronDown size={12} aria-hidden />
        </span>
      }
      items={[
        ...(recent?.runs ?? []).map((run) => ({
          label: describeRun(run, recent?.numberOf(run.id) ?? null),
          key: run.id,
          content: <RunItem run={run} isShown={run.id === shown} />,
          onSelect: () => showRun(session, { ...run, errorCode: run.error?.code }),
        })),
        {
          label: getCommand("hide-run").title,
          icon: <EyeOff size={14} aria-hidden />,
          onSelect: () => getCommand("hide-run").run(session),
        },
      ]}
    />
  );
}

const styleOf = ({ status, error }: RecentRun) => statusStyles[toShownStatus(status, error?.code)];

const describeRun = (run: RecentRun, number: number | null): string =>
  `Run ${number ?? ""}, ${styleOf(run).word}: ${excerpt(run.input.text)}`;

const excerpt = (input: string): string => input.slice(0, 120).replace(/\s+/g, " ").trim() || "no input";

function RunItem({ run, isShown }: { run: RecentRun; isShown: boolean }) {
  const { icon: Icon, tint, spins } = styleOf(run);
  return (
    <span className="grid w-[min(36rem,80vw)] grid-cols-[1rem_7rem_4rem_4.5rem_minmax(0,1fr)] items-center gap-x-2 text-xs tabular-nums max-sm:grid-cols-[1rem_7rem_minmax(0,1fr)]">
      <Icon size={14} aria-hidden className={`${tint} ${spins ? "animate-spin" : ""}`} />
      <span className={isShown ? "font-semibold" : "text-text-muted"}>{formatAgo(run.createdAt, Date.now())}</span>
      <span className="text-right text-text-muted max-sm:hidden">{formatDuration(run.durationMs)}</span>
      <span className="text-right text-text-muted max-sm:hidden">
        {run.simulated && !isPartlySimulated(run.models) ? "simulated" : formatUsageCost(run.usage)}
      </span>
      <span className="truncate">{excerpt(run.input.text)}</span>
    </span>
  );
}
