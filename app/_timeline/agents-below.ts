import type { RunNode, RunState } from "@/lib/core/trace/run-state";

/** The agents that stand below the node `id`, however deep, in order of starting. Nodes come after their parents. */
export function agentsBelow(state: RunState, id: number): RunNode[] {
  const below = new Set([id]);
  return state.nodes.filter((node) => {
    if (node.parent === undefined || !below.has(node.parent)) return false;
    below.add(node.id);
    return node.kind === "agent";
  });
}
