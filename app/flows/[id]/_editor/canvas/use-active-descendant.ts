import { type RefObject, useEffect } from "react";
import { useSession } from "../session-context";
import { nodeDomId } from "./node-dom-id";

/**
 * Tells assistive technology which node the canvas' keys act on. Nodes out of view have no element, so this is looked
 * up whenever the selection, the picture or (by the returned function) the view has changed.
 */
export function useActiveDescendant(box: RefObject<HTMLDivElement | null>): () => void {
  const { editor, canvas } = useSession();
  const show = (): void => {
    const active = editor.store.getState().selection.at(-1);
    const id = active === undefined ? "" : nodeDomId(active);
    if (id !== "" && document.getElementById(id)) box.current?.setAttribute("aria-activedescendant", id);
    else box.current?.removeAttribute("aria-activedescendant");
  };
  useEffect(() => {
    let frame = 0;
    const stop = canvas.subscribe(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(show);
    });
    return () => {
      stop();
      cancelAnimationFrame(frame);
    };
  });
  return show;
}
