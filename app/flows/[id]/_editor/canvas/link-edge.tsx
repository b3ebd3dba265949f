import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { Plus } from "lucide-react";
import { memo } from "react";
import { useNodeStatus } from "../run/node-statuses";
import { useSession } from "../session-context";
import type { LinkEdge } from "./canvas-mapping";
import { insertButtonId } from "./node-dom-id";
import { useFar } from "./use-far";

/** A link between two nodes: with a button in its middle that asks what comes in there, or how often it was used. */
export const Link = memo(function Link(props: EdgeProps<LinkEdge>) {
  const { data, selected, markerEnd, sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition } = props;
  const aside = data && targetX <= sourceX ? toSidePath(props, data) : null;
  const [path, x, y] = aside ?? getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition });
  const type = data?.type ?? "flow";
  const look = `link link-${type} ${selected ? "link-selected" : ""}`;
  const far = useFar();
  const line = <BaseEdge path={path} interactionWidth={20} className={look} {...(markerEnd ? { markerEnd } : {})} />;
  if (far) return line;
  const at = { transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` };
  const member = type === "handoff" || type === "delegate";
  return (
    <>
      {line}
      <EdgeLabelRenderer>
        {member ? <Uses {...props} style={at} /> : <InsertButton {...props} style={at} />}
      </EdgeLabelRenderer>
    </>
  );
});

/** Width of the dots at the sides of a card, in canvas pixels. */
const dot = 12;
/** How far a link within a column swings out beside the cards. */
const swing = 64;

/** How far the ends of a link back lean out below the cards, in canvas pixels. */
const lean = 30;
/** How deep such a link hangs: enough to pass below the cards between its ends. */
const depthOf = (length: number): number => Math.min(48 + length / 4, 160);

type Way = [path: string, x: number, y: number];

/**
 * A link back to an earlier column hangs below the cards between. Within a column, one down leads along the right sides of
 * both cards, one up along their left sides: to and fro stay apart.
 */
function toSidePath(
  { sourceX, sourceY, targetX, targetY }: EdgeProps<LinkEdge>,
  { fromWidth, toWidth }: NonNullable<LinkEdge["data"]>,
): Way {
  const [left, right] = [sourceX - fromWidth - dot, targetX + toWidth + dot];
  if (right <= left) {
    const depth = depthOf(left - right);
    const bends = `${left - lean} ${sourceY + depth} ${right + lean} ${targetY + depth}`;
    return [
      `M${left} ${sourceY}C${bends} ${right} ${targetY}`,
      (left + right) / 2,
      (sourceY + targetY) / 2 + 0.75 * depth,
    ];
  }
  const down = targetY >= sourceY;
  const [x1, x2] = down ? [sourceX, right] : [left, targetX];
  const bend = (down ? Math.max(x1, x2) : Math.min(x1, x2)) + (down ? swing : -swing);
  const path = `M${x1} ${sourceY}C${bend} ${sourceY} ${bend} ${targetY} ${x2} ${targetY}`;
  return [path, (x1 + x2 + 6 * bend) / 8, (sourceY + targetY) / 2];
}

function InsertButton({ id, data, style }: EdgeProps<LinkEdge>) {
  const { view } = useSession();
  return (
    <button
      type="button"
      id={insertButtonId(id)}
      tabIndex={-1}
      aria-haspopup="menu"
      aria-label={`Insert between ${data?.fromName} and ${data?.toName}`}
      title="Insert here"
      className="link-insert nodrag nopan"
      style={style}
      onClick={() => view.setState({ surface: { type: "insert", target: { type: "edge", key: id } } })}
    >
      <Plus size={11} aria-hidden />
    </button>
  );
}

/** How often a handoff or a call went this way in the run that is shown. */
function Uses({ id, target, data, style }: EdgeProps<LinkEdge>) {
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
