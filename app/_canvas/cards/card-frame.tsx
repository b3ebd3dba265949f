import type { NodeProps } from "@xyflow/react";
import type { ReactNode } from "react";
import { agentColor } from "@/app/_ui/agent-color";
import type { AgentNode, UnknownNode } from "../mapping/canvas-nodes";
import { nodeDomId } from "./node-dom-id";
import { ProblemMark } from "./problem-mark";
import { StatusMark, useStatusAttributes } from "./status-strip";

export const LaneTag = ({ lane }: { lane: string }) => lane !== "" && <span className="lane-tag">{lane}</span>;

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
  const { data, selected } = node;
  const status = useStatusAttributes(data.key);
  return (
    <article
      {...status}
      id={nodeDomId(data.key)}
      aria-label={label}
      aria-current={selected ? "true" : undefined}
      data-kind="card"
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
