import type { LinkEdge } from "@/app/_canvas/mapping/canvas-nodes";
import type { Arrangement } from "@/lib/core/layout/arrange-flow";
import type { CanvasPoint } from "@/lib/core/layout/scene/canvas-box";
import { distanceToLine, toLinkPoints } from "@/lib/core/layout/scene/link-points";
import { indexNodes } from "@/lib/core/layout/scene/node-index";

interface DrawnEdges {
  arrangement: Arrangement;
  edges: readonly LinkEdge[];
}

/** Half the width of the line that takes clicks, in canvas pixels, and of the "+" on it, in pixels of the screen. */
const reach = { line: 10, button: 12 } as const;

/** The key of the link of the flow that is nearest to a point of the canvas; null where none is near. */
export function findEdgeAt({ arrangement, edges }: DrawnEdges, point: CanvasPoint, zoom: number): string | null {
  // Asking the browser for the elements at the point takes longer than all else that a moved card costs.
  const nodes = indexNodes(arrangement);
  let nearest: { key: string; distance: number } | null = null;
  for (const { id, source: sourceKey, target: targetKey, data } of edges) {
    const [source, target] = [nodes.get(sourceKey), nodes.get(targetKey)];
    if (!source || !target || !data || !(data.type === "flow" || data.type === "draft")) continue;
    const distance = distanceToLine(toLinkPoints({ source, target, down: data.runsDown }, data.route), point);
    if (distance < (nearest?.distance ?? Math.max(reach.line, reach.button / zoom))) nearest = { key: id, distance };
  }
  return nearest?.key ?? null;
}
