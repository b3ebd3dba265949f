import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath, Position } from "@xyflow/react";
import { type ComponentType, type CSSProperties, memo } from "react";
import type { LinkEdge } from "../mapping/canvas-nodes";
import type { LinkRoute } from "../scene/link-route";
import { useNodeStatus } from "../state/node-statuses";
import { useIsZoomedOut } from "./use-zoomed-out";

export interface MiddleProps {
  id: string;
  data: LinkEdge["data"];
  style: CSSProperties;
}

type LineProps = EdgeProps<LinkEdge> & {
  Middle?: ComponentType<MiddleProps>;
};

export const Link = memo(function Link(props: EdgeProps<LinkEdge>) {
  return <LinkLine {...props} />;
});

export function LinkLine({ Middle, ...props }: LineProps) {
  const { id, data, selected, markerEnd, sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition } = props;
  const goesBack = sourcePosition === Position.Bottom ? targetY <= sourceY : targetX <= sourceX;
  const aside = data && goesBack ? toSidePath(props, data) : data && toBentPath(props, data.bend);
  const [path, x, y] = aside ?? getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition });
  const type = data?.type ?? "flow";
  const className = `link link-${type} ${selected ? "link-selected" : ""}`;
  const member = type === "handoff" || type === "delegate";
  const far = useIsZoomedOut();
  const line = (
    <BaseEdge path={path} interactionWidth={20} className={className} {...(markerEnd ? { markerEnd } : {})} />
  );
  if (far || !(member || Middle)) return line;
  const labelStyle = { transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` };
  return (
    <>
      {line}
      <EdgeLabelRenderer>
        {member ? (
          <UseCount {...props} style={labelStyle} />
        ) : (
          Middle && <Middle id={id} data={data} style={labelStyle} />
        )}
      </EdgeLabelRenderer>
    </>
  );
}

const handleWidth = 12;
const columnSwing = 64;

const endOffset = 30;
/** Deep enough to pass below the cards between its ends. */
const depthOf = (length: number, clear: number): number =>
  Math.max(Math.min(48 + length / 4, 160), clear === 0 ? 0 : (clear + clearance) / depthAtCardEdge);
const clearance = 12;
const depthAtCardEdge = 0.53;

type LinkPath = [path: string, x: number, y: number];

/** Along and across the flow: where it runs down, x and y are swapped. */
function toFlowAxes({ sourceX, sourceY, sourcePosition, targetX, targetY }: EdgeProps<LinkEdge>) {
  const turn = (x: number, y: number): [along: number, across: number] =>
    sourcePosition === Position.Bottom ? [y, x] : [x, y];
  const toPoint = (along: number, across: number): string => turn(along, across).join(" ");
  return { turn, toPoint, source: turn(sourceX, sourceY), target: turn(targetX, targetY) };
}

/**
 * A link back to an earlier column passes below the cards between. Within a column, links down use the right sides, links up the left sides,
 * so that both stay visible. Mirrored where the flow runs down.
 */
function toSidePath(
  props: EdgeProps<LinkEdge>,
  { fromLength, toLength, clear }: NonNullable<LinkEdge["data"]>,
): LinkPath {
  const { turn, toPoint, source, target } = toFlowAxes(props);
  const [[fromAlong, fromAcross], [toAlong, toAcross]] = [source, target];
  const [end, start] = [fromAlong - fromLength - handleWidth, toAlong + toLength + handleWidth];
  if (start <= end) {
    const depth = depthOf(end - start, clear);
    const bends = `${toPoint(end - endOffset, fromAcross + depth)} ${toPoint(start + endOffset, toAcross + depth)}`;
    const path = `M${toPoint(end, fromAcross)}C${bends} ${toPoint(start, toAcross)}`;
    return [path, ...turn((end + start) / 2, (fromAcross + toAcross) / 2 + 0.75 * depth)];
  }
  const onward = toAcross >= fromAcross;
  const [startAlong, endAlong] = onward ? [fromAlong, start] : [end, toAlong];
  const bend =
    (onward ? Math.max(startAlong, endAlong) : Math.min(startAlong, endAlong)) + (onward ? columnSwing : -columnSwing);
  const path = `M${toPoint(startAlong, fromAcross)}C${toPoint(bend, fromAcross)} ${toPoint(bend, toAcross)} ${toPoint(endAlong, toAcross)}`;
  return [path, ...turn((startAlong + endAlong + 6 * bend) / 8, (fromAcross + toAcross) / 2)];
}

/** Less than the gap between two columns. */
const turnLength = 48;

/** Null when the link needs no bend. */
function toBentPath(props: EdgeProps<LinkEdge>, bend: LinkRoute["bend"]): LinkPath | null {
  if (bend === "swing") return null;
  const { turn, toPoint, source, target } = toFlowAxes(props);
  const [[start, startAcross], [end, endAcross]] = [source, target];
  const turnStart = bend === "start" ? start : end - turnLength;
  const middle = turnStart + turnLength / 2;
  const curve = `C${toPoint(middle, startAcross)} ${toPoint(middle, endAcross)} ${toPoint(turnStart + turnLength, endAcross)}`;
  const path = `M${toPoint(start, startAcross)}L${toPoint(turnStart, startAcross)}${curve}L${toPoint(end, endAcross)}`;
  return bend === "start"
    ? [path, ...turn((start + turnLength + end) / 2, endAcross)]
    : [path, ...turn((start + end - turnLength) / 2, startAcross)];
}

function UseCount({ id, target, data, style }: EdgeProps<LinkEdge>) {
  const runs = useNodeStatus(data?.type === "handoff" ? id : target)?.runs ?? 0;
  if (runs === 0) return null;
  const word = data?.type === "handoff" ? "Handed over" : "Called";
  return (
    <span
      role="img"
      aria-label={`${word} ${runs === 1 ? "once" : `${runs} times`}`}
      className="link-uses nodrag nopan"
      style={style}
    >
      {runs}×
    </span>
  );
}
