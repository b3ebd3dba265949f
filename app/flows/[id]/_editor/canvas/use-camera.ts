import { type FitViewOptions, useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect } from "react";
import { useSession } from "../session-context";

/** Motion that explains where things went; none for people who asked for none. */
export const cameraDuration = (): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150);

/** Brings nodes into view when the editor asks for it, and the first nodes of an empty flow. */
export function useCamera(box: RefObject<HTMLDivElement | null>, fit: FitViewOptions): void {
  const { editor, canvas, view } = useSession();
  const { setCenter, getViewport, fitView } = useReactFlow();

  useEffect(
    () =>
      editor.store.subscribe(({ reveal, arrangement }, before) => {
        const node = reveal === before.reveal ? null : arrangement.nodes.find(({ key }) => key === reveal?.key);
        const area = box.current?.getBoundingClientRect();
        if (!node || !area) return;
        const { x, y, zoom } = getViewport();
        const [left, top] = [node.x * zoom + x, node.y * zoom + y];
        const isInside =
          left >= 0 && top >= 0 && left + node.width * zoom <= area.width && top + node.height * zoom <= area.height;
        if (!isInside)
          void setCenter(node.x + node.width / 2, node.y + node.height / 2, { zoom, duration: cameraDuration() });
      }),
    [editor, box, getViewport, setCenter],
  );

  useEffect(
    () =>
      view.subscribe((now, before) => {
        if (now.fit !== before.fit) void fitView({ ...fit, duration: cameraDuration() });
      }),
    [view, fitView, fit],
  );

  useEffect(
    () =>
      canvas.subscribe(({ nodes }, before) => {
        if (before.nodes.length === 0 && nodes.length > 0) requestAnimationFrame(() => void fitView(fit));
      }),
    [canvas, fitView, fit],
  );
}
