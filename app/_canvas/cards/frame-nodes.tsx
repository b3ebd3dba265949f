import { type NodeProps, Position } from "@xyflow/react";
import { memo, type ReactNode } from "react";
import { useCanvasView } from "@/app/_canvas/state/canvas-session";
import { describeKind } from "@/app/_kinds/registry";
import { diamondBoxOf, diamondSize } from "@/lib/core/layout/arrangement";
import type {
  ClosedFrameNode,
  FrameCardData,
  FrameNode,
  SwarmFrameNode,
  UnconnectedZoneNode,
} from "../mapping/canvas-nodes";
import { LinkHandles } from "./agent-card";
import { useCardAttributes } from "./card-frame";
import { CommentMark } from "./comment-mark";
import { FoldButton } from "./fold-button";
import { ProblemMark } from "./problem-mark";
import { RoleFlag } from "./role-flag";
import { StatusMark, StatusStrip } from "./status-strip";

const describe = ({ kind, type }: FrameCardData) => describeKind({ type: kind, mode: type });

const useFrameAttributes = (node: NodeProps<FrameNode | ClosedFrameNode>) =>
  useCardAttributes(node, node.data.kind, `${describe(node.data).label} ${node.data.name}`);

/** Only labels and the diamond receive pointer events, so that members stay clickable. */
export const Frame = memo(function Frame(props: NodeProps<FrameNode>) {
  const { data } = props;
  const takesDrop = useCanvasView((view) => view.drop?.frame === data.key);
  return (
    <article
      {...useFrameAttributes(props)}
      data-type={data.type}
      data-shape={data.shape}
      data-drop={takesDrop || undefined}
      data-down={props.targetPosition === Position.Top || undefined}
      className="frame relative h-full w-full border"
    >
      {data.shape === "diamond" ? <Diamond {...props} /> : <FrameEdge data={data} />}
      <RoleFlag role={data.role} />
      <CommentMark nodeKey={data.key} name={data.name} />
      <LinkHandles of={props} />
    </article>
  );
});

/** The kind and name on the upper edge, the limit at its other end, the condition at the foot. */
const FrameEdge = ({ data }: { data: FrameCardData }) => (
  <>
    <div className="frame-edge">
      <FrameHeader data={data} className="frame-pill frame-kind">
        <StatusMark nodeKey={data.key} />
      </FrameHeader>
      {data.limit !== "" && <span className="frame-pill frame-limit">{data.limit}</span>}
    </div>
    {data.condition !== "" && (
      <p className="frame-condition" title={data.condition}>
        {data.condition}
      </p>
    )}
  </>
);

/** A branch or router: its lanes begin at the point of the diamond. */
function Diamond({ data, width = 0, height = 0 }: NodeProps<FrameNode>) {
  const { x: left, y: top, width: across, height: tall } = diamondBoxOf({ x: 0, y: 0, width, height }, data.runsDown);
  return (
    <>
      <div
        className="frame-diamond frame-header"
        style={{ left, top, width: across, height: tall }}
        title={data.condition}
      >
        <svg aria-hidden width={across} height={tall}>
          <path d={`M1 ${tall / 2}L${across / 2} 1L${across - 1} ${tall / 2}L${across / 2} ${tall - 1}Z`} />
        </svg>
        <span className="diamond-condition">{data.condition}</span>
      </div>
      <FrameHeader data={data} className="frame-pill diamond-name" style={toNamePlace({ left, top }, data.runsDown)}>
        <StatusMark nodeKey={data.key} />
      </FrameHeader>
    </>
  );
}

/** Its lower left corner, clear of the point of the diamond: above it; beside its upper point where the flow runs down. */
const toNamePlace = ({ left, top }: { left: number; top: number }, down: boolean) =>
  down ? { left: left + diamondSize.width * 0.62, top: 4 } : { left, top: top - 4 };

