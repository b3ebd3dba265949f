import { createContext, useContext } from "react";
import { useStore } from "zustand";
import { createStore, type StoreApi } from "zustand/vanilla";
import { keyOfPath, type NodeKey, nodeKey } from "@/lib/core/flow/keys";
import type { NodeKind, RunStatus } from "@/lib/core/run/events";
import type { RunNode, RunState } from "@/lib/core/trace/run-state";

/** How one node of the canvas is doing in the run that is shown. */
export interface NodeStatus {
  status: RunStatus;
  simulated: boolean;
  /** How often it ran; for a link, how often it was used. */
  runs: number;
}

/** By node key; handoffs by the key of their link. Unchanged ones keep their object. */
export type NodeStatuses = ReadonlyMap<NodeKey, NodeStatus>;

export const createNodeStatuses = (): StoreApi<NodeStatuses> => createStore<NodeStatuses>(() => new Map());

/** Kinds of RunNode that stand on the canvas. */
const drawn: ReadonlySet<NodeKind> = new Set(["agent", "group", "swarm", "branch", "router", "loop", "approval"]);

/** The statuses of what stands on the canvas, taking over from `previous` what did not change. What ran several times shows its last run. */
export function toNodeStatuses(run: RunState | null, previous: NodeStatuses): NodeStatuses {
  const next = new Map<NodeKey, NodeStatus>();
  for (const node of run?.nodes ?? []) {
    const key = drawn.has(node.kind) ? keyOfPath(node.path) : node.kind === "handoff" ? toLinkKey(node) : null;
    if (key === null) continue;
    const { status, simulated } = node;
    next.set(key, { status, simulated, runs: (next.get(key)?.runs ?? 0) + 1 });
  }
  for (const [key, { status, simulated, runs }] of next) {
    const old = previous.get(key);
    if (old?.status === status && old.simulated === simulated && old.runs === runs) next.set(key, old);
  }
  const same = next.size === previous.size && [...next].every(([key, status]) => previous.get(key) === status);
  return same ? previous : next;
}

/** The key of the link along which a handoff went. */
function toLinkKey({ path, metadata: { from, to } }: RunNode): string | null {
  if (typeof from !== "string" || typeof to !== "string") return null;
  const swarm = path.startsWith("/#") ? "" : keyOfPath(path);
  return `${nodeKey(swarm, from)}//${nodeKey(swarm, to)}`;
}

export const NodeStatusesContext = createContext<StoreApi<NodeStatuses>>(createNodeStatuses());

/** Re-renders only when this node's status changes. */
export const useNodeStatus = (key: NodeKey): NodeStatus | null =>
  useStore(useContext(NodeStatusesContext), (statuses) => statuses.get(key) ?? null);
