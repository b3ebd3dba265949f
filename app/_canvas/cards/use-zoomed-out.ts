import { type ReactFlowState, useStore } from "@xyflow/react";

export const zoomedOutBelow = 0.35;

const isZoomedOut = ({ transform }: ReactFlowState): boolean => transform[2] < zoomedOutBelow;

/** Re-renders at the threshold only. */
export const useIsZoomedOut = (): boolean => useStore(isZoomedOut);