export const ClosedFrame = memo(function Place(props: NodeProps<ClosedFrameNode>) {
  const { data, width = 0, height = 0 } = props;
  const isHexagon = data.shape === "hexagon";
  return (
    <article
      {...useFrameAttributes(props)}
      data-shape={data.shape}
      className={
        isHexagon
          ? "card hexagon relative flex h-full w-full flex-col justify-center"
          : "card relative flex h-full w-full flex-col rounded-lg border bg-surface-raised py-1"
      }
    >
      {isHexagon && <Hexagon width={width} height={height} />}
      <RoleFlag role={data.role} />
      <CommentMark nodeKey={data.key} name={data.name} />
      <FrameHeader data={data} className="card-header" />
      <p
        className={`card-about flex min-h-7 min-w-0 items-center gap-1 text-[11px] text-text-muted ${isHexagon ? "px-7" : "mt-auto px-3"}`}
      >
        <span className={isHexagon ? "line-clamp-2" : "truncate"} title={data.detail}>
          {data.detailIsText ? data.detail : data.members === 0 ? "members not shown" : `${data.members} members`}
        </span>
        <StatusStrip nodeKey={data.key} />
      </p>
      <LinkHandles of={props} />
    </article>
  );
});

const hexagonHeight = 92;
const hexagonPoint = 22;

/** At most as high as a low card, in the middle of its place. */
function Hexagon({ width, height }: { width: number; height: number }) {
  const tall = Math.min(height, hexagonHeight);
  const [top, bottom] = [(height - tall) / 2 + 1, (height + tall) / 2 - 1];
  const middle = height / 2;
  const [left, right] = [hexagonPoint, width - hexagonPoint];
  return (
    <svg aria-hidden className="hexagon-shape" width={width} height={height}>
      <path d={`M1 ${middle}L${left} ${top}H${right}L${width - 1} ${middle}L${right} ${bottom}H${left}Z`} />
    </svg>
  );
}

interface FrameHeaderProps {
  data: FrameCardData;
  className: string;
  style?: { left: number; top: number };
  children?: ReactNode;
}

function FrameHeader({ data, className, style, children }: FrameHeaderProps) {
  const { icon: Icon, label, short } = describe(data);
  return (
    <header className={`frame-header ${className}`} style={style}>
      {data.foldable && (
        <span className="-mr-1 -ml-2 inline-flex">
          <FoldButton nodeKey={data.key} name={data.name} isFolded={false} />
        </span>
      )}
      {Icon && <Icon size={13} aria-hidden className="shrink-0" />}
      <span className="frame-name">
        <span className="min-w-0 max-w-full truncate font-semibold text-text" title={data.name}>
          {data.name}
        </span>
        <span className="frame-kind-word" title={label}>
          {short}
        </span>
      </span>
      <ProblemMark errors={data.errors} warnings={data.warnings} />
      {children}
    </header>
  );
}

/** Around the members of a root swarm that is not a workflow. */
export const SwarmFrame = memo(function SwarmFrame({ data }: NodeProps<SwarmFrameNode>) {
  const { icon: Icon, short } = describeKind({ type: "swarm", mode: data.mode });
  return (
    <div className="frame relative h-full w-full border" data-kind="swarm" data-type={data.mode}>
      <div className="frame-edge">
        <span className="frame-pill frame-kind">
          {Icon && <Icon size={13} aria-hidden className="shrink-0" />}
          <span className="font-semibold text-text">{short}</span>
        </span>
        {data.limit !== "" && <span className="frame-pill frame-limit">{data.limit}</span>}
      </div>
    </div>
  );
});

export const UnconnectedZone = memo(function UnconnectedZone({ data }: NodeProps<UnconnectedZoneNode>) {
  return (
    <div className="h-full w-full truncate rounded-xl border border-dashed border-frame px-4 py-2 text-[11px] leading-4 text-text-muted">
      <span className="font-semibold">Not in the flow yet</span>
      <span className="ml-1.5">{data.count === 1 ? "Connect it to run." : "Connect them to run."}</span>
    </div>
  );
});
