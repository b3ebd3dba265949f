import { useReactFlow, useStoreApi } from "@xyflow/react";
import { type RefObject, useEffect } from "react";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import type { NodeKey } from "@/lib/core/flow/node-key";
import { reducedScale } from "@/lib/core/layout/choose-arrangement";
import { type CanvasBox, isInView } from "@/lib/core/layout/scene/canvas-box";
import { boundsOfAll, boxOf } from "../scene/notes";
import { cameraDuration, createViewMoves } from "./view-moves";

/**
 * A flow that was completely visible stays so when it grows, and in the middle until a user moves the view; otherwise the
 * edited node comes into view.
 */
export function useCamera(box: RefObject<HTMLDivElement | null>): void {
  const session = useCanvasSession();
  const { setCenter, getViewport, setViewport, zoomTo } = useReactFlow();
  const flow = useStoreApi();

  useEffect(() => {
    const { camera, editor } = session;
    const moves = createViewMoves(session, flow, { setViewport });
    const stopEditor = editor.store.subscribe((state, before) => {
      const area = box.current?.getBoundingClientRect();
      if (!area || state.flow === before.flow) return;
      const [previousBounds, bounds] = [boundsOfAll(before), boundsOfAll(state)];
      if (!bounds || isSameBox(bounds, previousBounds)) return;
      const wasWhole = previousBounds === null || isInView(previousBounds, getViewport(), area);
      if (!wasWhole) return;
      if (camera.isAutomatic()) moves.showAfterEdit();
      else if (!isInView(bounds, getViewport(), area)) moves.showAll();
    });
    const moveForUser = (move: () => void): void => {
      camera.reportUserMove();
      move();
    };
    const reveal = (key: NodeKey, leastZoom: number): void => {
      const node = boxOf(editor.store.getState(), key);
      const area = box.current?.getBoundingClientRect();
      const { zoom } = getViewport();
      const isShown = area && node && isInView(node, getViewport(), area) && zoom >= leastZoom;
      if (!node || !area || moves.isPending() || isShown) return;
      const [x, y] = [node.x + node.width / 2, node.y + node.height / 2];
      moveForUser(() => void setCenter(x, y, { zoom: Math.max(zoom, leastZoom), duration: cameraDuration() }));
    };
    const detach = camera.attach({
      open() {
        camera.setAutomatic(true);
        moves.showOpening();
      },
      fit(keys) {
        camera.reportUserMove();
        camera.setAutomatic(keys === undefined);
        if (keys) moves.showNodes(keys);
        else moves.showAll();
      },
      reveal: (key) => reveal(key, 0),
      find: (key) => reveal(key, reducedScale),
      showActualSize: () => moveForUser(() => void zoomTo(1, { duration: cameraDuration() })),
      zoomBy: (factor) => moveForUser(() => void zoomTo(getViewport().zoom * factor, { duration: cameraDuration() })),
    });
    return () => {
      stopEditor();
      detach();
      moves.stop();
    };
  }, [session, box, flow, getViewport, setCenter, setViewport, zoomTo]);
}

const isSameBox = (a: CanvasBox, b: CanvasBox | null): boolean =>
  a.x === b?.x && a.y === b.y && a.width === b.width && a.height === b.height;
