import type { StoreApi } from "zustand/vanilla";
import { indexNodes } from "@/lib/core/layout/scene/node-index";
import type { NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { findRunning, toFollowingView } from "../scene/follow-view";
import type { FlowState } from "../state/flow-state";

/** Longer than other moves of the view: it explains where the run went. */
export const followMs = 240;
/** Steps that begin together cause one move. */
const collectMs = 40;

interface ShownView {
  width: number;
  height: number;
  transform: readonly [x: number, y: number, zoom: number];
}

type Observed<State> = Pick<StoreApi<State>, "getState" | "subscribe">;

export interface FollowedCanvas {
  statuses: Observed<NodeStatuses>;
  flow: Observed<Pick<FlowState, "arrangement">>;
  view: Observed<ShownView>;
  /** Moves the view within `followMs`. */
  moveTo(viewport: { x: number; y: number; zoom: number }): void;
}

/**
 * Keeps the running steps in view: when others begin, and when the cards or the view itself move for another reason.
 * Returns the function that ends it, after which nothing moves any more.
 */
export function followSteps({ statuses, flow, view, moveTo }: FollowedCanvas): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = (): void => {
    timer = undefined;
    const { width, height, transform } = view.getState();
    const [x, y, zoom] = transform;
    const running = findRunning(statuses.getState(), indexNodes(flow.getState().arrangement));
    const next = width > 0 && height > 0 ? toFollowingView(running, { x, y, zoom, width, height }) : null;
    if (!next) return;
    moveTo({ ...next, zoom });
    // Steps that begin during the move are looked for after it.
    timer = setTimeout(follow, followMs + collectMs);
  };
  const followSoon = (): void => {
    timer ??= setTimeout(follow, collectMs);
  };
  followSoon();
  const unsubscribes = [
    statuses.subscribe(followSoon),
    flow.subscribe((now, before) => {
      if (now.arrangement !== before.arrangement) followSoon();
    }),
    view.subscribe((now, before) => {
      if (now.width !== before.width || now.height !== before.height || now.transform !== before.transform)
        followSoon();
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const unsubscribe of unsubscribes) unsubscribe();
  };
}
