import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath, Position } from "@xyflow/react";
import { type ComponentType, type CSSProperties, memo } from "react";
import type { LinkEdge } from "../mapping/canvas-nodes";
import type { LinkRoute } from "../scene/link-route";
import { useNodeStatus } from "../state/node-statuses";
import { useIsZoomedOut } from "./use-zoomed-out";

/** What stands in the middle of a link. */
export interface MiddleProps {
  id: string;
  data: LinkEdge["data"];
  style: CSSProperties;
}

type LineProps = EdgeProps<LinkEdge> & {
  /** Stands in the middle of links that say what runs next; seen from near only. */
  Middle?: ComponentType<MiddleProps>;
};

/** A link between two nodes, with how often it was used. */
export const Link = memo(function Link(props: EdgeProps<LinkEdge>) {
  return <LinkLine {...props} />;
});

/** A link with something in its middle. */
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

/** Width of the dots at the sides of a card, in canvas pixels. */
const handleWidth = 12;
/** How far a link within a column swings out beside the cards. */
const columnSwing = 64;

/** How far the ends of a link back lean out below the cards, in canvas pixels. */
const endOffset = 30;
/** How deep such a link hangs: enough to pass below the cards between its ends. */
const depthOf = (length: number, clear: number): number =>
  Math.max(Math.min(48 + length / 4, 160), clear === 0 ? 0 : (clear + clearance) / depthAtCardEdge);
/** What a link keeps free below a card, in canvas pixels; and how much of its depth it has reached at the card's edge. */
const clearance = 12;
const depthAtCardEdge = 0.53;

type LinkPath = [path: string, x: number, y: number];

/**
 * A link back to an earlier column hangs below the cards between. Within a column, one down leads along the right sides of
 * both cards, one up along their left sides: to and fro stay apart. Where the flow runs down, the same turned over.
 */
function toSidePath(
  props: EdgeProps<LinkEdge>,
  { fromLength, toLength, clear }: NonNullable<LinkEdge["data"]>,
): LinkPath {
  const turned = props.sourcePosition === Position.Bottom;
  const turn = (x: number, y: number): [along: number, across: number] => (turned ? [y, x] : [x, y]);
  const [fromAlong, fromAcross] = turn(props.sourceX, props.sourceY);
  const [toAlong, toAcross] = turn(props.targetX, props.targetY);
  const toPoint = (along: number, across: number): string => turn(along, across).join(" ");
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

/** How far a link goes on while it changes lanes, in canvas pixels: less than there is between two columns. */
const turnLength = 48;

/** A link onward that changes lanes at one of its ends and goes straight on for the rest; null: it need not. */
function toBentPath(props: EdgeProps<LinkEdge>, bend: LinkRoute["bend"]): LinkPath | null {
  if (bend === "swing") return null;
  const turned = props.sourcePosition === Position.Bottom;
  const turn = (x: number, y: number): [along: number, across: number] => (turned ? [y, x] : [x, y]);
  const [start, startAcross] = turn(props.sourceX, props.sourceY);
  const [end, endAcross] = turn(props.targetX, props.targetY);
  const toPoint = (along: number, across: number): string => turn(along, across).join(" ");
  const turnStart = bend === "start" ? start : end - turnLength;
  const middle = turnStart + turnLength / 2;
  const curve = `C${toPoint(middle, startAcross)} ${toPoint(middle, endAcross)} ${toPoint(turnStart + turnLength, endAcross)}`;
  const path = `M${toPoint(start, startAcross)}L${toPoint(turnStart, startAcross)}${curve}L${toPoint(end, endAcross)}`;
  return bend === "start"
    ? [path, ...turn((start + turnLength + end) / 2, endAcross)]
    : [path, ...turn((start + end - turnLength) / 2, startAcross)];
}

/** How often a handoff or a call went this way in the run that is shown. */
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
