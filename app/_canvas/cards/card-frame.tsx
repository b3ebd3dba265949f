import type { NodeProps } from "@xyflow/react";
import type { ReactNode } from "react";
import { agentColor } from "@/app/_ui/agent-color";
import type { AgentNode, CardNode, UnknownNode } from "../mapping/canvas-nodes";
import { useNodeStatus } from "../state/node-statuses";
import { CommentMark } from "./comment-mark";
import { describeStatus } from "./describe-status";
import { nodeDomId } from "./node-dom-id";
import { NodeName } from "./node-name";
import { ProblemMark } from "./problem-mark";
import { RoleFlag } from "./role-flag";
import { StatusMark } from "./status-strip";

/** Names the card for screen readers, with its status in the run. */
export function useCardAttributes(
  { data, selected }: Pick<NodeProps<CardNode>, "data" | "selected">,
  kind: string,
  label: string,
) {
  const status = useNodeStatus(data.key);
  return {
    id: nodeDomId(data.key),
    "aria-label": label,
    "aria-current": selected ? ("true" as const) : undefined,
    "aria-description": status ? describeStatus(status) : undefined,
    "data-kind": kind,
    "data-role": data.role === "none" ? undefined : data.role,
    "data-status": status?.status,
  };
}

interface CardFrameProps {
  node: Pick<NodeProps<AgentNode | UnknownNode>, "data" | "selected">;
  label: string;
  dashed?: boolean;
  tile: ReactNode;
  /** Below the name, in code. */
  detail: string;
  children: ReactNode;
}

export function CardFrame({ node, label, dashed = false, tile, detail, children }: CardFrameProps) {
  const { data } = node;
  return (
    <article
      {...useCardAttributes(node, "card", label)}
      data-compact={data.isCompact || undefined}
      className={`card relative flex h-full w-full flex-col rounded-xl border bg-surface-raised text-left ${dashed ? "border-dashed" : ""}`}
      style={{ "--card": agentColor(data.agentNumber) }}
    >
      <RoleFlag role={data.role} />
      <CommentMark nodeKey={data.key} name={data.name} />
      <header className="card-head">
        <span className="card-tile">{tile}</span>
        <span className="min-w-0 flex-1">
          <span className="card-name" title={data.name}>
            <NodeName name={data.name} />
          </span>
          <span className="card-detail" title={detail}>
            {detail}
          </span>
        </span>
        <ProblemMark errors={data.errors} warnings={data.warnings} />
        <StatusMark nodeKey={data.key} />
      </header>
      {children}
    </article>
  );
}
