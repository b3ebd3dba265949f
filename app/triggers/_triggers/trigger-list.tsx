import { CirclePause, Pencil, Play, Plus, Trash2 } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { useAccess } from "@/app/_ui/access/access";
import { StatusWord } from "@/app/_ui/badges/status-badge";
import { Button } from "@/app/_ui/controls/button";
import { IconButton } from "@/app/_ui/controls/icon-button";
import { RelativeTime } from "@/app/_ui/format/relative-time";
import type { LastRun } from "@/lib/server/runs/read/last-runs";

interface TriggerSectionProps {
  title: string;
  description: string;
  action: ReactNode;
  children: ReactNode;
}

export const TriggerSection = ({ title, description, action, children }: TriggerSectionProps) => (
  <section aria-label={title} className="overflow-hidden rounded-lg border bg-surface">
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="font-semibold text-base">{title}</h2>
        <p className="mt-1 text-pretty text-text-muted">{description}</p>
      </div>
      {action}
    </div>
    {children}
  </section>
);

interface NewTriggerProps {
  /** Whether there is a flow that the user may change. */
  hasFlow: boolean;
  onClick(): void;
  children: ReactNode;
}

export function NewTrigger({ hasFlow, onClick, children }: NewTriggerProps) {
  const { mayEdit } = useAccess();
  if (!mayEdit && !hasFlow) return null;
  return (
    <Button disabled={!hasFlow} onClick={onClick}>
      <Plus size={14} aria-hidden /> {children}
    </Button>
  );
}

export const NoTriggers = ({ icon, children }: { icon: ReactNode; children: ReactNode }) => (
  <p className="flex items-center gap-3 border-line border-t px-4 py-6 text-text-muted">
    <span className="shrink-0 text-text-faint">{icon}</span>
    <span>{children}</span>
  </p>
);

interface TriggerRowProps {
  trigger: { name: string; flow: string; flowName: string; enabled: boolean };
  onEdit(): void;
  onToggle(): void;
  onDelete(): void;
  children: ReactNode;
}

/** A schedule or a webhook, with what can be done with it. */
export function TriggerRow({ trigger, onEdit, onToggle, onDelete, children }: TriggerRowProps) {
  const { mayEdit } = useAccess();
  const { name, flow, flowName, enabled } = trigger;
  return (
    <li aria-label={name} className="flex flex-wrap items-start gap-x-3 gap-y-2 border-line border-t px-4 py-3">
      <div className="min-w-0 flex-1 basis-72">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h3 className="font-semibold text-sm [overflow-wrap:anywhere]">{name}</h3>
          <span className="text-text-muted">
            runs{" "}
            <Link href={`/flows/${flow}`} className="font-medium text-text hover:underline [overflow-wrap:anywhere]">
              {flowName}
            </Link>
          </span>
          {!enabled && (
            <span className="inline-flex h-5 items-center rounded-full bg-idle-soft px-2 font-medium text-idle text-xs">
              Off
            </span>
          )}
        </div>
        <div className="mt-1 flex flex-col gap-1 text-text-muted">{children}</div>
      </div>
      {mayEdit && (
        <div className="flex items-center gap-0.5 max-sm:w-full max-sm:justify-end">
          <IconButton label={enabled ? `Switch off ${name}` : `Switch on ${name}`} onClick={onToggle}>
            {enabled ? <CirclePause size={15} aria-hidden /> : <Play size={15} aria-hidden />}
          </IconButton>
          <IconButton label={`Edit ${name}`} onClick={onEdit}>
            <Pencil size={14} aria-hidden />
          </IconButton>
          <IconButton label={`Delete ${name}`} onClick={onDelete}>
            <Trash2 size={14} aria-hidden />
          </IconButton>
        </div>
      )}
    </li>
  );
}

interface LastRunLineProps {
  at: number | null;
  run: LastRun | null;
  /** Who started its runs, for the list of runs. */
  starter: string;
  never: string;
}

export const LastRunLine = ({ at: timeMs, run, starter, never }: LastRunLineProps) => (
  <div className="flex flex-wrap items-center gap-x-3">
    {timeMs === null ? (
      <span>{never}</span>
    ) : (
      <span>
        Last <RelativeTime at={timeMs} />
      </span>
    )}
    {run && (
      <Link href={`/runs/${run.id}`} className="text-xs hover:underline">
        <StatusWord status={run.status} />
      </Link>
    )}
    {timeMs !== null && (
      <Link href={`/runs?person=${encodeURIComponent(starter)}`} className="text-accent-text hover:underline">
        All its runs
      </Link>
    )}
  </div>
);
