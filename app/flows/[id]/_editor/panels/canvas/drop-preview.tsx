import { ViewportPortal } from "@xyflow/react";
import { useEffect } from "react";
import { insertButtonId } from "@/app/_canvas/cards/node-dom-id";
import type { CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import { useView } from "../../state/session-context";

const toStyle = ({ x, y, width, height }: CanvasBox) => ({ transform: `translate(${x}px, ${y}px)`, width, height });

/** What the drop will do, while something is dragged: its place on the canvas, and in words at the pointer. */
export function DropPreview() {
  const drop = useView((view) => view.drop);
  const edge = drop?.edge ?? null;
  useEffect(() => (edge === null ? undefined : markLink(edge)), [edge]);
  if (!drop) return null;
  const { member, mark, pointer, words, isMove } = drop;
  return (
    <>
      <ViewportPortal>
        {member && (
          <div
            aria-hidden
            className="pointer-events-none absolute top-0 left-0 z-20 rounded-lg outline-2 outline-accent outline-offset-2"
            style={toStyle(member)}
          />
        )}
        {mark && (
          <div
            aria-hidden
            data-testid="drop-mark"
            className={`pointer-events-none absolute top-0 left-0 z-20 ${
              mark.type === "line"
                ? "rounded-full bg-accent"
                : "rounded-lg border-2 border-accent border-dashed bg-accent/10"
            }`}
            style={toStyle(mark.box)}
          />
        )}
      </ViewportPortal>
      <div
        aria-hidden
        data-testid="drop-words"
        className="pointer-events-none fixed z-50 max-w-72 rounded-md bg-text px-2 py-1 text-xs font-medium text-surface shadow-popover"
        style={{ left: pointer.x + 16, top: pointer.y + 18 }}
      >
        {words}
        {isMove && <span className="block font-normal opacity-80">Hold Alt to move it freely</span>}
      </div>
    </>
  );
}

/** The link and its "+" are drawn by React Flow in two places. */
function markLink(key: string): () => void {
  const elements = [
    document.getElementById(insertButtonId(key)),
    document.querySelector(`.react-flow__edge[data-id="${CSS.escape(key)}"]`),
  ];
  for (const element of elements) element?.toggleAttribute("data-target", true);
  return () => {
    for (const element of elements) element?.toggleAttribute("data-target", false);
  };
}
