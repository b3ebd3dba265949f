import type { Json, JsonObject } from "../flow/flow";
import { isJsonList, isJsonObject } from "../flow/parse-json";
import { clip } from "../flow/text-range";
import { conditionLimits } from "./condition";

export const valueTypes = ["text", "number", "boolean", "list", "mapping", "null"] as const;
export type ValueType = (typeof valueTypes)[number];

export interface ValueOfType {
  text: string;
  number: number;
  boolean: boolean;
  list: readonly Json[];
  mapping: JsonObject;
  null: null;
}

/** Why an expression has no value, in words for the one who wrote it. */
export class ConditionError extends Error {}

export const isText = (value: Json): value is string => typeof value === "string";
export const isNumber = (value: Json): value is number => typeof value === "number";

export function typeOf(value: Json): ValueType {
  if (value === null) return "null";
  if (isText(value)) return "text";
  if (isJsonList(value)) return "list";
  if (isJsonObject(value)) return "mapping";
  return typeof value === "number" ? "number" : "boolean";
}

export const isOfType = <Type extends ValueType>(value: Json, types: readonly Type[]): value is ValueOfType[Type] =>
  types.some((type) => type === typeOf(value));

/** False are false, null, 0, "", the empty list and the empty mapping; everything else is true. */
export function isTrue(value: Json): boolean {
  if (isJsonList(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** A value in a sentence: `the text "yes"`, `the number 3`, `a list`. */
export function show(value: Json): string {
  if (isText(value)) return `the text "${clip(value)}"`;
  if (isNumber(value)) return `the number ${value}`;
  return isJsonList(value) || isJsonObject(value) ? `a ${typeOf(value)}` : `${value}`;
}

/** Types in a sentence: `a text or a list`. */
export const describeTypes = (types: readonly ValueType[]): string =>
  types.map((type) => (type === "null" ? type : `a ${type}`)).join(" or ");

/** What one evaluation may still do: no expression runs long. */
export class WorkBudget {
  #left: number = conditionLimits.work;

  /** @throws Refusal when the evaluation has done enough. */
  spend(units: number): void {
    this.#left -= units;
    if (this.#left < 0)
      throw new ConditionError(
        "Expected a condition that is quickly decided, found too much to do. Shorten its texts or patterns.",
      );
  }

  /** The keys of a mapping, paid for. */
  keysOf(mapping: JsonObject): readonly string[] {
    const keys = Object.keys(mapping);
    this.spend(10 * keys.length);
    return keys;
  }

  spendText(...texts: readonly string[]): void {
    for (const { length } of texts) this.spend(1 + length / 10);
  }
}

/** The number that a text spells (`5`, ` -1.5 `, `2e3`), or null. */
export function plainNumber(text: string): number | null {
  const trimmed = text.trim();
  if (trimmed.length > 40 || !/^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)) return null;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : null;
}

/** Whether two values are deeply equal; a number equals the text that spells it. */
export function isEqual(a: Json, b: Json, work: WorkBudget, depth = 0): boolean {
  work.spend(1);
  if (depth > conditionLimits.valueDepth) throw tooDeep();
  if (isText(a) && isText(b)) {
    work.spendText(a);
    return a === b;
  }
  if (isText(a) && isNumber(b)) return readNumber(a, work) === b;
  if (isNumber(a) && isText(b)) return a === readNumber(b, work);
  if (isJsonList(a) && isJsonList(b))
    return a.length === b.length && a.every((member, index) => isEqual(member, b[index] ?? null, work, depth + 1));
  if (!isJsonObject(a) || !isJsonObject(b)) return a === b;
  const keys = work.keysOf(a);
  if (keys.length !== work.keysOf(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key] ?? null, b[key] ?? null, work, depth + 1));
}

function readNumber(text: string, work: WorkBudget): number | null {
  work.spendText(text);
  return plainNumber(text);
}

/** Below zero when `a` comes before `b`. Numbers and numeric texts compare by size, two texts by their characters. */
export function order(a: Json, b: Json, work: WorkBudget): number {
  if (isText(a) && isText(b)) {
    work.spendText(a, b);
    return a < b ? -1 : Number(a > b);
  }
  const leftSize = sizeOf(a, work);
  const rightSize = sizeOf(b, work);
  if (leftSize !== null && rightSize !== null) return leftSize - rightSize;
  throw new ConditionError(`Expected two numbers or two texts to compare, found ${show(a)} and ${show(b)}.`);
}

const sizeOf = (value: Json, work: WorkBudget): number | null =>
  isText(value) ? readNumber(value, work) : isNumber(value) ? value : null;

/** Whether `holder` has `part`: a text in a text, a value in a list, a key in a mapping. */
export function containsValue(container: Json, searched: Json, work: WorkBudget): boolean {
  if (isJsonList(container)) return container.some((member) => isEqual(member, searched, work));
  if (!isText(container) && !isJsonObject(container))
    throw new ConditionError(`Expected a text, a list or a mapping to look in, found ${show(container)}.`);
  if (!isText(searched))
    throw new ConditionError(`Expected a text to look for in a ${typeOf(container)}, found ${show(searched)}.`);
  if (isJsonObject(container)) return Object.hasOwn(container, searched);
  work.spendText(container, searched);
  return includes(container, searched);
}

/** `text.includes(part)` in linear time (Knuth, Morris, Pratt): the platform's takes seconds for hostile long parts. */
function includes(text: string, searched: string): boolean {
  if (searched.length < 32) return text.includes(searched);
  const borders = new Int32Array(searched.length);
  for (let index = 1, matched = 0; index < searched.length; index++) {
    while (matched > 0 && searched[index] !== searched[matched]) matched = borders[matched - 1] ?? 0;
    if (searched[index] === searched[matched]) matched++;
    borders[index] = matched;
  }
  for (let index = 0, matched = 0; index < text.length; index++) {
    while (matched > 0 && text[index] !== searched[matched]) matched = borders[matched - 1] ?? 0;
    if (text[index] === searched[matched]) matched++;
    if (matched === searched.length) return true;
  }
  return false;
}

/** A value as text: a text as it is, a list or a mapping as JSON. */
export function toText(value: Json, work: WorkBudget): string {
  if (isText(value)) return value;
  if (!isJsonList(value) && !isJsonObject(value)) return String(value);
  measure(value, work, 0);
  return JSON.stringify(value);
}

function measure(value: Json, work: WorkBudget, depth: number): void {
  if (depth > conditionLimits.valueDepth) throw tooDeep();
  work.spend(1);
  if (isText(value)) work.spendText(value);
  if (isJsonList(value)) for (const member of value) measure(member, work, depth + 1);
  if (!isJsonObject(value)) return;
  for (const key of work.keysOf(value)) {
    work.spendText(key);
    measure(value[key] ?? null, work, depth + 1);
  }
}

const tooDeep = (): ConditionError =>
  new ConditionError(`Expected a value nested at most ${conditionLimits.valueDepth} deep, found a deeper one.`);
