import type { NodeProps } from "@xyflow/react";
import type { ReactNode } from "react";
import { agentColor } from "@/app/_ui/agent-color";
import type { AgentNode, CardNode, UnknownNode } from "../mapping/canvas-nodes";
import { useNodeStatus } from "../state/node-statuses";
import { describeStatus } from "./describe-status";
import { nodeDomId } from "./node-dom-id";
import { ProblemMark } from "./problem-mark";
import { StatusMark } from "./status-strip";

export const LaneTag = ({ lane }: { lane: string }) => lane !== "" && <span className="lane-tag">{lane}</span>;

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
    "data-status": status?.status,
  };
}

interface CardFrameProps {
  node: Pick<NodeProps<AgentNode | UnknownNode>, "data" | "selected">;
  label: string;
  dashed?: boolean;
  /** Seen from so far that only its name can be read. */
  far?: boolean;
  icon: ReactNode;
  children: ReactNode;
}

export function CardFrame({ node, label, dashed = false, far = false, icon, children }: CardFrameProps) {
  const { data } = node;
  return (
    <article
      {...useCardAttributes(node, "card", label)}
      className={`card relative flex h-full w-full flex-col rounded-lg border bg-surface-raised px-3 py-2 text-left ${dashed ? "border-dashed" : ""}`}
      style={{ "--card": agentColor(data.name) }}
    >
      <LaneTag lane={data.lane} />
      <header className="flex min-w-0 items-center gap-2">
        <span className="card-icon">{icon}</span>
        <span className="truncate text-[13px] leading-5 font-semibold" title={data.name}>
          {data.name}
        </span>
        <ProblemMark errors={data.errors} warnings={data.warnings} />
        {far && <StatusMark nodeKey={data.key} />}
      </header>
      {children}
    </article>
  );
}
