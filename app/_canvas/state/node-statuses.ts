import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { useCanvasSession } from "@/app/_canvas/state/canvas-session";
import type { NodeKey } from "@/lib/core/flow/node-key";
import type { NodeStatus, NodeStatuses } from "@/lib/core/trace/node-statuses";

export const createNodeStatuses = (): StoreApi<NodeStatuses> => createStore<NodeStatuses>(() => new Map());

/** Re-renders only when this node's status changes. */
export const useNodeStatus = (key: NodeKey): NodeStatus | null =>
  useStore(useCanvasSession().statuses, (statuses) => statuses.get(key) ?? null);
