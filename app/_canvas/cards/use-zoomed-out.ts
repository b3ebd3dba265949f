import { type ReactFlowState, useStore } from "@xyflow/react";

/** Below this zoom only names matter. */
export const farZoom = 0.35;

const isFar = ({ transform }: ReactFlowState): boolean => transform[2] < farZoom;

/** Whether the view is so far away that details would not be read; re-renders at the threshold only. */
export const useFar = (): boolean => useStore(isFar);
