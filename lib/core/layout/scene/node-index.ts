import type { NodeKey } from "../../flow/node-key";
import type { ArrangedNode, Arrangement } from "../arrange-flow";

export type NodeIndex = ReadonlyMap<NodeKey, ArrangedNode>;

/** Made once for each arrangement: every gesture, the toolbar and the picture ask for it. */
export function indexNodes(arrangement: Arrangement): NodeIndex {
  const cachedIndex = indexes.get(arrangement);
  if (cachedIndex) return cachedIndex;
  const index = new Map(arrangement.nodes.map((node) => [node.key, node]));
  indexes.set(arrangement, index);
  return index;
}

const indexes = new WeakMap<Arrangement, NodeIndex>();

/** The first node of a name: one that is used in several places has a key for each. */
export const findNodeByName = ({ nodes }: Arrangement, name: string): ArrangedNode | undefined =>
  nodes.find((node) => node.name === name);

/** The frames around a node, the outermost first, and the node; empty when there is no such node. */
export function lineageOf(nodes: NodeIndex, key: NodeKey): ArrangedNode[] {
  const lineage: ArrangedNode[] = [];
  for (let node = nodes.get(key); node; node = nodes.get(node.parent ?? "")) lineage.unshift(node);
  return lineage;
}
