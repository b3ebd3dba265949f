import { BaseEdge, EdgeLabelRenderer, type EdgeProps, getBezierPath } from "@xyflow/react";
import { Plus } from "lucide-react";
import { memo } from "react";
import { useSession } from "../session-context";
import type { LinkEdge } from "./canvas-mapping";
import { useFar } from "./use-far";

/** A link between two nodes, with a button in its middle that inserts an agent there. */
export const Link = memo(function Link(props: EdgeProps<LinkEdge>) {
  const { commands } = useSession();
  const { id, data, selected, markerEnd, sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition } = props;
  const [path, x, y] = getBezierPath({ sourceX, sourceY, sourcePosition, targetX, targetY, targetPosition });
  const look = `link ${selected ? "link-selected" : ""} ${data?.draft ? "link-draft" : ""}`;
  const far = useFar();
  const line = <BaseEdge path={path} interactionWidth={20} className={look} {...(markerEnd ? { markerEnd } : {})} />;
  if (far) return line;
  return (
    <>
      {line}
      <EdgeLabelRenderer>
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Insert agent between ${data?.fromName} and ${data?.toName}`}
          title="Insert an agent here"
          className="link-insert nodrag nopan"
          style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          onClick={() => commands.insertOnEdge(id)}
        >
          <Plus size={11} aria-hidden />
        </button>
      </EdgeLabelRenderer>
    </>
  );
});
