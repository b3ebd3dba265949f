import type { Json, JsonObject } from "../flow/flow";
import { isJsonList, parseJson } from "../flow/parse-json";
import type { compilePattern } from "./pattern";
import {
  ConditionError,
  containsValue,
  isNumber,
  isOfType,
  isText,
  plainNumber,
  toText,
  type ValueOfType,
  type ValueType,
  valueTypes,
  type WorkBudget,
} from "./values";

/** One call under way. */
interface FunctionCall {
  work: WorkBudget;
  compile: typeof compilePattern;
  /** Ends the evaluation: the argument at `index` is none of `types`. */
  refuse: (index: number, types: readonly ValueType[]) => never;
}

export interface ConditionFunction {
  /** The types of the arguments in turn; the last ones also of all further arguments. */
  parameters: readonly (readonly ValueType[])[];
  most: number;
  /** Of the value, or `any` when it depends on the arguments. */
  result: ValueType | "any";
  apply: (values: readonly Json[], call: FunctionCall) => Json;
}

const sized = ["text", "list", "mapping"] as const;

function take<Type extends ValueType>(
  types: readonly Type[],
  values: readonly Json[],
  index: number,
  call: FunctionCall,
): ValueOfType[Type] {
  const value = values[index] ?? null;
  return isOfType(value, types) ? value : call.refuse(index, types);
}

const unary = <A extends ValueType>(
  a: readonly A[],
  result: ConditionFunction["result"],
  apply: (a: ValueOfType[A], call: FunctionCall) => Json,
): ConditionFunction => ({
  parameters: [a],
  most: 1,
  result,
  apply: (values, call) => apply(take(a, values, 0, call), call),
});

const binary = <A extends ValueType, B extends ValueType>(
  [a, b]: [readonly A[], readonly B[]],
  result: ConditionFunction["result"],
  apply: (a: ValueOfType[A], b: ValueOfType[B], call: FunctionCall) => Json,
): ConditionFunction => ({
  parameters: [a, b],
  most: 2,
  result,
  apply: (values, call) => apply(take(a, values, 0, call), take(b, values, 1, call), call),
});

const ofNumbers = (apply: (...values: number[]) => number): ConditionFunction => ({
  parameters: [["number"]],
  most: 50,
  result: "number",
  apply: (values, call) => apply(...values.map((_, index) => take(["number"], values, index, call))),
});

const ofText = (apply: (text: string) => string): ConditionFunction =>
  unary(["text"], "text", (value, { work }) => {
    work.spendText(value);
    return apply(value);
  });

const ofTexts = (apply: (text: string, searched: string) => boolean): ConditionFunction =>
  binary([["text"], ["text"]], "boolean", (value, searched, { work }) => {
    work.spendText(searched);
    return apply(value, searched);
  });

/** Every function there is. */
export const functions: ReadonlyMap<string, ConditionFunction> = new Map([
  ["len", unary(sized, "number", countOf)],
  [
    "contains",
    binary([sized, valueTypes], "boolean", (container, searched, { work }) => containsValue(container, searched, work)),
  ],
  ["matches", binary([["text"], ["text"]], "boolean", matches)],
  ["lower", ofText((value) => value.toLowerCase())],
  ["upper", ofText((value) => value.toUpperCase())],
  ["trim", ofText((value) => value.trim())],
  ["starts_with", ofTexts((value, start) => value.startsWith(start))],
  ["ends_with", ofTexts((value, end) => value.endsWith(end))],
  ["number", unary(["text", "number"], "any", toNumber)],
  ["text", unary(valueTypes, "text", (value, { work }) => toText(value, work))],
  ["json", unary(valueTypes, "any", readJson)],
  ["min", ofNumbers(Math.min)],
  ["max", ofNumbers(Math.max)],
  ["abs", unary(["number"], "number", Math.abs)],
  ["round", unary(["number"], "number", round)],
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
