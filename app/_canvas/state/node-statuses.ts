import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NodeStatus, NodeStatuses } from "@/lib/core/trace/model/node-statuses";
import { useCanvasSession } from "./canvas-session";
import { describeWaiting } from "./waiting-hint";

export const createNodeStatuses = (): StoreApi<NodeStatuses> => createStore<NodeStatuses>(() => new Map());

/** Re-renders only when this node's status changes. */
export const useNodeStatus = (key: NodeKey): NodeStatus | null =>
  useStore(useCanvasSession().statuses, (statuses) => statuses.get(key) ?? null);

/** Whether the canvas shows a run. */
export const useHasRun = (): boolean => useStore(useCanvasSession().statuses, (statuses) => statuses.size > 0);

/** Each moving mark costs its style in every frame of a page that changes, and a screen full of them tells nothing. */
const mostMovingMarks = 12;

/** Whether so many nodes run that their marks do not move. */
export const useManyRunning = (): boolean => useStore(useCanvasSession().statuses, hasManyRunning);

function hasManyRunning(statuses: NodeStatuses): boolean {
  let running = 0;
  for (const { status } of statuses.values()) if (status === "RUNNING" && ++running > mostMovingMarks) return true;
  return false;
}

/** Why a node has not begun. */
export function useWaitingHint(key: NodeKey): string {
  const { editor, statuses } = useCanvasSession();
  return useStore(statuses, (current) => describeWaiting(editor.store.getState().arrangement, current, key));
}
