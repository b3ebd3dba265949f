import type { Json } from "../flow/flow";
import type { compilePattern } from "./pattern";
import {
  holds,
  isList,
  isMapping,
  isNumber,
  isText,
  type Mapping,
  plainNumber,
  Refusal,
  toText,
  type ValueType,
  valueTypes,
  type Work,
} from "./values";

/** What an argument must be. */
export interface Parameter<T extends Json = Json> {
  types: readonly ValueType[];
  is: (value: Json) => value is T;
}

/** One call under way. */
export interface Call {
  work: Work;
  compile: typeof compilePattern;
  /** Ends the evaluation: the argument at `index` is none of `types`. */
  refuse: (index: number, types: readonly ValueType[]) => never;
}

export interface Callable {
  /** Of the arguments in turn; the last one also of all further ones. */
  parameters: readonly Parameter[];
  most: number;
  /** Of the value, or `any` when it depends on the arguments. */
  result: ValueType | "any";
  apply: (values: readonly Json[], call: Call) => Json;
}

const text: Parameter<string> = { types: ["text"], is: isText };
const number: Parameter<number> = { types: ["number"], is: isNumber };
const anything: Parameter = { types: valueTypes, is: (value): value is Json => value !== undefined };
const sized: Parameter<string | readonly Json[] | Mapping> = {
  types: ["text", "list", "mapping"],
  is: (value) => isText(value) || isList(value) || isMapping(value),
};
const numeric: Parameter<string | number> = {
  types: ["text", "number"],
  is: (value) => isText(value) || isNumber(value),
};

function take<T extends Json>({ types, is }: Parameter<T>, values: readonly Json[], index: number, call: Call): T {
  const value = values[index] ?? null;
  return is(value) ? value : call.refuse(index, types);
}

const one = <A extends Json>(
  a: Parameter<A>,
  result: Callable["result"],
  apply: (a: A, work: Work) => Json,
): Callable => ({
  parameters: [a],
  most: 1,
  result,
  apply: (values, call) => apply(take(a, values, 0, call), call.work),
});

const two = <A extends Json, B extends Json>(
  [a, b]: [Parameter<A>, Parameter<B>],
  result: Callable["result"],
  apply: (a: A, b: B, work: Work) => Json,
): Callable => ({
  parameters: [a, b],
  most: 2,
  result,
  apply: (values, call) => apply(take(a, values, 0, call), take(b, values, 1, call), call.work),
});

const ofNumbers = (apply: (...values: number[]) => number): Callable => ({
  parameters: [number],
  most: 50,
  result: "number",
  apply: (values, call) => apply(...values.map((_, index) => take(number, values, index, call))),
});

const ofText = (apply: (text: string) => string): Callable =>
  one(text, "text", (value, work) => {
    work.spendText(value);
    return apply(value);
  });

const ofTexts = (apply: (text: string, part: string) => boolean): Callable =>
  two([text, text], "boolean", (value, part, work) => {
    work.spendText(part);
    return apply(value, part);
  });

/** Every function there is. */
export const functions: ReadonlyMap<string, Callable> = new Map([
  ["len", one(sized, "number", countOf)],
  ["contains", two([sized, anything], "boolean", holds)],
  ["matches", { parameters: [text, text], most: 2, result: "boolean", apply: matches }],
  ["lower", ofText((value) => value.toLowerCase())],
  ["upper", ofText((value) => value.toUpperCase())],
  ["trim", ofText((value) => value.trim())],
  ["starts_with", ofTexts((value, start) => value.startsWith(start))],
  ["ends_with", ofTexts((value, end) => value.endsWith(end))],
  ["number", one(numeric, "any", toNumber)],
  ["text", one(anything, "text", toText)],
  ["json", one(anything, "any", readJson)],
  ["min", ofNumbers(Math.min)],
  ["max", ofNumbers(Math.max)],
  ["abs", one(number, "number", Math.abs)],
  ["round", one(number, "number", round)],
]);

/** What is wrong with the number of arguments of a call, or null. */
export function findWrongCount(
  name: string,
  { parameters: { length: least }, most }: Callable,
  count: number,
): string | null {
  if (count >= least && count <= most) return null;
  const wanted = `${least}${most > least ? ` to ${most}` : ""} ${most === 1 ? "argument" : "arguments"}`;
  return `${name} expects ${wanted}, found ${count}.`;
}

/** Characters as people count them for the most part (code points), members or keys. */
function countOf(value: string | readonly Json[] | Mapping, work: Work): number {
  if (isList(value)) return value.length;
  if (!isText(value)) return work.keysOf(value).length;
  work.spendText(value);
  let count = 0;
  for (const _ of value) count++;
  return count;
}

function matches(values: readonly Json[], call: Call): boolean {
  const [value, pattern] = [take(text, values, 0, call), take(text, values, 1, call)];
  const { work, compile } = call;
  work.spend(1000 * pattern.length);
  const compiled = compile(pattern);
  if (!compiled.ok) throw new Refusal(compiled.message);
  work.spend(compiled.size * value.length);
  return compiled.isFoundIn(value);
}

function toNumber(value: string | number, work: Work): number | null {
  if (isNumber(value)) return value;
  work.spendText(value);
  return plainNumber(value);
}

/** The value of a JSON text, null when it is none. What is no text has been read already. */
function readJson(value: Json, work: Work): Json {
  if (!isText(value)) return value;
  work.spend(1 + value.length);
  try {
    return JSON.parse(value);
  } catch {
    return null;
  }
}

/** Halves go away from zero, as people round. */
function round(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}
