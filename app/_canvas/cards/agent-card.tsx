import { Handle, type HandleProps, type NodeProps, Position } from "@xyflow/react";
import { Bot, CircleHelp } from "lucide-react";
import { memo } from "react";
import type { AgentNode, UnknownNode } from "../mapping/canvas-nodes";
import { CardFrame } from "./card-frame";
import { StatusStrip } from "./status-strip";
import { useIsZoomedOut } from "./use-zoomed-out";

export const AgentCard = memo(function AgentCard(props: NodeProps<AgentNode>) {
  const { data } = props;
  const label = `Agent ${data.name}`;
  const icon = <Bot size={14} aria-hidden />;
  if (useIsZoomedOut())
    return (
      <CardFrame node={props} label={label} icon={icon} far>
        <LinkHandles of={props} />
      </CardFrame>
    );
  const tools = data.tools === "" ? [] : data.tools.split("\n");
  return (
    <CardFrame node={props} label={label} icon={icon}>
      <p className="mt-0.5 flex min-w-0 items-center gap-1.5 text-[11px] leading-4 text-text-muted">
        {data.provider === "" ? (
          <span>no model</span>
        ) : (
          <>
            <ProviderMark provider={data.provider} />
            <span className="truncate font-mono">{data.model}</span>
          </>
        )}
      </p>
      <div className="mt-auto flex h-5 min-w-0 items-center gap-1 overflow-hidden">
        {tools.map((tool) => (
          <span
            key={tool}
            className="min-w-0 truncate rounded border border-line px-1 text-[10px] leading-4 text-text-muted"
          >
            {tool}
          </span>
        ))}
        {data.moreTools > 0 && <span className="text-[10px] text-text-faint">+{data.moreTools}</span>}
        <StatusStrip nodeKey={data.key} />
      </div>
      <LinkHandles of={props} />
    </CardFrame>
  );
});

export const UnknownCard = memo(function UnknownCard(props: NodeProps<UnknownNode>) {
  const { data } = props;
  return (
    <CardFrame node={props} label={`Unknown ${data.name}`} dashed icon={<CircleHelp size={14} />}>
      <p className="mt-0.5 text-[11px] leading-4 text-text-muted">No node with this name is declared.</p>
      <LinkHandles of={props} />
    </CardFrame>
  );
});

const providerLetters: ReadonlyMap<string, string> = new Map([
  ["openai", "OA"],
  ["anthropic", "A\\"],
  ["google", "G"],
  ["compatible", "{}"],
  ["demo", "DE"],
]);

/** Two letters that tell providers apart at a glance; the full name is its label. */
function ProviderMark({ provider }: { provider: string }) {
  return (
    <span
      title={provider}
      className="inline-flex h-4 min-w-5 shrink-0 items-center justify-center rounded-sm bg-surface-hover px-1 font-mono text-[9px] font-semibold text-text-muted"
    >
      {providerLetters.get(provider) ?? provider.slice(0, 2).toUpperCase()}
    </span>
  );
}

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
