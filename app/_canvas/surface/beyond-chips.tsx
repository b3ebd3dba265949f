import { type ReactFlowState, useStore, useStoreApi } from "@xyflow/react";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type Edge, edges, findCardsBeyond } from "../scene/cards-beyond";
import { useCanvasSession } from "../state/canvas-session";
import type { FlowState } from "../state/flow-state";

const edgeStyles = {
  above: { icon: ArrowUp, place: "top-14" },
  below: { icon: ArrowDown, place: "bottom-16" },
} as const satisfies Record<Edge, object>;

const findBeyond = ({ transform: [x, y, zoom], width, height }: ReactFlowState, { arrangement }: FlowState) =>
  findCardsBeyond(arrangement.nodes, { x, y, zoom }, { width, height });

/** How many cards the upper and the lower edge cut or hide; a press brings the nearest into view. */
export function BeyondChips() {
  const { camera, editor } = useCanvasSession();
  const view = useStoreApi();
  // As a text, which stays the same while the view moves and no number changes.
  const counts = useStore((state) => {
    const cards = findBeyond(state, editor.store.getState());
    return edges.map((edge) => cards[edge].length).join(" ");
  });
  const show = (edge: Edge): void => {
    const [nearest] = findBeyond(view.getState(), editor.store.getState())[edge];
    if (nearest) camera.reveal(nearest.key);
  };
  return counts.split(" ").map((count, index) => {
    const edge = edges[index];
    return edge && count !== "0" && <Chip key={edge} edge={edge} count={count} onPress={() => show(edge)} />;
  });
}

function Chip({ edge, count, onPress }: { edge: Edge; count: string; onPress(): void }) {
  const { icon: Icon, place } = edgeStyles[edge];
  return (
    <button
      type="button"
      aria-label={`${count} ${edge}: show the nearest`}
      onClick={onPress}
      className={`nopan absolute left-1/2 ${place} z-[6] flex h-7 -translate-x-1/2 items-center gap-1 rounded-full border border-line-strong bg-surface-raised px-2 font-medium text-text-muted text-xs tabular-nums shadow-card hover:bg-surface-hover hover:text-text [@container(max-height:480px)]:hidden`}
    >
      <Icon size={12} aria-hidden />
      {count} {edge}
    </button>
  );
}
