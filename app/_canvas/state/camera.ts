import type { NodeKey } from "@/lib/core/flow/node-key";

export interface Camera {
  /** Brings these nodes, or the whole flow, into view. */
  fit(keys?: readonly NodeKey[]): void;
  /** Brings a node or note into view, at the current zoom. */
  reveal(key: NodeKey): void;
  showActualSize(): void;
  zoomBy(factor: number): void;
}

export type CameraPort = ReturnType<typeof createCameraPort>;

/** The camera of the mounted canvas; without one its calls have no effect: a canvas opens with the active node in view. */
export function createCameraPort() {
  let mounted: Camera | null = null;
  const camera: Camera = {
    fit: (keys) => mounted?.fit(keys),
    reveal: (key) => mounted?.reveal(key),
    showActualSize: () => mounted?.showActualSize(),
    zoomBy: (factor) => mounted?.zoomBy(factor),
  };
  return {
    ...camera,
    /** Returns the function that detaches the camera. */
    attach(target: Camera): () => void {
      mounted = target;
      return () => {
        if (mounted === target) mounted = null;
      };
    },
  };
}
