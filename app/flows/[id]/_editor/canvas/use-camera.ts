import { type FitViewOptions, useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect } from "react";
import { useSession } from "../session-context";
import { boundsOf, isInView } from "./view-box";

/** Motion that explains where things went; none for people who asked for none. */
export const cameraDuration = (): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150);

/**
 * Moves the view when the flow asks for it: a flow that was seen as a whole stays so when it grows; otherwise what was
 * edited comes into view. The first nodes of an empty flow are fitted.
 */
export function useCamera(box: RefObject<HTMLDivElement | null>, fit: FitViewOptions): void {
  const { editor, view } = useSession();
  const { setCenter, getViewport, fitView, zoomTo } = useReactFlow();

  useEffect(() => {
    let frame = 0;
    const fitSoon = (): void => {
      cancelAnimationFrame(frame);
      // React Flow has to be given the new nodes first.
      frame = requestAnimationFrame(() => {
        frame = 0;
        void fitView({ ...fit, duration: cameraDuration() });
      });
    };
    const stopEditor = editor.store.subscribe(({ reveal, arrangement, flow }, before) => {
      const area = box.current?.getBoundingClientRect();
      if (!area) return;
      if (flow !== before.flow) {
        const [old, now] = [boundsOf(before.arrangement.nodes), boundsOf(arrangement.nodes)];
        const wasWhole = old === null || isInView(old, getViewport(), area);
        if (now && wasWhole && !isInView(now, getViewport(), area)) fitSoon();
      }
      const node = reveal === before.reveal ? null : arrangement.nodes.find(({ key }) => key === reveal?.key);
      if (!node || frame !== 0 || isInView(node, getViewport(), area)) return;
      const { zoom } = getViewport();
      void setCenter(node.x + node.width / 2, node.y + node.height / 2, { zoom, duration: cameraDuration() });
    });
    const stopView = view.subscribe((now, before) => {
      const nodes = editor.store.getState().selection.map((id) => ({ id }));
      if (now.fit === before.fit) return;
      if (now.fit?.to === "actual-size") void zoomTo(1, { duration: cameraDuration() });
      else if (now.fit?.to !== "selection") fitSoon();
      else if (nodes.length > 0) void fitView({ ...fit, nodes, duration: cameraDuration() });
    });
    return () => {
      stopEditor();
      stopView();
      cancelAnimationFrame(frame);
    };
  }, [editor, view, box, fit, fitView, getViewport, setCenter, zoomTo]);
}
