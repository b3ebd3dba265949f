import { isMap, isNode, isScalar, type Pair, type YAMLMap } from "yaml";
import type { TextChange, TextRange } from "../../flow/text-range";
import { type FieldTypes, isProse, limitTypes, swarmFieldTypes } from "../../kinds/field-types";
import { kindOf } from "../../kinds/registry";
import { duplicateKey } from "../read/entry-reader";
import type { SourceDocument } from "../read/source-document";
import { rangeOfPair, startOfPair } from "../yaml/pair-position";
import { isBlank, rangeOfNode, toEntry } from "../yaml/yaml-nodes";
import { type JoinRules, joinAll, joinSections } from "./join-sections";
import { toSharedStyle } from "./shared-style";
import { findSite } from "./text-site";

/** Two entries of a mapping with one key. */
interface Twins {
  map: YAMLMap;
  /** Both are texts that make sense one after the other. */
  areProse: boolean;
  first: Pair;
  second: Pair;
  areNeighbours: boolean;
}

/**
 * The change that mends the first section or field that a file has twice because two people added it. Two sections become one
 * with the entries of both. Two texts become one, which may take several changes; of two values the first counts and the second
 * one becomes a comment. Everyone who mends it makes the same change, and what is still typed in either text stays part of it.
 * Empty: nothing is there twice.
 */
export function joinTwins(document: SourceDocument, rules: JoinRules = joinAll): TextChange[] {
  if (!document.problems.some(({ code, message }) => code === "invalid-value" && message.includes(duplicateKey)))
    return [];
  const sections = joinSections(document, rules);
  if (sections.length > 0) return sections;
  const twins = findTwins(document, rules);
  if (!twins) return [];
  const { text } = document;
  if (twins.areProse) return joinTexts(document, twins);
  return removePair(text, twins.map, isEmpty(twins.first) ? twins.first : twins.second);
}

/** Never without one of the texts. */
function joinTexts(document: SourceDocument, twins: Twins): TextChange[] {
  const { text } = document;
  const { map, first, second, areNeighbours } = twins;
  if (isBlank(isNode(first.value) ? first.value : null)) return removePair(text, map, first);
  if (isBlank(isNode(second.value) ? second.value : null)) return removePair(text, map, second);
  if (!areNeighbours) return map.flow ? moveInBraces(text, twins) : moveLines(text, twins);
  const styled = toOneStyle(document, twins);
  if (styled.length > 0) return styled;
  const seam = findSeam(text, twins);
  if (seam) return [{ ...seam, insert: "" }];
  return map.flow ? [] : commentOut(text, rangeOfPair(second, text));
}

/** Whether a form has made room for a value that is not there yet. */
const isEmpty = ({ value }: Pair): boolean =>
  isBlank(isNode(value) ? value : null) || (isScalar(value) && value.value === "");

function removePair(text: string, map: YAMLMap, pair: Pair): TextChange[] {
  const { from: start, to: end } = rangeOfPair(pair, text);
  if (!map.flow) return commentOut(text, { from: start, to: end });
  const isFirst = map.items[0] === pair;
  return isFirst
    ? [{ from: start, to: startOfPair(map.items[1] ?? pair, text), insert: "" }]
    : [{ from: text.lastIndexOf(",", start), to: end, insert: "" }];
}

/** The second entry after the first one, with the comma before it. */
function moveInBraces(text: string, { first, second }: Twins): TextChange[] {
  const { from: start, to: end } = rangeOfPair(second, text);
  const separator = text.lastIndexOf(",", start);
  const target = rangeOfPair(first, text).to;
  return [
    { from: target, to: target, insert: text.slice(separator, end) },
    { from: separator, to: end, insert: "" },
  ];
}

/** The lines of the second entry after those of the first one. */
function moveLines(text: string, { first, second }: Twins): TextChange[] {
  const lineEndOf = (pair: Pair): number => {
    const end = text.indexOf("\n", rangeOfPair(pair, text).to);
    return end < 0 ? text.length : end;
  };
  // Each with the line break before it: the last line of a file may have none after it.
  const [start, end] = [text.lastIndexOf("\n", startOfPair(second, text)), lineEndOf(second)];
  const target = lineEndOf(first);
  return [
    { from: target, to: target, insert: text.slice(start, end) },
    { from: start, to: end, insert: "" },
  ];
}

