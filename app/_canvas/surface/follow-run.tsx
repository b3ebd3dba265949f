import { useReactFlow, useStoreApi } from "@xyflow/react";
import { Scan } from "lucide-react";
import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import { findRunning, isLiveRun, toFollowingView } from "../scene/follow-view";

/** Longer than other moves of the view: it explains where the run went. */
const followMs = 240;
/** Pixels that a pressed card is moved before that is a drag. */
const dragThreshold = 4;

/** While a run goes on, keeps its running steps in view, until the user moves the view. */
export function FollowRun() {
  const { statuses } = useCanvasSession();
  return useStore(statuses, isLiveRun) && <FollowButton />;
}

function FollowButton() {
  const [isFollowing, setIsFollowing] = useState(true);
  useFollowing(isFollowing);
  useTouch(() => setIsFollowing(false));
  return (
    <div data-follow className="absolute top-3 left-3 z-10 rounded-lg border border-line-strong bg-surface-raised p-1">
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

function useFollowing(isFollowing: boolean): void {
  const { statuses, editor } = useCanvasSession();
  const { setViewport } = useReactFlow();
  const flow = useStoreApi();
  useEffect(() => {
    if (!isFollowing) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      timer = undefined;
      const { width, height, transform } = flow.getState();
      const [x, y, zoom] = transform;
      const running = findRunning(statuses.getState(), indexNodes(editor.store.getState().arrangement));
      const next = width > 0 && height > 0 ? toFollowingView(running, { x, y, zoom, width, height }) : null;
      if (!next) return;
      const duration = matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : followMs;
      void setViewport({ ...next, zoom }, { duration });
      // Steps that begin during the move are looked for after it.
      timer = setTimeout(follow, followMs + 40);
    };
    const followSoon = (): void => {
      timer ??= setTimeout(follow, 40);
    };
    followSoon();
    const stopStatuses = statuses.subscribe(followSoon);
    const stopSize = flow.subscribe((now, before) => {
      if (now.width !== before.width || now.height !== before.height) followSoon();
    });
    return () => {
      clearTimeout(timer);
      stopStatuses();
      stopSize();
    };
  }, [isFollowing, statuses, editor, flow, setViewport]);
}

/** The user moves the view by any means, presses the empty canvas, or drags a card. */
function useTouch(onTouch: () => void): void {
  const { camera } = useCanvasSession();
  const flow = useStoreApi();
  useEffect(() => camera.onUserMove(onTouch));
  useEffect(() => {
    const canvas = flow.getState().domNode;
    if (!canvas) return;
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
  });
}
