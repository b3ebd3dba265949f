import type { TextRange } from "../flow/text-range";

export const conditionLimits = {
  /** Longest text of a condition, in UTF-16 units. */
  length: 2000,
  /** Deepest nesting of parentheses, lists, signs and choices. */
  depth: 50,
  /** Longest text that an expression puts together with `+`, in UTF-16 units. */
  textLength: 100_000,
  /** Deepest nesting of a value that is compared or written as text. */
  valueDepth: 100,
  /** Units of work of one evaluation; grammar.md lists the costs. */
  work: 10_000_000,
  /** Longest pattern, in UTF-16 units. */
  patternLength: 500,
  /** Most instructions of a compiled pattern. */
  patternSize: 2000,
} as const;

/** What holds names that a flow declares. */
export type NameScope = "outputs" | "vars";

export type ComparisonOperator = "==" | "!=" | "<" | "<=" | ">" | ">=" | "in" | "not in";
export type ArithmeticOperator = "+" | "-" | "*" | "/" | "%";

/** Two conditions with an operator between them. */
export type OperandPair = readonly [left: Condition, right: Condition];

/** A condition, read. Whether its names exist and its types fit is `checkCondition`'s business. */
export type Condition = { range: TextRange } & (
  | { type: "value"; value: string | number | boolean | null }
  | { type: "list"; operands: readonly Condition[] }
  /** `input`, `item`, `round`, or a name that means nothing. */
  | { type: "name"; name: string }
  /** `access` is the range of `.name` or `["name"]`. */
  | { type: "reference"; scope: NameScope; name: string; access: TextRange }
  | { type: "member"; operands: readonly [target: Condition]; name: string }
  | { type: "index"; operands: readonly [target: Condition, index: Condition] }
  | { type: "call"; name: string; nameRange: TextRange; operands: readonly Condition[] }
  | { type: "not" | "negative"; operands: readonly [Condition] }
  | { type: "and" | "or"; operands: OperandPair }
  | { type: "comparison"; operator: ComparisonOperator; operands: OperandPair }
  | { type: "arithmetic"; operator: ArithmeticOperator; operands: OperandPair }
  | { type: "choice"; operands: readonly [test: Condition, yes: Condition, no: Condition] }
);

/** A condition of one type. */
export type ConditionOf<T extends Condition["type"]> = Extract<Condition, { type: T }>;

export interface UsedName {
  scope: NameScope;
  name: string;
  /** The range of `.name` or `["name"]`; the result of `accessTo` may replace it. */
  range: TextRange;
}

/** The outputs and variables that a condition reads, in written order; one that is read twice is listed twice. */
export function namesIn(condition: Condition): UsedName[] {
  const names: UsedName[] = [];
  const waiting: Condition[] = [condition];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.type === "reference") names.push({ scope: next.scope, name: next.name, range: next.access });
    else if ("operands" in next) waiting.push(...next.operands.toReversed());
  }
  return names;
}

/** How the name of an output or a variable is written after `outputs` or `vars`: `.name`, or `["my name"]`. */
export const accessTo = (name: string): string =>
  /^[\p{L}_][\p{L}\p{M}\p{N}_]*$/u.test(name) ? `.${name}` : `["${name.replaceAll(/["\\]/g, "\\$&")}"]`;
