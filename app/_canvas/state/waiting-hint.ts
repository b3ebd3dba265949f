import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Arrangement } from "@/lib/core/layout/arrange-flow";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { isTerminal } from "@/lib/core/run/events/run-status";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";

/** Why a node without a status has not begun: `waits for 2`, `not started`; `not run` when the run is over. */
export function describeWaiting(arrangement: Arrangement, statuses: NodeStatuses, key: NodeKey): string {
  const run = statuses.get("");
  if (run && isTerminal(run.status)) return "not run";
  const { links, positions } = sceneOf(arrangement);
  let [begun, open] = [0, 0];
  for (const edge of links(positions.get(key) ?? -1)) {
    if (edge.to !== key || edge.type !== "flow") continue;
    const status = statuses.get(edge.from)?.status;
    if (status !== undefined) begun++;
    if (status === undefined || !isTerminal(status)) open++;
  }
  return begun > 0 && open > 0 ? `waits for ${open}` : "not started";
}
