import type { NodeKey } from "@/lib/core/flow/node-key";

export interface Camera {
  /** Brings these nodes, or the whole flow, into view. */
  fit(keys?: readonly NodeKey[]): void;
  /** Brings a node or note into view, at the current zoom. */
  reveal(key: NodeKey): void;
  showActualSize(): void;
  zoomBy(factor: number): void;
}

/** The camera of the mounted canvas; without one its calls have no effect: a canvas opens with the active node in view. */
export interface CameraPort extends Camera {
  /** Returns the function that detaches the camera. */
  attach(camera: Camera): () => void;
}

export function createCameraPort(): CameraPort {
  let mounted: Camera | null = null;
  return {
    fit: (keys) => mounted?.fit(keys),
    reveal: (key) => mounted?.reveal(key),
    showActualSize: () => mounted?.showActualSize(),
    zoomBy: (factor) => mounted?.zoomBy(factor),
    attach(camera) {
      mounted = camera;
      return () => {
        if (mounted === camera) mounted = null;
      };
    },
  };
}
