import { isMap, isNode, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { YamlEntry } from "./yaml-nodes";

/** An entry of a text that begins at `by` of a longer one, with its places in the longer one. The first one stays as it is. */
export function moveEntry(entry: YamlEntry, by: number): YamlEntry {
  const keyNode = moveScalar(entry.keyNode, by);
  const value = entry.value && moveNode(entry.value, by);
  return { key: entry.key, keyNode, value, pair: new Pair(keyNode, value) };
}

export function moveNode(node: Node, by: number): Node {
  if (isScalar(node)) return moveScalar(node, by);
  if (isMap(node)) {
    const items = node.items.map((pair) => new Pair(moveAny(pair.key, by), moveAny(pair.value, by)));
    return Object.assign(new YAMLMap(), node, { items, range: moveRange(node.range, by) });
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => moveAny(item, by));
    return Object.assign(new YAMLSeq(), node, { items, range: moveRange(node.range, by) });
  }
  return node;
}

const moveScalar = (node: Scalar, by: number): Scalar =>
  Object.assign(new Scalar(node.value), node, { range: moveRange(node.range, by) });

const moveAny = (item: unknown, by: number): unknown => (isNode(item) ? moveNode(item, by) : item);

type NodeRange = [number, number, number];
const moveRange = (range: NodeRange | null | undefined, by: number): NodeRange | null =>
  range ? [range[0] + by, range[1] + by, range[2] + by] : null;
