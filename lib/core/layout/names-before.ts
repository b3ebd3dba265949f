import { type NodeKey, parentKey } from "../flow/node-key";
import type { Arrangement } from "./arrange-flow";

/**
 * The names of the nodes that can have an output when `key` begins: its predecessors and those of its ancestors, each with
 * its content. The nearest first.
 */
export function namesBefore({ nodes, edges }: Pick<Arrangement, "nodes" | "edges">, key: NodeKey): string[] {
  const startKeys: NodeKey[] = [];
  for (let ancestor = key; ancestor !== ""; ancestor = parentKey(ancestor)) startKeys.push(ancestor);
  const ancestors = new Set(startKeys);
  const predecessors = new Map<NodeKey, NodeKey[]>();
  for (const { from: source, to: target } of edges)
    predecessors.set(target, [...(predecessors.get(target) ?? []), source]);
  const reached = new Set<NodeKey>();
  for (const pending = [...startKeys]; pending.length > 0; ) {
    const next = pending.shift() ?? "";
    for (const predecessor of predecessors.get(next) ?? []) {
      if (reached.has(predecessor) || ancestors.has(predecessor)) continue;
      reached.add(predecessor);
      pending.push(predecessor);
    }
  }
  const names = [...reached].flatMap((reachedKey) =>
    nodes.flatMap((node) => (node.key === reachedKey || node.key.startsWith(`${reachedKey}/`) ? [node.name] : [])),
  );
  return [...new Set(names)];
}
