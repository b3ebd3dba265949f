import { FlaskConical } from "lucide-react";
import { useEffect, useState } from "react";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { formatDuration, formatTokens, formatTotalCost } from "@/app/_ui/format/format";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { Cost } from "@/lib/core/run/events/usage";
import type { NodeStatus } from "@/lib/core/trace/model/node-statuses";
import { useHasRun, useNodeStatus, useWaitingHint } from "../state/node-statuses";

/** What the node used in the run that is shown; nothing without a run. */
export function CardFooter({ nodeKey }: { nodeKey: NodeKey }) {
  const status = useNodeStatus(nodeKey);
  const hasRun = useHasRun();
  if (!hasRun) return null;
  return (
    <footer className="card-footer">
      {status && status.status !== "INIT" ? <RunFigures status={status} /> : <WaitingHint nodeKey={nodeKey} />}
    </footer>
  );
}

function WaitingHint({ nodeKey }: { nodeKey: NodeKey }) {
  return <span>{useWaitingHint(nodeKey)}</span>;
}

export function RunFigures({ status }: { status: NodeStatus }) {
  const { elapsedMs, runningSince, tokens, simulated } = status;
  const { word, tint } = statusStyles[status.status];
  const isUsual = status.status === "SUCCESS" || status.status === "RUNNING";
  return (
    <>
      {!isUsual && (
        <span aria-hidden className={`font-semibold ${tint}`}>
          {word}
        </span>
      )}
      <b>{runningSince === null ? formatDuration(elapsedMs) : <RunningTime from={runningSince - elapsedMs} />}</b>
      {tokens > 0 && <span className="card-tokens">{formatTokens(tokens)} tok</span>}
      {simulated && isUsual ? (
        <span className="flex items-center gap-1" title="Simulated: no provider was called">
          <FlaskConical size={12} role="img" aria-label="simulated" />
        </span>
      ) : (
        tokens > 0 && isUsual && <span title={describeUnknown(status)}>{formatTotalCost(status, "≥ ")}</span>
      )}
    </>
  );
}

function describeUnknown({ cost, isCostPartial }: Cost): string | undefined {
  if (isCostPartial) return "At least: the cost of some calls is not known";
  return cost === null ? "The cost is not known" : undefined;
}

/** On the lower edge of the card: the copies that its agent spawned in the background have no cards. */
export function SpawnedFlag({ nodeKey }: { nodeKey: NodeKey }) {
  const spawned = useNodeStatus(nodeKey)?.spawned;
  return spawned !== undefined && <span className="spawned-flag">+{spawned} spawned</span>;
}

const tickMs = 200;

function RunningTime({ from: start }: { from: number }) {
  const [now, setNow] = useState(start);
  useEffect(() => {
    const update = (): void => setNow(Date.now());
    update();
    const timer = setInterval(update, tickMs);
    return () => clearInterval(timer);
  }, []);
  return formatDuration(now - start);
}
