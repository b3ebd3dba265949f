import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import type { NodeKey } from "@/lib/core/flow/keys";
import type { RunStatus } from "@/lib/core/run/events";
import type { RunState } from "@/lib/core/trace/run-state";

/** How one node of the canvas is doing in the run that is shown. */
export interface NodeStatus {
  status: RunStatus;
  simulated: boolean;
}

/** By node key, which is the path of the RunNode that ran there. Unchanged nodes keep their object. */
export type NodeStatuses = ReadonlyMap<NodeKey, NodeStatus>;

export const createNodeStatuses = (): StoreApi<NodeStatuses> => createStore<NodeStatuses>(() => new Map());

/** The statuses of a run's agents, groups and swarms, taking over from `previous` what did not change. */
export function toNodeStatuses(run: RunState | null, previous: NodeStatuses): NodeStatuses {
  const next = new Map<NodeKey, NodeStatus>();
  for (const { kind, path, status, simulated } of run?.nodes ?? []) {
    if (kind !== "agent" && kind !== "group" && kind !== "swarm") continue;
    const old = previous.get(path);
    next.set(path, old?.status === status && old.simulated === simulated ? old : { status, simulated });
  }
  const same = next.size === previous.size && [...next].every(([key, status]) => previous.get(key) === status);
  return same ? previous : next;
}

export const NodeStatusesContext = createContext<StoreApi<NodeStatuses>>(createNodeStatuses());

/** Re-renders only when this node's status changes. */
export const useNodeStatus = (key: NodeKey): NodeStatus | null =>
  useStore(useContext(NodeStatusesContext), (statuses) => statuses.get(key) ?? null);
