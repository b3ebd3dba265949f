import { Handle, type HandleProps, type NodeProps, Position } from "@xyflow/react";
import { CircleHelp, Wrench } from "lucide-react";
import { memo } from "react";
import { agentColor } from "@/app/_ui/agent-color";
import { AgentTile } from "@/app/_ui/badges/agent-tile";
import { describeModel } from "@/lib/core/kinds/card-content";
import type { AgentNode, UnknownNode } from "../mapping/canvas-nodes";
import { useHasRun, useNodeStatus } from "../state/node-statuses";
import { CardFooter, SpawnedFlag } from "./card-footer";
import { CardFrame } from "./card-frame";

export const AgentCard = memo(function AgentCard(props: NodeProps<AgentNode>) {
  const { data } = props;
  return (
    <CardFrame
      node={props}
      label={`Agent ${data.name}`}
      tile={<CardTile data={data} />}
      detail={describeModel(data.provider, data.model)}
    >
      <CardInstructions data={data} />
      {data.tools !== "" && !data.isCompact && <CardTools tools={data.tools.split("\n")} more={data.moreTools} />}
      <CardFooter nodeKey={data.key} />
      <SpawnedFlag nodeKey={data.key} />
      <LinkHandles of={props} />
    </CardFrame>
  );
});

/** Hollow until the agent begins in the run that is shown. */
function CardTile({ data: { key, name, agentNumber } }: Pick<AgentNode, "data">) {
  const hasBegun = useNodeStatus(key) !== null;
  const hasRun = useHasRun();
  return <AgentTile name={name} color={agentColor(agentNumber)} size="large" isHollow={hasRun && !hasBegun} />;
}

function CardInstructions({ data: { instructions, isCompact, tools } }: Pick<AgentNode, "data">) {
  const isShared = tools !== "" && !isCompact;
  const style = isCompact ? compactLines : isShared ? sharedLines : allLines;
  const isMissing = instructions === "";
  return (
    <p
      className={`card-instructions ${isCompact ? "card-instructions-compact" : ""} ${isMissing ? "text-text-faint" : ""}`}
      style={style}
    >
      {isMissing ? "No instructions" : instructions}
    </p>
  );
}

const allLines = { "--lines": "5", "--lines-beside-footer": "3" };
const sharedLines = { "--lines": "3", "--lines-beside-footer": "2" };
const compactLines = { "--lines": "2", "--lines-beside-footer": "2" };

const CardTools = ({ tools, more }: { tools: readonly string[]; more: number }) => (
  <div className="card-tools">
    <Wrench size={12} aria-hidden className="shrink-0 text-text-faint" />
    {tools.map((tool) => (
      <span key={tool} className="card-tool">
        {tool}
      </span>
    ))}
    {more > 0 && <span className="shrink-0 text-text-muted">+{more}</span>}
  </div>
);

export const UnknownCard = memo(function UnknownCard(props: NodeProps<UnknownNode>) {
  const { data } = props;
  return (
    <CardFrame
      node={props}
      label={`Unknown ${data.name}`}
      dashed
      tile={<CircleHelp size={24} aria-hidden className="text-text-muted" />}
      detail="not declared"
    >
      <p className="card-instructions">No node with this name is declared.</p>
      <LinkHandles of={props} />
    </CardFrame>
  );
});

type HandleSides = Pick<NodeProps, "sourcePosition" | "targetPosition" | "isConnectable">;

export const LinkHandles = ({ of: handles }: { of: HandleSides }) => (
  <>
    <LinkHandle type="target" position={handles.targetPosition ?? Position.Left} connects={handles.isConnectable} />
    <LinkHandle type="source" position={handles.sourcePosition ?? Position.Right} connects={handles.isConnectable} />
  </>
);

const LinkHandle = ({ connects, ...handleProps }: Pick<HandleProps, "type" | "position"> & { connects: boolean }) => (
  <Handle {...handleProps} isConnectable={connects} isConnectableStart={connects} className="card-end" />
);
