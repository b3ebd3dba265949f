import { FlaskConical } from "lucide-react";
import { StatusBadge, statusStyles } from "@/app/_ui/badges/status-badge";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { useNodeStatus } from "../state/node-statuses";

/** Subscribes to one node only. */
export function StatusStrip({ nodeKey }: { nodeKey: NodeKey }) {
  const status = useNodeStatus(nodeKey);
  if (!status) return null;
  const { runs, simulated } = status;
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1">
      {runs > 1 && (
        <span title={`Ran ${runs} times`} className="text-[11px] text-text-muted tabular-nums">
          {runs}×
        </span>
      )}
      {simulated && <FlaskConical size={12} role="img" aria-label="Simulated" className="text-text-muted" />}
      <StatusBadge status={status.status} />
    </span>
  );
}

/** The icon of the status, and how often the node ran. */
export function StatusMark({ nodeKey }: { nodeKey: NodeKey }) {
  const status = useNodeStatus(nodeKey);
  if (!status) return null;
  const { icon: Icon, tint, word, spins } = statusStyles[status.status];
  return (
    <span className={`card-status ${tint}`} title={word}>
      {status.runs > 1 && (
        <span className="card-runs" title={`Ran ${status.runs} times`}>
          {status.runs}×
        </span>
      )}
      <Icon aria-hidden className={spins ? "motion-safe:animate-spin" : ""} />
      <span className="sr-only">{word}</span>
    </span>
  );
}
