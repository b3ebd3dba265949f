import { ChevronDown, ChevronRight } from "lucide-react";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { useCanvasSession } from "../state/canvas-session";

interface FoldButtonProps {
  nodeKey: NodeKey;
  name: string;
  isFolded: boolean;
}

/** Nothing where the canvas cannot fold. */
export function FoldButton({ nodeKey, name, isFolded }: FoldButtonProps) {
  const { fold } = useCanvasSession();
  if (!fold) return null;
  const Icon = isFolded ? ChevronRight : ChevronDown;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-expanded={!isFolded}
      aria-label={`${isFolded ? "Unfold" : "Fold"} ${name}`}
      title={`${isFolded ? "Unfold" : "Fold"} (Space)`}
      className="nodrag nopan pointer-events-auto inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-text-muted hover:bg-surface-hover hover:text-text"
      onClick={(event) => {
        event.stopPropagation();
        fold([nodeKey], !isFolded);
      }}
    >
      <Icon size={14} aria-hidden />
    </button>
  );
}
