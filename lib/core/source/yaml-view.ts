import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Range } from "../flow/text";

/** One `key: value` of a mapping, aliases resolved. */
export interface Entry {
  key: string;
  keyNode: Scalar;
  value: Node | null;
  pair: Pair;
}

/** The entries of a mapping whose keys are plain names; the first of equal keys wins. Null: `node` is no mapping. */
export function readEntries(node: unknown, document: Document): Entry[] | null {
  const map = resolve(node, document);
  if (!isMap(map)) return null;
  const seen = new Set<string>();
  return map.items.flatMap((pair): Entry[] => {
    if (!isPair(pair) || !isScalar(pair.key)) return [];
    const key = String(pair.key.value ?? "");
    if (seen.has(key)) return [];
    seen.add(key);
    return [{ key, keyNode: pair.key, value: resolve(pair.value, document), pair }];
  });
}

/** The items of a list, aliases resolved. Null: `node` is no list. */
export function readItems(node: unknown, document: Document): (Node | null)[] | null {
  const list = resolve(node, document);
  return isSeq(list) ? list.items.map((item) => resolve(item, document)) : null;
}

/** Following an alias walks the whole document, so a file gets only so many. */
const mostAliases = 1000;
const aliasesFollowed = new WeakMap<Document, number>();

/** The node itself, or what an alias stands for; null for nothing, and for aliases that lead nowhere or in circles. */
export function resolve(node: unknown, document: Document): Node | null {
  let found = node;
  for (let i = 0; isAlias(found); i++) {
    const followed = aliasesFollowed.get(document) ?? 0;
    if (i > 8 || followed >= mostAliases) return null;
    aliasesFollowed.set(document, followed + 1);
    found = found.resolve(document);
  }
  return isScalar(found) || isMap(found) || isSeq(found) ? found : null;
}

export const isBlank = (node: Node | null): boolean => node === null || (isScalar(node) && node.value === null);

/** The text of a scalar, numbers and booleans as they are written; null for anything else. */
export function readText(node: Node | null): string | null {
  if (!isScalar(node) || node.value === null || node.value === undefined) return null;
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

/** Where the content of a node stands; block scalars and collections end before their last line break. */
export function rangeOfNode(node: Node | Pair | null | undefined, text: string): Range | undefined {
  if (!node) return undefined;
  if (isPair(node)) {
    const key = isScalar(node.key) ? rangeOfNode(node.key, text) : undefined;
    const value =
      isScalar(node.value) || isMap(node.value) || isSeq(node.value) ? rangeOfNode(node.value, text) : undefined;
    return key && { from: key.from, to: Math.max(key.to, value?.to ?? 0) };
  }
  if (!node.range) return undefined;
  const [from, end] = node.range;
  let to = Math.max(from, end);
  while (to > from && /[\r\n \t]/.test(text[to - 1] ?? "")) to--;
  return { from, to };
}

export type Collection = YAMLMap | YAMLSeq;
export { isMap, isScalar, isSeq };
