import type { OutlineNode } from "@/lib/core/layout/outline";

const labels: ReadonlyMap<string, string> = new Map([
  ["agent", "Agent"],
  ["unknown", "Unknown"],
  ["parallel", "Parallel group"],
  ["serial", "Serial group"],
  ["workflow", "Swarm"],
  ["handoff", "Handoff swarm"],
  ["team", "Team swarm"],
  ["orchestrate", "Orchestrating swarm"],
  ["branch", "Branch"],
  ["router", "Router"],
  ["loop", "Loop"],
  ["approval", "Approval"],
]);

/** What a kind of node, group or swarm is called for people. */
export const labelOf = (type: string): string => labels.get(type) ?? "Group";

/** `Parallel group`, `Agent`: what a node is. */
export const kindOf = ({ type: kind, groupMode: groupType, swarmMode: swarmType }: OutlineNode): string =>
  labelOf(groupType ?? swarmType ?? kind);
