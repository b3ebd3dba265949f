import type { NodeProps } from "@xyflow/react";
import { memo } from "react";
import { useStore } from "zustand";
import { describeKind } from "@/app/_kinds/registry";
import { agentColor } from "@/app/_ui/agent-color";
import { statusStyles } from "@/app/_ui/badges/status-badge";
import { countNouns } from "@/lib/core/flow/format-count";
import { keyNames } from "@/lib/core/flow/node-key";
import type { FoldedCardData, FoldedNode } from "../mapping/canvas-nodes";
import { useCanvasSession } from "../state/canvas-session";
import { useNodeStatus } from "../state/node-statuses";
import { LinkHandles } from "./agent-card";
import { RunFigures } from "./card-footer";
import { CommentMark } from "./comment-mark";
import { FoldButton } from "./fold-button";
import { describeFolded, readFoldedProgress, summarizeStatuses } from "./folded-progress";
import { nodeDomId } from "./node-dom-id";
import { NodeName } from "./node-name";
import { ProblemMark } from "./problem-mark";
import { RoleFlag } from "./role-flag";

/** A group, swarm or loop as one card on a stack of two; one block for each agent in it. */
export const FoldedCard = memo(function FoldedCard(props: NodeProps<FoldedNode>) {
  const { data, selected } = props;
  const { icon: Icon, label } = describeKind({ type: data.kind, mode: data.type });
  const { statuses } = useCanvasSession();
  const summary = useStore(statuses, (all) => summarizeStatuses(all, data));
  const progress = readFoldedProgress(summary);
  const count = countNouns(data.agents.length, "agent");
  return (
    <article
      id={nodeDomId(data.key)}
      aria-label={`${label} ${data.name}, folded, ${count}`}
      aria-current={selected ? "true" : undefined}
      aria-description={progress ? describeFolded(progress) : undefined}
      data-kind="card"
      data-compact={data.isCompact || undefined}
      data-status={progress?.worst}
      className="card card-folded relative flex h-full w-full flex-col rounded-xl border bg-surface-raised text-left"
    >
      <RoleFlag role={data.role} />
      <CommentMark nodeKey={data.key} name={data.name} />
      <header className="card-head">
        <FoldButton nodeKey={data.key} name={data.name} isFolded />
        <span className="min-w-0 flex-1">
          <span className="card-name" title={data.name}>
            <NodeName name={data.name} />
          </span>
          {!data.isCompact && (
            <span className="card-kind">
              {Icon && <Icon size={12} aria-hidden className="shrink-0" />}
              <span className="truncate">{label}</span>
            </span>
          )}
        </span>
        <ProblemMark errors={data.errors} warnings={data.warnings} />
        <span className="card-count">{count}</span>
      </header>
      <Blocks agents={data.agents} isRunShown={progress !== null} isLow={data.isCompact} />
      {progress && <Progress nodeKey={data.key} {...progress} />}
      <LinkHandles of={props} />
    </article>
  );
});

const leastColumns = 6;
const mostColumns = 24;

function Blocks({ agents, isRunShown, isLow }: BlocksProps) {
  const rows = isLow ? 2 : 3;
  const columns = Math.min(mostColumns, Math.max(leastColumns, Math.ceil(agents.length / rows)));
  return (
    <div
      aria-hidden
      className={`card-blocks mx-3 my-1.5 grid min-h-0 flex-1 content-center overflow-hidden ${columns > 12 ? "gap-0.5" : "gap-1"}`}
      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
    >
      {agents.slice(0, columns * rows).map(({ key, number }) => (
        <Block key={key} nodeKey={key} color={agentColor(number)} isRunShown={isRunShown} isLow={isLow} />
      ))}
    </div>
  );
}

interface BlocksProps {
  agents: FoldedCardData["agents"];
  isRunShown: boolean;
  isLow: boolean;
}

interface BlockProps {
  nodeKey: string;
  color: string;
  isRunShown: boolean;
  isLow: boolean;
}

/** Filled: done. Outlined: it runs. Pale: still to come. */
function Block({ nodeKey, color, isRunShown, isLow }: BlockProps) {
  const status = useNodeStatus(nodeKey)?.status;
  const isActive = status === "RUNNING" || status === "WAITING";
  const isToCome = isRunShown && (status === undefined || status === "INIT");
  const fill = isToCome ? `color-mix(in srgb, ${color} 24%, transparent)` : color;
  return (
    <span
      title={keyNames(nodeKey).at(-1)}
      className={`rounded-xs ${isLow ? "h-2" : "h-3"} ${isActive ? "outline-2 outline-offset-1 outline-running" : ""}`}
      style={{ background: fill }}
    />
  );
}

interface ProgressProps {
  nodeKey: string;
  done: number;
  total: number;
  worst: keyof typeof statusStyles;
}

function Progress({ nodeKey, done, total, worst }: ProgressProps) {
  const status = useNodeStatus(nodeKey);
  const { icon: Icon, tint, word, spins } = statusStyles[worst];
  return (
    <footer className="card-footer">
      <span className={`flex items-center gap-1.5 font-medium ${tint}`} title={word}>
        <Icon size={13} role="img" aria-label={word} className={spins ? "motion-safe:animate-spin" : ""} />
        {done} of {total}
      </span>
      {status && status.status !== "INIT" && <RunFigures status={status} />}
    </footer>
  );
}
