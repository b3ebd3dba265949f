import type { useReactFlow, useStoreApi } from "@xyflow/react";
import type { CanvasSession } from "@/app/_canvas/state/canvas-session";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { readableScale } from "@/lib/core/layout/choose-arrangement";
import { boundsOf, type CanvasBox } from "@/lib/core/layout/scene/canvas-box";
import { boundsOfAll, boxOf } from "../scene/notes";
import { openView } from "./open-view";
import { toFittingViewport, toFreeArea } from "./opening-view";

/** No motion for users who prefer reduced motion. */
export const cameraDuration = (): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 150);

type FlowStore = ReturnType<typeof useStoreApi>;

/** Animated changes of what the view shows. Those that bring the flow into view wait for the next frame. */
export function createViewMoves(
  session: CanvasSession,
  flow: FlowStore,
  { setViewport }: Pick<ReturnType<typeof useReactFlow>, "setViewport">,
) {
  const { editor, camera } = session;
  let frame = 0;
  const nextFrame = (show: () => void): void => {
    cancelAnimationFrame(frame);
    // A pane that opens at the same time has its size one frame later.
    frame = requestAnimationFrame(() => {
      frame = 0;
      show();
    });
  };
  const showBox = (bounds: CanvasBox | null): void => {
    if (bounds)
      void setViewport(toFittingViewport(bounds, flow.getState(), editor.store.getState().arrangement), {
        duration: cameraDuration(),
      });
  };
  const boundsNow = (): CanvasBox | null => boundsOfAll(editor.store.getState());
  return {
    isPending: (): boolean => frame !== 0,
    stop: (): void => cancelAnimationFrame(frame),
    showAll: (): void =>
      nextFrame(() => {
        const { width, height } = flow.getState();
        editor.arrangeFor(toFreeArea({ width, height, leastScale: camera.leastScale() }));
        showBox(boundsNow());
      }),
    showNodes: (keys: readonly NodeKey[]): void =>
      nextFrame(() => {
        const state = editor.store.getState();
        showBox(boundsOf(keys.flatMap((key) => boxOf(state, key) ?? [])));
      }),
    showOpening: (): void => nextFrame(() => openView(session, flow, { duration: cameraDuration() })),
    /** Keeps the arrangement as long as the whole flow can be read in it. */
    showAfterEdit: (): void =>
      nextFrame(() => {
        const bounds = boundsNow();
        if (bounds && toFittingViewport(bounds, flow.getState()).zoom >= readableScale) showBox(bounds);
        else openView(session, flow, { duration: cameraDuration() });
      }),
  };
}
