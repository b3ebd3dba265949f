import { type RefObject, useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import { nodeDomId } from "../cards/node-dom-id";
import { activeKey } from "../state/active-node";

/** So many frames the canvas takes at most to mount the node that the keys act on. */
const maxFrames = 60;

/** Nodes outside of the view have no element, so this runs after every change of selection, nodes and view. */
export function useActiveDescendant(box: RefObject<HTMLDivElement | null>): () => void {
  const session = useCanvasSession();
  const show = (): void => {
    const active = activeKey(session);
    const element = active === null ? null : document.getElementById(nodeDomId(active));
    for (const previous of box.current?.querySelectorAll("[data-active]") ?? [])
      if (previous !== element) previous.removeAttribute("data-active");
    element?.toggleAttribute("data-active", true);
    // Setting what is set already would cost the style of the canvas in every frame of a drag.
    if ((element?.id ?? null) === box.current?.getAttribute("aria-activedescendant")) return;
    if (element) box.current?.setAttribute("aria-activedescendant", element.id);
    else box.current?.removeAttribute("aria-activedescendant");
  };
  useEffect(() => {
    let frame = 0;
    // A new node, or one that scrolls into view, gets its element some frames later.
    const showSoon = (framesLeft = maxFrames): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        const active = activeKey(session);
        if (active !== null && framesLeft > 0 && !document.getElementById(nodeDomId(active))) showSoon(framesLeft - 1);
        else show();
      });
    };
    // This canvas may replace one whose frame was still pending.
    showSoon();
    const stopCanvas = session.canvas.subscribe(() => showSoon());
    const stopView = session.view.subscribe((now, before) => {
      if (now.active !== before.active) showSoon();
    });
    return () => {
      stopCanvas();
      stopView();
      cancelAnimationFrame(frame);
    };
  });
  return show;
}
