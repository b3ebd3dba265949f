import { nodeDomId } from "@/app/flows/[id]/_editor/canvas/node-dom-id";
import type { Session } from "@/app/flows/[id]/_editor/session";

declare global {
  interface Window {
    /** Set once the first useful picture is on screen. */
    __ready?: boolean;
  }
}

/** Sets `window.__ready` once cards are drawn; with `near` the middle of the flow at full size. */
export function tellWhenReady({ editor, view }: Session, near: boolean): () => void {
  const { nodes } = editor.store.getState().arrangement;
  const middle = nodes[Math.floor(nodes.length / 2)]?.key ?? "";
  let frame = 0;
  let asked = !near;
  const look = (): void => {
    const drawn = document.querySelector(".react-flow__node") !== null;
    if (drawn && !asked) {
      asked = true;
      view.setState({ fit: { keys: [middle] } });
    } else if (drawn && (!near || document.getElementById(nodeDomId(middle)))) {
      window.__ready = true;
      return;
    }
    frame = requestAnimationFrame(look);
  };
  frame = requestAnimationFrame(look);
  return () => cancelAnimationFrame(frame);
}
