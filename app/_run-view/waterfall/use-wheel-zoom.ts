import { type RefObject, useEffect, useEffectEvent } from "react";
import { zoomRange } from "@/lib/core/trace/timeline/time-scale";
import { throttle } from "../../_run/follow/throttle";
import type { TimeViewProps } from "../state/use-timeline";

/** Wheel events are combined for so long, in milliseconds: a zoom renders everything around the bars. */
const zoomIntervalMs = 45;

export function useWheelZoom(
  scroller: RefObject<HTMLElement | null>,
  { timeline, actions }: Pick<TimeViewProps, "timeline" | "actions">,
): void {
  const zoomBy = useEffectEvent((share: number, factor: number) =>
    actions.zoomTo(zoomRange(timeline.scale, timeline.runRange, share, factor)),
  );
  useEffect(() => {
    const element = scroller.current;
    let [wheelDelta, pointerX] = [0, 0];
    const zoom = throttle(() => {
      const box = element?.querySelector("[data-column=bars]")?.getBoundingClientRect();
      if (!box || box.width === 0) return;
      const share = Math.min(1, Math.max(0, (pointerX - box.left) / box.width));
      zoomBy(share, 1.003 ** wheelDelta);
      wheelDelta = 0;
    }, zoomIntervalMs);
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      wheelDelta += event.deltaY;
      pointerX = event.clientX;
      zoom();
    };
    element?.addEventListener("wheel", onWheel, { passive: false });
    return () => {
      zoom.stop();
      element?.removeEventListener("wheel", onWheel);
    };
  }, [scroller]);
}
