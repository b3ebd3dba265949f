import type { NodeKey } from "@/lib/core/flow/node-key";
import { reducedScale } from "@/lib/core/layout/choose-arrangement";

export const zoomStep = 1.25;

export interface Camera {
  /** Shows the flow as it is shown when the canvas opens: at a readable scale, from its beginning where it is larger. */
  open(): void;
  /** Brings these nodes, or the whole flow, into view. */
  fit(keys?: readonly NodeKey[]): void;
  /** Brings a node or note into view, at the current zoom. */
  reveal(key: NodeKey): void;
  /** The same, at a scale at which it can be read: of a large flow that is seen whole a found node is a dot. */
  find(key: NodeKey): void;
  showActualSize(): void;
  zoomBy(factor: number): void;
}

export type CameraPort = ReturnType<typeof createCameraPort>;

/** The camera of the mounted canvas; without one its calls have no effect: a canvas opens with the active node in view. */
export function createCameraPort() {
  let mounted: Camera | null = null;
  let isAutomatic = true;
  let isReduced = false;
  const userMoveListeners = new Set<() => void>();
  const camera: Camera = {
    open: () => mounted?.open(),
    fit: (keys) => mounted?.fit(keys),
    reveal: (key) => mounted?.reveal(key),
    find: (key) => mounted?.find(key),
    showActualSize: () => mounted?.showActualSize(),
    zoomBy: (factor) => mounted?.zoomBy(factor),
  };
  return {
    ...camera,
    /**
     * Whether the view follows the flow and the size of the window: until a user moves it, and again from `open` or from
     * `fit` without nodes on.
     */
    isAutomatic: () => isAutomatic,
    setAutomatic(value: boolean): void {
      isAutomatic = value;
    },
    /** Of a flow that is seen whole: lower while a panel takes room from the canvas. Undefined: the readable scale. */
    leastScale: (): number | undefined => (isReduced ? reducedScale : undefined),
    setReduced(value: boolean): void {
      isReduced = value;
    },
    /** A user moved the view, with the pointer, a key or a button. */
    reportUserMove(): void {
      isAutomatic = false;
      for (const listener of userMoveListeners) listener();
    },
    /** Returns the function that unsubscribes. */
    onUserMove(listener: () => void): () => void {
      userMoveListeners.add(listener);
      return () => userMoveListeners.delete(listener);
    },
    /** Returns the function that detaches the camera. */
    attach(target: Camera): () => void {
      mounted = target;
      return () => {
        if (mounted === target) mounted = null;
      };
    },
  };
}
