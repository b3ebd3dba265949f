import { StatusBadge } from "@/app/_ui/status-badge";
import type { NodeKey } from "@/lib/core/flow/keys";
import { useNodeStatus } from "../run/node-statuses";

/** How a node is doing in the run that is shown. Subscribes to this one node only. */
export function StatusStrip({ nodeKey }: { nodeKey: NodeKey }) {
  const status = useNodeStatus(nodeKey);
  return (
    status && (
      <span className="ml-auto shrink-0">
        <StatusBadge status={status.status} />
      </span>
    )
  );
}