/** A mapping whose entries are fields, with what they hold. */
interface FieldMap {
  map: YAMLMap;
  types: FieldTypes;
}

function findTwins(document: SourceDocument, { isJoined }: JoinRules): Twins | null {
  const twins = listFieldMaps(document).flatMap(listTwins);
  const keyOf = ({ key }: Pair): number => (isScalar(key) ? (key.range?.[0] ?? 0) : 0);
  return twins.find(({ first, second }) => isJoined(keyOf(first)) || isJoined(keyOf(second))) ?? null;
}

function listFieldMaps({ declarations, sections }: SourceDocument): FieldMap[] {
  const toMap = (value: unknown, types: FieldTypes): FieldMap[] => (isMap(value) ? [{ map: value, types }] : []);
  const declared = [...declarations.values()].flatMap(({ type, value }) => {
    const { fieldTypes, otherFieldTypes } = kindOf({ type });
    return toMap(value, { ...fieldTypes, ...otherFieldTypes });
  });
  // Of a variable its type is not known: of two values one counts.
  const settings = Object.entries({ limits: limitTypes, vars: {}, swarm: swarmFieldTypes }).flatMap(([name, types]) =>
    toMap(sections.get(name)?.value, types),
  );
  return [...declared, ...settings];
}

function listTwins({ map, types }: FieldMap): Twins[] {
  const known = new Map<string, number>();
  return map.items.flatMap((pair, index): Twins[] => {
    if (!isScalar(pair.key)) return [];
    const key = String(pair.key.value);
    const firstIndex = known.get(key);
    const first = map.items[firstIndex ?? -1];
    if (firstIndex === undefined) known.set(key, index);
    return firstIndex !== undefined && first
      ? [{ map, areProse: isProse(types[key]), first, second: pair, areNeighbours: firstIndex === index - 1 }]
      : [];
  });
}

/** The changes after which both texts are written alike. */
function toOneStyle(document: SourceDocument, { map, first, second }: Twins): TextChange[] {
  const isAlike = [first, second].every(
    ({ value }) => isScalar(value) && value.type === (map.flow ? "QUOTE_DOUBLE" : "BLOCK_LITERAL"),
  );
  if (isAlike) return [];
  return [first, second].flatMap((pair) => {
    const entry = toEntry(pair, document.yaml);
    const site = entry && findSite(document, { type: "lines", value: undefined, entry });
    return site ? toSharedStyle(document, site) : [];
  });
}

/** What is between the letters of two texts that are written alike: without it they are one text. */
function findSeam(text: string, { first, second }: Twins): TextRange | null {
  const [one, two] = [first.value, second.value];
  const [firstEnd, secondStart] = [rangeOfNode(first, text)?.to, isScalar(two) ? two.range?.[0] : undefined];
  if (!isScalar(one) || !isScalar(two) || firstEnd === undefined || secondStart === undefined) return null;
  if (one.type === "QUOTE_DOUBLE" || one.type === "QUOTE_SINGLE")
    return one.type === two.type ? { from: firstEnd - 1, to: secondStart + 1 } : null;
  if (one.type !== "BLOCK_LITERAL" || two.type !== "BLOCK_LITERAL") return null;
  const keyStart = isScalar(second.key) ? (second.key.range?.[0] ?? 0) : 0;
  // From the line of the second key to the line below it.
  return { from: text.lastIndexOf("\n", keyStart) + 1, to: text.indexOf("\n", secondStart) + 1 };
}

/** A comment sign before each line. */
function commentOut(text: string, { from: start, to: end }: TextRange): TextChange[] {
  const signs = [start];
  for (let offset = text.indexOf("\n", start); offset >= 0 && offset < end; offset = text.indexOf("\n", offset + 1))
    signs.push(offset + 1);
  return signs.map((offset) => ({ from: offset, to: offset, insert: "# " }));
}
