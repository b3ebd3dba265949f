import { useReactFlow, useStoreApi } from "@xyflow/react";
import { Scan } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import { isLiveRun } from "../scene/follow-view";
import { followMs, followSteps } from "./follow-steps";

/** Pixels that a pressed card is moved before that is a drag. */
const dragThreshold = 4;

/** While a run goes on, keeps its running steps in view, until the user moves the view. */
export function FollowRun() {
  const { statuses } = useCanvasSession();
  return useStore(statuses, isLiveRun) && <FollowButton />;
}

function FollowButton() {
  const [isFollowing, setIsFollowing] = useState(true);
  useFollowing(isFollowing, setIsFollowing);
  return (
    <div
      data-follow
      className="absolute top-3 left-3 z-10 rounded-lg border border-line-strong bg-surface-raised p-0.5 shadow-card"
    >
      <button
        type="button"
        aria-pressed={isFollowing}
        onClick={() => setIsFollowing(!isFollowing)}
        className="flex h-7 items-center gap-2 rounded-md px-2 font-medium text-xs hover:bg-surface-hover aria-pressed:bg-surface-hover"
      >
        <Scan size={14} aria-hidden />
        {isFollowing ? "Following the run" : "Follow the run"}
      </button>
    </div>
  );
}

function useFollowing(isFollowing: boolean, setIsFollowing: (isFollowing: boolean) => void): void {
  const { statuses, editor, camera } = useCanvasSession();
  const { setViewport } = useReactFlow();
  const view = useStoreApi();
  useEffect(() => {
    if (!isFollowing) return;
    const stopFollowing = followSteps({
      statuses,
      flow: editor.store,
      view,
      moveTo(viewport) {
        const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : followMs;
        void setViewport(viewport, { duration });
      },
    });
    const onTouch = (): void => {
      // At once: on a busy page a step could move the view back before React has processed the touch.
      stopFollowing();
      setIsFollowing(false);
    };
    const stopMoves = camera.onUserMove(onTouch);
    const canvas = view.getState().domNode;
    const stopTouches = canvas ? listenForTouches(canvas, onTouch) : undefined;
    return () => {
      stopFollowing();
      stopMoves();
      stopTouches?.();
    };
  }, [isFollowing, setIsFollowing, statuses, editor, camera, view, setViewport]);
}

/** The user turns the wheel, presses the empty canvas, or drags a card. Returns the function that ends it. */
function listenForTouches(canvas: HTMLElement, onTouch: () => void): () => void {
  let pressed: { x: number; y: number } | null = null;
  const stopped = new AbortController();
  const on = <Type extends "wheel" | "pointerdown" | "pointermove" | "pointerup">(
    type: Type,
    act: (event: HTMLElementEventMap[Type]) => void,
  ): void => canvas.addEventListener(type, act, { capture: true, passive: true, signal: stopped.signal });
  on("wheel", onTouch);
  on("pointerdown", ({ target, clientX, clientY }) => {
    const element = target instanceof Element ? target : null;
    if (element?.closest("[data-follow]")) return;
    if (element?.closest(".react-flow__node")) pressed = { x: clientX, y: clientY };
    else onTouch();
  });
  on("pointermove", ({ clientX, clientY }) => {
    if (pressed && Math.hypot(clientX - pressed.x, clientY - pressed.y) > dragThreshold) onTouch();
  });
  on("pointerup", () => {
    pressed = null;
  });
  return () => stopped.abort();
}
