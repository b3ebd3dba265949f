import { EdgeLabelRenderer, type EdgeProps, Position } from "@xyflow/react";
import { type ComponentType, type CSSProperties, memo } from "react";
import type { CanvasPoint } from "@/lib/core/layout/scene/canvas-box";
import {
  cornerRadius,
  hasHead,
  spawnDashArray,
  toLabelPoint,
  toLinePath,
  toLinkEnds,
  toSpawnDashOffset,
} from "@/lib/core/layout/scene/drawn-links";
import {
  type LinkEnds,
  toHeadPath,
  toLinkPoints,
  toMarkPoint,
  toRoundedPath,
} from "@/lib/core/layout/scene/link-points";
import type { LinkEdge } from "../mapping/canvas-nodes";
import { useLinkUses } from "../state/link-uses";
import { useIsZoomedOut } from "./use-zoomed-out";

export interface MiddleProps {
  id: string;
  data: LinkEdge["data"];
  style: CSSProperties;
}

type LinkData = NonNullable<LinkEdge["data"]>;
type LineProps = EdgeProps<LinkEdge> & {
  Middle?: ComponentType<MiddleProps>;
};

export const Link = memo(function Link(props: EdgeProps<LinkEdge>) {
  return <LinkLine {...props} />;
});

export function LinkLine(props: LineProps) {
  const { data } = props;
  return data && <DrawnLink {...props} data={data} />;
}

function DrawnLink({ Middle, ...props }: LineProps & { data: LinkData }) {
  const { id, data, selected } = props;
  const uses = useLinkUses(props);
  const far = useIsZoomedOut();
  const points = toLinkPoints(toEnds(props), data.route);
  const state = `${uses > 0 ? "link-taken" : ""} ${selected ? "link-selected" : ""}`;
  const hasCount = uses > 1 || (uses === 1 && isMemberLink(data.type));
  const mark = !far && (hasCount || data.label !== "");
  const insert = !far && Middle !== undefined && (data.type === "flow" || data.type === "draft");
  const middle = toCentered(toMarkPoint(points, data.route));
  return (
    <>
      <LinkPath data={data} points={points} state={state} />
      {(mark || insert) && (
        <EdgeLabelRenderer>
          {data.label !== "" && !far && (
            <span
              className={`link-label ${state}`}
              style={toCentered(toLabelPoint(points, data.type))}
              title={data.label}
            >
              {data.label}
            </span>
          )}
          {hasCount && !far && <UseCount data={data} uses={uses} style={middle} />}
          {insert && <Middle id={id} data={data} style={middle} />}
        </EdgeLabelRenderer>
      )}
    </>
  );
}

interface LinkPathProps {
  data: LinkData;
  points: CanvasPoint[];
  state: string;
}

function LinkPath({ data, points, state }: LinkPathProps) {
  return (
    <>
      <path
        d={toLinePath(points, data)}
        fill="none"
        {...(data.type === "spawn" && {
          strokeDasharray: spawnDashArray,
          strokeDashoffset: toSpawnDashOffset(data.route),
        })}
        className={`react-flow__edge-path link link-${data.type} ${state}`}
      />
      {hasHead(data.type) && <path d={toHeadPath(points)} className={`link-head link-head-${data.type} ${state}`} />}
      {!isLine(data.type) && (
        <path
          d={toRoundedPath(data.isPaired ? toLastHalf(points) : points, cornerRadius)}
          fill="none"
          strokeOpacity={0}
          strokeWidth={20}
          className="react-flow__edge-interaction"
        />
      )}
    </>
  );
}

/** Between members of a swarm, who choose themselves which links are taken. */
const isMemberLink = (type: LinkData["type"]): boolean => type === "handoff" || type === "delegate" || type === "spawn";

/** Lines inside of a frame belong to it. */
const isLine = (type: LinkData["type"]): boolean =>
  type === "lane" || type === "lane-end" || type === "bypass" || type === "back";

/** Of two links on one line, each takes the clicks near its own head. */
function toLastHalf(points: CanvasPoint[]): CanvasPoint[] {
  const [start, end] = [points.at(-2), points.at(-1)];
  return start && end ? [{ x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 }, end] : points;
}

/** React Flow ends a link at the outside of the dots, which are centred on the border. */
const portRadius = 6;

/** From the positions that React Flow passes on, so that a link follows a card while it is dragged. */
function toEnds({ data, ...props }: EdgeProps<LinkEdge> & { data: LinkData }): LinkEnds {
  const { sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition } = props;
  const box = (x: number, y: number, size: LinkData["sourceSize"], position: Position) => {
    const [dx, dy] = toCorner(size, position);
    return { x: x + dx, y: y + dy, ...size };
  };
  const source = box(sourceX, sourceY, data.sourceSize, sourcePosition);
  const target = box(targetX, targetY, data.targetSize, targetPosition);
  return toLinkEnds({ ...data, down: data.runsDown }, source, target);
}

/** From the point at which a link is attached to the top left corner of the box. */
function toCorner({ width, height }: LinkData["sourceSize"], position: Position): [dx: number, dy: number] {
  switch (position) {
    case Position.Right:
      return [-portRadius - width, -height / 2];
    case Position.Left:
      return [portRadius, -height / 2];
    case Position.Bottom:
      return [-width / 2, -portRadius - height];
    case Position.Top:
      return [-width / 2, portRadius];
  }
}

const toCentered = ({ x, y }: CanvasPoint): CSSProperties => ({
  transform: `translate(-50%, -50%) translate(${x}px, ${y}px)`,
});

const useWords: Partial<Record<LinkData["type"], string>> = {
  handoff: "Handed over",
  delegate: "Called",
  spawn: "Started",
  back: "Repeated",
};

/** Counts are shown from two up; one use of a member's link is announced only. */
function UseCount({ data, uses, style }: { data: LinkData; uses: number; style: CSSProperties }) {
  return (
    <span
      role="img"
      aria-label={`${useWords[data.type] ?? "Taken"} ${uses === 1 ? "once" : `${uses} times`}`}
      className={uses > 1 ? "link-uses nodrag nopan" : "sr-only"}
      style={style}
    >
      {uses}×
    </span>
  );
}
