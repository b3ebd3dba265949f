import type { useStoreApi } from "@xyflow/react";
import type { CanvasSession } from "@/app/_canvas/state/canvas-session";
import { boundsOfAll, boxOf } from "../scene/notes";
import { activeKey } from "../state/active-node";
import { toFreeArea, toOpeningViewport, toViewportShowing } from "./opening-view";

interface OpeningOptions {
  isFirst?: boolean;
  /** In milliseconds. */
  duration?: number;
}

/** Arranges the flow for the size of the view, and shows it, or its beginning, with the active node in view. */
export function openView(
  session: CanvasSession,
  flow: ReturnType<typeof useStoreApi>,
  { isFirst = false, duration = 0 }: OpeningOptions,
): void {
  const { panZoom, width, height, minZoom } = flow.getState();
  const area = { width, height, minZoom, leastScale: session.camera.leastScale() };
  session.editor.arrangeFor(toFreeArea(area), isFirst);
  const state = session.editor.store.getState();
  const bounds = boundsOfAll(state);
  if (!bounds || !panZoom) return;
  const opening = toOpeningViewport(bounds, area, state.arrangement);
  const active = boxOf(state, activeKey(session) ?? "");
  void panZoom.setViewport(active ? toViewportShowing(active, opening, area) : opening, { duration });
}
