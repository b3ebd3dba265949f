import { type RefObject, useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";

/** How long nodes take to their new places, as canvas.css has it. */
const transitionMs = 150;

/** Marks the canvas for as long as nodes go to where an edit put them. */
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
