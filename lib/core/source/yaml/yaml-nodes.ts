import {
  type Alias,
  Document,
  isAlias,
  isDocument,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type Scalar,
  visit,
} from "yaml";
import type { TextRange } from "../../flow/text-range";

/** The contents of a YAML text, and its syntax errors. */
export type YamlContents = Pick<Document, "contents" | "errors">;

/** The document of a text without aliases: it resolves none. */
export const withoutAliases = new Document();

/** The document that resolves the aliases of `yaml`. */
export const documentOf = (yaml: YamlContents): Document => (isDocument(yaml) ? yaml : withoutAliases);

/** One `key: value` of a mapping, aliases resolved. */
export interface YamlEntry {
  key: string;
  keyNode: Scalar;
  value: Node | null;
  pair: Pair;
}

/** The entry of a pair; null: its key is no plain name. */
export function toEntry(pair: Pair, document: YamlContents): YamlEntry | null {
  if (!isScalar(pair.key)) return null;
  return { key: String(pair.key.value ?? ""), keyNode: pair.key, value: resolve(pair.value, document), pair };
}

/** The entries of a mapping by key; the first of equal keys wins. Null: `node` is no mapping. */
export function readEntries(node: unknown, document: YamlContents): Map<string, YamlEntry> | null {
  const map = resolve(node, document);
  if (!isMap(map)) return null;
  const entries = new Map<string, YamlEntry>();
  for (const pair of map.items) {
    const entry = toEntry(pair, document);
    if (entry && !entries.has(entry.key)) entries.set(entry.key, entry);
  }
  return entries;
}

/** The items of a list, aliases resolved. Null: `node` is no list. */
export function readItems(node: unknown, document: YamlContents): (Node | null)[] | null {
  const list = resolve(node, document);
  return isSeq(list) ? list.items.map((item) => resolve(item, document)) : null;
}

/** Found in one walk of each document. */
const aliasTargetCache = new WeakMap<YamlContents, ReadonlyMap<Alias, Node | null>>();

/** What every alias of a document repeats, in the order of the text; null: nothing has its anchor. */
export function aliasTargets(document: YamlContents): ReadonlyMap<Alias, Node | null> {
  const cachedTargets = aliasTargetCache.get(document);
  if (cachedTargets) return cachedTargets;
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node | null>();
  visit(document.contents, {
    Node: (_, node) => {
      if (isAlias(node)) targets.set(node, anchors.get(node.source) ?? null);
      else if (node.anchor) anchors.set(node.anchor, node);
    },
  });
  aliasTargetCache.set(document, targets);
  return targets;
}

export const findUnknownAliases = (document: YamlContents): Alias[] =>
  [...aliasTargets(document)].flatMap(([alias, node]) => (node ? [] : [alias]));

/** The node itself, or the target of an alias; null for nothing. */
export function resolve(node: unknown, document: YamlContents): Node | null {
  const resolved = isAlias(node) ? aliasTargets(document).get(node) : node;
  return isScalar(resolved) || isMap(resolved) || isSeq(resolved) ? resolved : null;
}

export const isBlank = (node: Node | null): boolean => node === null || (isScalar(node) && node.value === null);

/** The text of a scalar, numbers and booleans as they are written; null for anything else. */
export function readText(node: Node | null): string | null {
  if (!isScalar(node) || node.value === null || node.value === undefined) return null;
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

/**
 * The range of the content of a node. Block scalars end before their final line break, with every space that is
 * part of them; collections where their last entry ends.
 */
export function rangeOfNode(node: Node | Pair | null | undefined, text: string): TextRange | undefined {
  if (!node) return undefined;
  if (isPair(node)) {
    const key = isScalar(node.key) ? rangeOfNode(node.key, text) : undefined;
    const value = isNode(node.value) ? rangeOfNode(node.value, text) : undefined;
    return key && { from: key.from, to: Math.max(key.to, value?.to ?? 0) };
  }
  if (!node.range) return undefined;
  const [start, end] = node.range;
  const last = lastOfBlock(node);
  if (last) return { from: start, to: Math.max(start, rangeOfNode(last, text)?.to ?? 0) };
  let contentEnd = Math.max(start, end);
  while (contentEnd > start && /[\r\n \t]/.test(text[contentEnd - 1] ?? "")) contentEnd--;
  return { from: start, to: Math.max(contentEnd, endOfBlock(node, text)) };
}

/** The last entry or item of a block collection; comments may follow it that are in the range of the collection. */
function lastOfBlock(node: Node): Node | Pair | null {
  const last: unknown = (isMap(node) || isSeq(node)) && !node.flow ? node.items.at(-1) : null;
  if (isPair(last)) return isScalar(last.key) && last.key.range ? last : null;
  return isNode(last) && last.range ? last : null;
}

/** Where a block scalar ends; 0 for everything else. */
function endOfBlock(last: Node, text: string): number {
  if (!isScalar(last) || !last.range || (last.type !== "BLOCK_LITERAL" && last.type !== "BLOCK_FOLDED")) return 0;
  const [start, end] = last.range;
  const source = text.slice(start, end);
  // `+` keeps the empty lines at the end.
  const lastLine = endOfMarginLines(text, end, source);
  if (lastLine !== null) return lastLine;
  const trailingBreaks = /^.[0-9]*\+/.test(source) ? /\r?\n$/ : /[\r\n]+$/;
  return end - (trailingBreaks.exec(source)?.[0].length ?? 0);
}

/** The end of the empty lines after a block that are indented as it is: typed at its end, and in no value. Null: none. */
function endOfMarginLines(text: string, end: number, block: string): number | null {
  const margin = /\n( *)[^\s]/.exec(block)?.[1]?.length ?? 0;
  if (margin === 0 || text[end - 1] !== "\n") return null;
  const rows = new RegExp(`(?:[ \\t]*\\r?\\n)* {${margin}}[ \\t]*(?=\\r?\\n|$)`, "y");
  rows.lastIndex = end;
  const found = rows.exec(text);
  return found ? end + found[0].length : null;
}

/** Whether `offset` is inside `{…}` or `[…]`. */
export function isInFlow({ contents }: YamlContents, offset: number): boolean {
  let node: unknown = contents;
  while (isMap(node) || isSeq(node)) {
    if (node.flow) return true;
    const values: unknown[] = node.items.map((item) => (isPair(item) ? item.value : item));
    node = values.find(
      (candidate) =>
        isNode(candidate) && candidate.range && candidate.range[0] <= offset && offset < candidate.range[2],
    );
  }
  return false;
}
