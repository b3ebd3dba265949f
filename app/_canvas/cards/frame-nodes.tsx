import { type NodeProps, Position } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import { useCanvasView } from "@/app/_canvas/state/canvas-session";
import { describeKind } from "@/app/_kinds/registry";
import { frameInset } from "@/lib/core/layout/arrangement";
import type { ClosedFrameNode, FrameCardData, FrameNode, UnconnectedZoneNode } from "../mapping/canvas-nodes";
import { LinkHandles } from "./agent-card";
import { LaneTag, useCardAttributes } from "./card-frame";
import { ProblemMark } from "./problem-mark";
import { StatusStrip } from "./status-strip";

const describe = ({ kind, type }: FrameCardData) => describeKind({ type: kind, mode: type });

const useFrameAttributes = (node: NodeProps<FrameNode | ClosedFrameNode>) =>
  useCardAttributes(node, node.data.kind, `${describe(node.data).label} ${node.data.name}`);

/** Only the header receives pointer events, so that members stay clickable. */
export const Frame = memo(function Frame(props: NodeProps<FrameNode>) {
  const { data } = props;
  const takesDrop = useCanvasView((view) => view.drop?.frame === data.key);
  return (
    <article
      {...useFrameAttributes(props)}
      data-type={data.type}
      data-drop={takesDrop || undefined}
      className="frame relative h-full w-full rounded-xl border"
    >
      <LaneTag lane={data.lane} />
      <FrameHeader data={data}>
        <StatusStrip nodeKey={data.key} />
      </FrameHeader>
      {data.repeats && <LoopBack {...props} />}
      <LinkHandles of={props} />
    </article>
  );
});

const gutter = { inset: 10, end: 8 };

function LoopBack({ width = 0, height = 0, sourcePosition }: NodeProps<FrameNode>) {
  const down = sourcePosition === Position.Bottom;
  const { inset, end } = gutter;
  const [right, bottom] = [width - inset, height - inset];
  const middle = down ? width / 2 : (frameInset.top + height - frameInset.bottom) / 2;
  const path = down
    ? `M${middle} ${bottom - end}V${bottom}H${right}V${frameInset.top - end}H${middle}v${end}`
    : `M${right - end} ${middle}H${right}V${bottom}H${inset}V${middle}h${end}`;
  const [x, y] = down ? [middle, frameInset.top] : [inset + end, middle];
  const arrow = down ? `M${x - 4} ${y - 5}l4 5l4 -5` : `M${x - 5} ${y - 4}l5 4l-5 4`;
  return (
    <svg aria-hidden className="loop-back" width={width} height={height}>
      <path d={path} />
      <path d={arrow} />
    </svg>
  );
}

export const ClosedFrame = memo(function Place(props: NodeProps<ClosedFrameNode>) {
  const { data } = props;
  return (
    <article
      {...useFrameAttributes(props)}
      className="card relative flex h-full w-full flex-col rounded-lg border bg-surface-raised py-1"
    >
      <LaneTag lane={data.lane} />
      <FrameHeader data={data} />
      <p className="mt-auto flex h-7 min-w-0 items-center gap-1 px-3 text-[11px] text-text-muted">
        <span className="truncate">
          {data.detailIsText ? data.detail : data.members === 0 ? "members not shown" : `${data.members} members`}
        </span>
        <StatusStrip nodeKey={data.key} />
      </p>
      <LinkHandles of={props} />
    </article>
  );
});

function FrameHeader({ data, children }: { data: FrameCardData; children?: ReactNode }) {
  const { icon: Icon, label } = describe(data);
  const described = !data.detailIsText && data.detail !== "";
  return (
    <header className="frame-header flex h-7 min-w-0 items-center gap-1.5 px-3 text-[11px] text-text-muted">
      {Icon && <Icon size={13} aria-hidden />}
      <span className="max-w-[65%] shrink-0 truncate font-semibold text-text">{data.name}</span>
      <span className={described ? "sr-only" : "min-w-0 truncate"}>{label}</span>
      {described && (
        <span className="min-w-0 truncate font-mono text-[10px]" title={data.detail}>
          {data.detail}
        </span>
      )}
      <ProblemMark errors={data.errors} warnings={data.warnings} />
      {children}
    </header>
  );
}

export const UnconnectedZone = memo(function UnconnectedZone({ data }: NodeProps<UnconnectedZoneNode>) {
  return (
    <div className="h-full w-full truncate rounded-xl border border-dashed border-line-strong px-4 py-2 text-[11px] leading-4 text-text-muted">
      <span className="font-semibold">Not in the flow yet</span>
      <span className="ml-1.5">{data.count === 1 ? "Connect it to run." : "Connect them to run."}</span>
    </div>
  );
});
