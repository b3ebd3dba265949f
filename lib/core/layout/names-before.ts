import { groupBy } from "../flow/group-by";
import { type NodeKey, parentKey } from "../flow/node-key";
import type { Arrangement } from "./arrange-flow";

/**
 * The names of the nodes that can have an output when `key` begins: its predecessors and those of its ancestors, each with
 * its content. The nearest first.
 */
export function namesBefore({ nodes, edges }: Pick<Arrangement, "nodes" | "edges">, key: NodeKey): string[] {
  const ancestors = new Set<NodeKey>();
  for (let ancestor = key; ancestor !== ""; ancestor = parentKey(ancestor)) ancestors.add(ancestor);
  const incoming = groupBy(edges, ({ to }) => to);
  const reached = new Set<NodeKey>();
  const visit = (target: NodeKey): void => {
    for (const edge of incoming.get(target) ?? []) if (!ancestors.has(edge.from)) reached.add(edge.from);
  };
  for (const ancestor of ancestors) visit(ancestor);
  // The set grows while it is walked: breadth first.
  for (const predecessor of reached) visit(predecessor);
  const names = [...reached].flatMap((reachedKey) =>
    nodes.flatMap((node) => (node.key === reachedKey || node.key.startsWith(`${reachedKey}/`) ? [node.name] : [])),
  );
  return [...new Set(names)];
}
