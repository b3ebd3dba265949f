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

export function StatusMark({ nodeKey }: { nodeKey: NodeKey }) {
  const status = useNodeStatus(nodeKey);
  if (!status) return null;
  const { icon: Icon, tint } = statusStyles[status.status];
  return <Icon size={26} aria-hidden className={`ml-auto shrink-0 ${tint}`} />;
}
