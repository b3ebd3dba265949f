import { isMap, isScalar, type Pair, parseDocument } from "yaml";
import type { Json, OrderedJson } from "../../flow/flow";
import { rewriteBlock, type WrittenBlock } from "./block-scalar";

/** The position and style of a value to render. */
export interface Slot {
  /** Inside `{…}` or `[…]`. */
  inFlow: boolean;
  /** Indentation, in spaces, of the line of its key. */
  indent: number;
  eol: string;
  /** How the value that it replaces was written, e.g. `QUOTE_DOUBLE`. */
  style?: string | null;
  /** Block style for mappings, like their neighbours. Else only for long or nested ones. */
  block?: boolean;
  /** The block scalar that it replaces, whose style it keeps. */
  written?: WrittenBlock;
  /** Keys of mappings whose texts are in single quotes. */
  quotedKeys?: readonly string[];
}

type RenderedMapping = ReadonlyMap<string, OrderedJson> | { readonly [key: string]: OrderedJson };

/** In the order of a map; in that of an object, which puts keys that look like numbers first. */
const entriesOf = (value: RenderedMapping): [string, OrderedJson][] =>
  value instanceof Map ? [...value] : Object.entries(value);

/** A value as YAML text, in the style of what it replaces where that can hold it. */
export function renderValue(value: OrderedJson, slot: Slot): string {
  if (typeof value === "string") return renderText(value, slot);
  if (typeof value !== "object" || value === null) return String(value);
  const { written: _, ...outerSlot } = slot;
  const innerSlot = { ...outerSlot, inFlow: true, style: null };
  if (isList(value)) return `[${value.map((item) => renderValue(item, innerSlot)).join(", ")}]`;
  const entries = entriesOf(value);
  if (entries.length === 0) return "{}";
  if (!slot.inFlow && (slot.block === true || isLong(value))) return renderLines(value, slot);
  return `{ ${entries.map(([key, item]) => renderPair(key, item, innerSlot)).join(", ")} }`;
}

/** `key: value`, as one entry of a mapping. */
export function renderPair(key: string, value: OrderedJson, slot: Slot): string {
  const style = slot.quotedKeys?.includes(key) ? { style: "QUOTE_SINGLE" } : {};
  const rendered = renderValue(value, { ...slot, ...style });
  return `${renderKey(key, slot.inFlow)}:${/^\r?\n/.test(rendered) ? "" : " "}${rendered}`;
}

const isList = (value: OrderedJson): value is readonly Json[] => Array.isArray(value);
const mostOnOneLine = 100;

/** Whether a mapping is hard to read on one line. */
const isLong = (value: RenderedMapping): boolean =>
  JSON.stringify(entriesOf(value)).length > mostOnOneLine ||
  entriesOf(value).some(([, item]) =>
    typeof item === "string" ? item.includes("\n") : isFilledMapping(item) && !isList(item),
  );

const isFilledMapping = (value: OrderedJson): boolean =>
  typeof value === "object" && value !== null && (isList(value) ? value : entriesOf(value)).length > 0;

function renderLines(value: RenderedMapping, slot: Slot): string {
  const innerSlot = { ...slot, indent: slot.indent + 2, style: null };
  const margin = `${slot.eol}${" ".repeat(innerSlot.indent)}`;
  return entriesOf(value)
    .map(([key, item]) => margin + renderPair(key, item, innerSlot))
    .join("");
}

function renderText(text: string, slot: Slot): string {
  const rewritten = slot.written && !slot.inFlow ? rewriteBlock(slot.written, text, slot) : [];
  const block = text.includes("\n") && !slot.inFlow && slot.style !== "QUOTE_DOUBLE" ? renderBlock(text, slot) : null;
  const single = `'${text.replaceAll("'", "''")}'`;
  const double = JSON.stringify(text);
  const styled = slot.style === "QUOTE_SINGLE" ? [single] : slot.style === "QUOTE_DOUBLE" ? [double] : [];
  const candidates = [...rewritten, ...(block === null ? [] : [block]), ...styled, text];
  return candidates.find((candidate) => readsAs(candidate, text, slot)) ?? double;
}

/** Null: the lines that follow would become part of the text. */
function renderBlock(text: string, { indent, eol }: Slot): string | null {
  if (text.endsWith("\n\n")) return null;
  const chomp = text.endsWith("\n") ? "" : "-";
  const body = text.endsWith("\n") ? text.slice(0, -1) : text;
  const margin = " ".repeat(indent + 2);
  return [`|${chomp}`, ...body.split("\n").map((line) => (line === "" ? "" : margin + line))].join(eol);
}

/** Words that YAML reads as themselves in every position: no check by reading back is needed. */
const isPlainWord = (text: string): boolean =>
  /^[A-Za-z]\w*(?:[ ./:-]\w+)*$/.test(text) && !/^(?:true|false|null)$/i.test(text);

/** Whether `candidate` in that slot is read back as the very same text. */
export function readsAs(candidate: string, text: string, { inFlow, indent }: Slot): boolean {
  if (candidate === text && isPlainWord(text)) return true;
  if (!/^[|>]/.test(candidate) && /[\r\n]/.test(candidate)) return false;
  const margin = " ".repeat(indent);
  const probe = inFlow ? `{ k: ${candidate}, l: 1 }` : `${margin}k: ${candidate}\n${margin}l: 1\n`;
  const value = firstPairOf(probe, 2)?.value;
  return isScalar(value) && value.value === text && value.comment === undefined;
}

/** The first pair of a mapping with `count` entries; undefined when the text is read as something else. */
function firstPairOf(text: string, count: number): Pair | undefined {
  const { errors, contents } = parseDocument(text, { logLevel: "silent", prettyErrors: false });
  return errors.length === 0 && isMap(contents) && contents.items.length === count ? contents.items[0] : undefined;
}

/** A key as YAML text. */
export function renderKey(name: string, inFlow: boolean): string {
  if (isPlainWord(name)) return name;
  const probe = inFlow ? `{ ${name}: 1 }` : `${name}: 1\n`;
  const key = firstPairOf(probe, 1)?.key;
  return isScalar(key) && key.value === name && !/[\r\n]/.test(name) ? name : JSON.stringify(name);
}
