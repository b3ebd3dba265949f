import { CircleX, Copy, Trash2 } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import type { FlowSummary } from "@/lib/server/flows/queries";
import { StatusBadge } from "../_ui/badges/status-badge";
import { Menu } from "../_ui/controls/menu";
import { RelativeTime } from "../_ui/format/relative-time";
import { fetchText } from "../_ui/loading/fetch-json";
import { showError } from "../_ui/toast/show-error";

export function FlowRow({ flow, onDelete }: { flow: FlowSummary; onDelete(): void }) {
  const router = useRouter();
  const duplicate = (): void => {
    fetchText(`/api/v1/flows/${flow.id}/duplicate`, { method: "POST" }).then(() => router.refresh(), showError);
  };
  return (
    <li className="group relative flex items-center gap-3 bg-surface px-4 py-3 transition-colors hover:bg-surface-sunken">
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <Link href={`/flows/${flow.id}`} className="truncate font-medium text-sm after:absolute after:inset-0">
            {flow.name}
          </Link>
          {flow.errors > 0 && (
            <span className="flex shrink-0 items-center gap-1 text-danger text-xs">
              <CircleX size={12} aria-hidden /> {flow.errors} {flow.errors === 1 ? "problem" : "problems"}
            </span>
          )}
        </div>
        <p className="truncate font-mono text-text-muted text-xs">
          {flow.outline || (flow.errors > 0 && flow.agents > 0 ? "cannot be parsed yet" : "empty")}
        </p>
      </div>
      <span className="hidden w-20 shrink-0 text-right text-text-muted tabular-nums sm:block">
        {flow.agents} {flow.agents === 1 ? "agent" : "agents"}
      </span>
      <span className="hidden w-60 shrink-0 items-center justify-end gap-2 text-text-muted sm:flex">
        {flow.lastRun ? (
          <Link
            href={`/runs/${flow.lastRun.id}`}
            className="relative z-10 flex items-center gap-2 rounded-full"
            aria-label={`Last run of ${flow.name}`}
          >
            <StatusBadge status={flow.lastRun.status} />
            <RelativeTime at={flow.lastRun.at} />
          </Link>
        ) : (
          "never run"
        )}
      </span>
      <div className="relative z-10">
        <Menu
          label={`More for ${flow.name}`}
          items={[
            { label: "Duplicate", icon: <Copy size={14} aria-hidden />, onSelect: duplicate },
            { label: "Delete", icon: <Trash2 size={14} aria-hidden />, danger: true, onSelect: onDelete },
          ]}
        />
      </div>
    </li>
  );
}
