import { type RefObject, useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";

/** The same as in canvas.css. */
const transitionMs = 150;

export function useMoveTransition(box: RefObject<HTMLDivElement | null>): void {
  const { editor } = useCanvasSession();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = editor.store.subscribe(({ arrangement }, before) => {
      if (arrangement === before.arrangement) return;
      clearTimeout(timer);
      box.current?.toggleAttribute("data-settling", true);
      timer = setTimeout(() => box.current?.toggleAttribute("data-settling", false), transitionMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [editor, box]);
}
