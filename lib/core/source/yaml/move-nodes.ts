import { isMap, isNode, isScalar, isSeq, type Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import type { YamlEntry } from "./yaml-nodes";

/** An entry of a text that begins at `by` of a longer one, with its places in the longer one. The first one stays as it is. */
export function moveEntry(entry: YamlEntry, distance: number): YamlEntry {
  const keyNode = moveScalar(entry.keyNode, distance);
  const value = entry.value && moveNode(entry.value, distance);
  return { key: entry.key, keyNode, value, pair: new Pair(keyNode, value) };
}

export function moveNode(node: Node, distance: number): Node {
  if (isScalar(node)) return moveScalar(node, distance);
  if (isMap(node)) {
    const items = node.items.map((pair) => new Pair(moveAny(pair.key, distance), moveAny(pair.value, distance)));
    return Object.assign(new YAMLMap(), node, { items, range: moveRange(node.range, distance) });
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => moveAny(item, distance));
    return Object.assign(new YAMLSeq(), node, { items, range: moveRange(node.range, distance) });
  }
  return node;
}

const moveScalar = (node: Scalar, distance: number): Scalar =>
  Object.assign(new Scalar(node.value), node, { range: moveRange(node.range, distance) });

const moveAny = (item: unknown, distance: number): unknown => (isNode(item) ? moveNode(item, distance) : item);

type NodeRange = [number, number, number];
const moveRange = (range: NodeRange | null | undefined, distance: number): NodeRange | null =>
  range ? [range[0] + distance, range[1] + distance, range[2] + distance] : null;
