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

/** Why a node has not begun. */
export function useWaitingHint(key: NodeKey): string {
  const { editor, statuses } = useCanvasSession();
  return useStore(statuses, (current) => describeWaiting(editor.store.getState().arrangement, current, key));
}
