import { useReactFlow, useStoreApi } from "@xyflow/react";
import type { MouseEvent as ReactMouseEvent, PointerEvent as ReactPointerEvent } from "react";
import type { StoreApi } from "zustand/vanilla";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { CanvasPoint } from "@/lib/core/layout/scene/canvas-box";
import { sceneOf } from "@/lib/core/layout/scene/scene";
import { findNoteAt } from "../scene/notes";
import type { PointerOverlay } from "./overlay";
import { cameraDuration } from "./view-moves";

/** Pixels on screen that a pointer moves before a click becomes a drag. */
const dragThreshold = 4;
/** In canvas pixels, and the minimum in screen pixels. */
const header = { height: 36, onScreen: 20 };
const zoomStep = 2.5;

interface OverviewActions {
  click(key: NodeKey | null, adds: boolean): void;
  /** Without it a press is only a click. */
  hold?(key: NodeKey | null): PointerGesture;
}

export function useOverviewGestures(overlay: StoreApi<PointerOverlay>, { click, hold }: OverviewActions) {
  const session = useCanvasSession();
  const flow = useStoreApi();
  const { screenToFlowPosition, setViewport } = useReactFlow();
  const findAt = (event: { clientX: number; clientY: number }) => {
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY });
    const { arrangement, layout } = session.editor.store.getState();
    const headerHeight = Math.max(header.height, header.onScreen / flow.getState().transform[2]);
    return sceneOf(arrangement).findAt(x, y, headerHeight) ?? findNoteAt(layout.notes, x, y);
  };

  return {
    /** What the overview shows under the pointer. */
    keyAt: (event: { clientX: number; clientY: number }): NodeKey | null => findAt(event)?.key ?? null,
    /** True when the overview handles the press. */
    press(event: ReactPointerEvent<HTMLDivElement>): boolean {
      const pane = findPane(event);
      if (!pane || !session.canvas.getState().overview || event.button !== 0 || !event.isPrimary) return false;
      const key = findAt(event)?.key ?? null;
      const pans = event.pointerType === "touch" || pane.classList.contains("draggable");
      followPointer(event.nativeEvent, pane, {
        start: screenToFlowPosition({ x: event.clientX, y: event.clientY }),
        toCanvas: (pointer) => screenToFlowPosition({ x: pointer.clientX, y: pointer.clientY }, { snapToGrid: false }),
        gesture: hold && !pans ? hold(key) : onlyClick((adds) => click(key, adds)),
      });
      return !pans;
    },
    point(event: ReactPointerEvent<HTMLDivElement>): void {
      const looks = session.canvas.getState().overview && event.buttons === 0 && event.pointerType !== "touch";
      const hover = looks && findPane(event) ? (findAt(event)?.key ?? null) : null;
      if (overlay.getState().hover !== hover) overlay.setState({ hover });
    },
    leave: (): void => overlay.setState({ hover: null }),
    zoomIn(event: ReactMouseEvent<HTMLDivElement>): void {
      if (!session.canvas.getState().overview || !findPane(event)) return;
      const node = findAt(event);
      if (node) {
        session.camera.fit([node.key]);
        return;
      }
      const { transform, maxZoom } = flow.getState();
      const [x, y, zoom] = transform;
      const nextZoom = Math.min(zoom * zoomStep, maxZoom);
      // The point below the pointer stays where it is.
      const fixed = screenToFlowPosition({ x: event.clientX, y: event.clientY }, { snapToGrid: false });
      const next = { x: x + fixed.x * (zoom - nextZoom), y: y + fixed.y * (zoom - nextZoom), zoom: nextZoom };
      void setViewport(next, { duration: cameraDuration() });
    },
  };
}

const findPane = ({ target }: { target: EventTarget }): HTMLElement | null =>
  target instanceof HTMLElement && target.classList.contains("react-flow__pane") ? target : null;

export interface PointerGesture {
  click(adds: boolean): void;
  /** In canvas pixels, from where the pointer went down. */
  drag(start: CanvasPoint, now: CanvasPoint): void;
  drop(start: CanvasPoint, now: CanvasPoint, adds: boolean): void;
  cancel(): void;
}

interface PressedPointer {
  start: CanvasPoint;
  toCanvas(event: PointerEvent): CanvasPoint;
  gesture: PointerGesture;
}

function followPointer(press: PointerEvent, pane: HTMLElement, { start, toCanvas, gesture }: PressedPointer): void {
  let moved = false;
  const ended = new AbortController();
  const adds = (event: PointerEvent): boolean => event.shiftKey || event.ctrlKey || event.metaKey;
  const on = (type: "pointermove" | "pointerup" | "pointercancel", act: (event: PointerEvent) => void): void =>
    window.addEventListener(type, (event) => event.pointerId === press.pointerId && act(event), {
      signal: ended.signal,
    });
  pane.setPointerCapture(press.pointerId);
  on("pointermove", (event) => {
    moved ||= Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) > dragThreshold;
    if (moved) gesture.drag(start, toCanvas(event));
  });
  on("pointerup", (event) => {
    ended.abort();
    if (moved) gesture.drop(start, toCanvas(event), adds(event));
    else gesture.click(adds(event));
  });
  on("pointercancel", () => {
    ended.abort();
    gesture.cancel();
  });
}

/** A press that pans the view can only be a click. */
const onlyClick = (click: PointerGesture["click"]): PointerGesture => ({ click, drag() {}, drop() {}, cancel() {} });
