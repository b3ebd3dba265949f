import { groupBy } from "../flow/group-by";
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
  const incoming = groupBy(edges, ({ to }) => to);
  const reached = new Set<NodeKey>();
  const visit = (key: NodeKey): void => {
    for (const edge of incoming.get(key) ?? []) if (!ancestors.has(edge.from)) reached.add(edge.from);
  };
  for (const key of startKeys) visit(key);
  // A set that grows while it is walked: breadth first.
  for (const key of reached) visit(key);
  const names = [...reached].flatMap((reachedKey) =>
    nodes.flatMap((node) => (node.key === reachedKey || node.key.startsWith(`${reachedKey}/`) ? [node.name] : [])),
  );
  return [...new Set(names)];
}
