import { type NodeKey, parentKey } from "../flow/node-key";
import type { Arrangement } from "./arrange-flow";

/**
 * The names of everything that can have said something when `key` begins: what stands before it, or before a part
 * that holds it, with all that is inside. The nearest first.
 */
export function namesBefore({ nodes, edges }: Pick<Arrangement, "nodes" | "edges">, key: NodeKey): string[] {
  const start: NodeKey[] = [];
  for (let place = key; place !== ""; place = parentKey(place)) start.push(place);
  const holders = new Set(start);
  const before = new Map<NodeKey, NodeKey[]>();
  for (const { from, to } of edges) before.set(to, [...(before.get(to) ?? []), from]);
  const reached = new Set<NodeKey>();
  for (const waiting = [...start]; waiting.length > 0; ) {
    const next = waiting.shift() ?? "";
    for (const one of before.get(next) ?? []) {
      if (reached.has(one) || holders.has(one)) continue;
      reached.add(one);
      waiting.push(one);
    }
  }
  const names = [...reached].flatMap((place) =>
    nodes.flatMap((node) => (node.key === place || node.key.startsWith(`${place}/`) ? [node.name] : [])),
  );
  return [...new Set(names)];
}
