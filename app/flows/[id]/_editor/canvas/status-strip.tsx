import { FlaskConical } from "lucide-react";
import { StatusBadge } from "@/app/_ui/status-badge";
import type { NodeKey } from "@/lib/core/flow/keys";
import { useNodeStatus } from "../run/node-statuses";

/** How a node is doing in the run that is shown. Subscribes to this one node only. */
export function StatusStrip({ nodeKey }: { nodeKey: NodeKey }) {
  const status = useNodeStatus(nodeKey);
  return (
    status && (
      <span className="ml-auto flex shrink-0 items-center gap-1">
        {status.simulated && <FlaskConical size={12} role="img" aria-label="Simulated" className="text-text-muted" />}
        <StatusBadge status={status.status} />
      </span>
    )
  );
}
