import { nodeDomId } from "@/app/_canvas/cards/node-dom-id";
import { isDrawn } from "@/app/_canvas/state/canvas-store";
import type { Session } from "@/app/flows/[id]/_editor/state/session";

declare global {
  interface Window {
    /** In milliseconds since the request of the page. */
    __ready?: number;
  }
}

/** Sets `window.__ready` once the whole flow is drawn, with `near` the middle of it at full size, and calls `onReady` then. */
export function tellWhenReady({ camera, editor, canvas }: Session, near: boolean, onReady: () => void): () => void {
  const { nodes } = editor.store.getState().arrangement;
  const middle = nodes[Math.floor(nodes.length / 2)]?.key ?? "";
  let frame = 0;
  let asked = !near;
  const look = (): void => {
    const { overview } = canvas.getState();
    const drawn = isDrawn(canvas.getState());
    if (drawn && !asked) {
      asked = true;
      camera.fit([middle]);
    } else if (drawn && (!near || (!overview && document.getElementById(nodeDomId(middle))))) {
      window.__ready = performance.now();
      onReady();
      return;
    }
    frame = requestAnimationFrame(look);
  };
  frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}
