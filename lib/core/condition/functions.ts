import type { Json, JsonObject } from "../flow/flow";
import { isJsonList, isJsonObject, parseJson } from "../flow/parse-json";
import type { compilePattern } from "./pattern";
import {
  ConditionError,
  containsValue,
  isNumber,
  isText,
  plainNumber,
  toText,
  type ValueType,
  valueTypes,
  type WorkBudget,
} from "./values";

/** What an argument must be. */
export interface FunctionParameter<T extends Json = Json> {
  types: readonly ValueType[];
  accepts: (value: Json) => value is T;
}

/** One call under way. */
export interface FunctionCall {
  work: WorkBudget;
  compile: typeof compilePattern;
  /** Ends the evaluation: the argument at `index` is none of `types`. */
  refuse: (index: number, types: readonly ValueType[]) => never;
}

export interface ConditionFunction {
  /** Of the arguments in turn; the last one also of all further ones. */
  parameters: readonly FunctionParameter[];
  most: number;
  /** Of the value, or `any` when it depends on the arguments. */
  result: ValueType | "any";
  apply: (values: readonly Json[], call: FunctionCall) => Json;
}

const text: FunctionParameter<string> = { types: ["text"], accepts: isText };
const number: FunctionParameter<number> = { types: ["number"], accepts: isNumber };
const anything: FunctionParameter = { types: valueTypes, accepts: (value): value is Json => value !== undefined };
const sized: FunctionParameter<string | readonly Json[] | JsonObject> = {
  types: ["text", "list", "mapping"],
  accepts: (value) => isText(value) || isJsonList(value) || isJsonObject(value),
};
const numeric: FunctionParameter<string | number> = {
  types: ["text", "number"],
  accepts: (value) => isText(value) || isNumber(value),
};

function take<T extends Json>(
  { types, accepts }: FunctionParameter<T>,
  values: readonly Json[],
  index: number,
  call: FunctionCall,
): T {
  const value = values[index] ?? null;
  return accepts(value) ? value : call.refuse(index, types);
}

const unary = <A extends Json>(
  a: FunctionParameter<A>,
  result: ConditionFunction["result"],
  apply: (a: A, call: FunctionCall) => Json,
): ConditionFunction => ({
  parameters: [a],
  most: 1,
  result,
  apply: (values, call) => apply(take(a, values, 0, call), call),
});

const binary = <A extends Json, B extends Json>(
  [a, b]: [FunctionParameter<A>, FunctionParameter<B>],
  result: ConditionFunction["result"],
  apply: (a: A, b: B, call: FunctionCall) => Json,
): ConditionFunction => ({
  parameters: [a, b],
  most: 2,
  result,
  apply: (values, call) => apply(take(a, values, 0, call), take(b, values, 1, call), call),
});

const ofNumbers = (apply: (...values: number[]) => number): ConditionFunction => ({
  parameters: [number],
  most: 50,
  result: "number",
  apply: (values, call) => apply(...values.map((_, index) => take(number, values, index, call))),
});

const ofText = (apply: (text: string) => string): ConditionFunction =>
  unary(text, "text", (value, { work }) => {
    work.spendText(value);
    return apply(value);
  });

const ofTexts = (apply: (text: string, searched: string) => boolean): ConditionFunction =>
  binary([text, text], "boolean", (value, searched, { work }) => {
    work.spendText(searched);
    return apply(value, searched);
  });

/** Every function there is. */
export const functions: ReadonlyMap<string, ConditionFunction> = new Map([
  ["len", unary(sized, "number", countOf)],
  [
    "contains",
    binary([sized, anything], "boolean", (container, searched, { work }) => containsValue(container, searched, work)),
  ],
  ["matches", binary([text, text], "boolean", matches)],
  ["lower", ofText((value) => value.toLowerCase())],
  ["upper", ofText((value) => value.toUpperCase())],
  ["trim", ofText((value) => value.trim())],
  ["starts_with", ofTexts((value, start) => value.startsWith(start))],
  ["ends_with", ofTexts((value, end) => value.endsWith(end))],
  ["number", unary(numeric, "any", toNumber)],
  ["text", unary(anything, "text", (value, { work }) => toText(value, work))],
  ["json", unary(anything, "any", readJson)],
  ["min", ofNumbers(Math.min)],
  ["max", ofNumbers(Math.max)],
  ["abs", unary(number, "number", Math.abs)],
  ["round", unary(number, "number", round)],
]);

/** What is wrong with the number of arguments of a call, or null. */
export function findWrongCount(
  name: string,
  { parameters: { length: least }, most }: ConditionFunction,
  count: number,
): string | null {
  if (count >= least && count <= most) return null;
  const expectedCount = `${least}${most > least ? ` to ${most}` : ""} ${most === 1 ? "argument" : "arguments"}`;
  return `${name} expects ${expectedCount}, found ${count}.`;
}

/** Characters as people count them for the most part (code points), members or keys. */
function countOf(value: string | readonly Json[] | JsonObject, { work }: FunctionCall): number {
  if (isJsonList(value)) return value.length;
  if (!isText(value)) return work.keysOf(value).length;
  work.spendText(value);
  let count = 0;
  for (const _ of value) count++;
  return count;
}

function matches(value: string, pattern: string, { work, compile }: FunctionCall): boolean {
  work.spend(1000 * pattern.length);
  const compiled = compile(pattern);
  if (!compiled.ok) throw new ConditionError(compiled.message);
  work.spend(compiled.size * value.length);
  return compiled.isFoundIn(value);
}

function toNumber(value: string | number, { work }: FunctionCall): number | null {
  if (isNumber(value)) return value;
  work.spendText(value);
  return plainNumber(value);
}

/** The value of a JSON text, null when it is none. What is no text has been read already. */
function readJson(value: Json, { work }: FunctionCall): Json {
  if (!isText(value)) return value;
  work.spend(1 + value.length);
  return parseJson(value) ?? null;
}

/** Halves go away from zero, as people round. */
function round(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}
