import { type ReactFlowState, useStore } from "@xyflow/react";

/** Below this zoom only names matter. */
export const zoomedOutBelow = 0.35;

const isZoomedOut = ({ transform }: ReactFlowState): boolean => transform[2] < zoomedOutBelow;

/** Whether the view is so far away that details would not be read; re-renders at the threshold only. */
export const useIsZoomedOut = (): boolean => useStore(isZoomedOut);
