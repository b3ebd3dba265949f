import type { Json, JsonObject } from "../flow/flow";
import { isJsonList, isJsonObject } from "../flow/parse-json";
import type { TextRange } from "../flow/text-range";
import {
  type ArithmeticOperator,
  type ComparisonOperator,
  type Condition,
  type ConditionOf,
  conditionLimits,
} from "./condition";
import { findWrongCount, functions } from "./functions";
import { compilePattern } from "./pattern";
import {
  ConditionError,
  containsValue,
  describeTypes,
  isEqual,
  isNumber,
  isText,
  isTrue,
  order,
  show,
  WorkBudget,
} from "./values";

/** The values of the names that a condition uses. */
export interface ConditionScope {
  /** The text that reached the node. */
  input: string;
  /** By declared name, of the steps that have finished. */
  outputs: ReadonlyMap<string, Json>;
  vars: ReadonlyMap<string, string | number | boolean>;
  /** Inside a loop over a list: the member of this round. */
  item?: Json;
  /** Inside a loop: from 1. */
  round?: number;
}

export type ConditionResult = { ok: true; value: Json } | { ok: false; message: string; range: TextRange };

/** The value of a condition. Never throws; takes bounded time; the range refers to the text that was parsed. */
export function evaluateCondition(expression: Condition, scope: ConditionScope): ConditionResult {
  const evaluator = new Evaluator(scope);
  try {
    return { ok: true, value: evaluator.valueOf(expression) };
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    return { ok: false, message: error.message, range: evaluator.lastRange };
  }
}

class Evaluator {
  /** What was worked on last: where a refusal comes from. */
  lastRange: TextRange = { from: 0, to: 0 };
  readonly #work = new WorkBudget();

  constructor(private readonly scope: ConditionScope) {}

  valueOf(node: Condition): Json {
    this.#enter(node.range);
    switch (node.type) {
      case "value":
        return node.value;
      case "list":
        return node.operands.map((member) => this.valueOf(member));
      case "name":
        return this.#named(node);
      case "reference":
        return this.#reference(node);
      case "member":
        return this.#member(node);
      case "index":
        return this.#index(node);
      case "call":
        return this.#call(node);
      case "not":
        return !this.#decides(this.valueOf(node.operands[0]));
      case "negative":
        return -this.#number(node.operands[0], this.valueOf(node.operands[0]));
      case "and":
      case "or": {
        const leftValue = this.valueOf(node.operands[0]);
        return this.#decides(leftValue) === (node.type === "and") ? this.valueOf(node.operands[1]) : leftValue;
      }
      case "choice":
        return this.valueOf(node.operands[this.#decides(this.valueOf(node.operands[0])) ? 1 : 2]);
      case "comparison":
        return this.#comparison(node);
      case "arithmetic":
        return this.#arithmetic(node);
    }
  }

  #enter(range: TextRange): void {
    this.lastRange = range;
    this.#work.spend(1);
  }

  #decides(value: Json): boolean {
    return isJsonObject(value) ? this.#work.keysOf(value).length > 0 : isTrue(value);
  }

  #refuse(message: string): never {
    throw new ConditionError(message);
  }

  #named({ name }: ConditionOf<"name">): Json {
    const { input, item, round } = this.scope;
    const value = new Map<string, Json | undefined>(Object.entries({ input, item, round })).get(name);
    return value === undefined ? this.#refuse(`Expected a name that is defined here, found ${name}.`) : value;
  }

  #reference({ scope, name }: ConditionOf<"reference">): Json {
    if (scope === "outputs") return this.scope.outputs.get(name) ?? null;
    return this.scope.vars.get(name) ?? this.#refuse(`Expected a variable of the flow, found "${name}".`);
  }

  #member({ operands: [target], name, range }: ConditionOf<"member">): Json {
    const value = this.valueOf(target);
    this.#enter(range);
    if (isJsonObject(value)) return read(value, name);
    const hint = isText(value) ? " If it is JSON, read it with json(…)." : "";
    return this.#refuse(`Expected a mapping before .${name}, found ${show(value)}.${hint}`);
  }

  #index({ operands: [target, index], range }: ConditionOf<"index">): Json {
    const value = this.valueOf(target);
    const key = this.valueOf(index);
    this.#enter(range);
    if (isJsonObject(value) && isText(key)) return read(value, key);
    if (isJsonList(value) && isNumber(key) && Number.isInteger(key)) return value.at(key) ?? null;
    if (isJsonObject(value)) this.#refuse(`Expected a text as the key of a mapping, found ${show(key)}.`);
    if (isJsonList(value)) this.#refuse(`Expected a whole number as the place in a list, found ${show(key)}.`);
    const hint = isText(value) ? " If it is JSON, read it with json(…)." : "";
    return this.#refuse(`Expected a list or a mapping before […], found ${show(value)}.${hint}`);
  }

  #call({ name, operands, range }: ConditionOf<"call">): Json {
    const called = functions.get(name);
    if (!called) this.#refuse(`Expected a function that there is, found ${name}.`);
    const wrong = findWrongCount(name, called, operands.length);
    if (wrong !== null) this.#refuse(wrong);
    const values = operands.map((argument) => this.valueOf(argument));
    this.#enter(range);
    return called.apply(values, {
      work: this.#work,
      compile: compilePattern,
      refuse: (index, types) => {
        this.#enter(operands[index]?.range ?? range);
        return this.#refuse(`${name} expects ${describeTypes(types)}, found ${show(values[index] ?? null)}.`);
      },
    });
  }

  #comparison({ operator, operands: [leftOperand, rightOperand], range }: ConditionOf<"comparison">): boolean {
    const a = this.valueOf(leftOperand);
    const b = this.valueOf(rightOperand);
    this.#enter(range);
    return comparisons[operator](a, b, this.#work);
  }

  #arithmetic({ operator, operands: [leftOperand, rightOperand], range }: ConditionOf<"arithmetic">): Json {
    const a = this.valueOf(leftOperand);
    const b = this.valueOf(rightOperand);
    this.#enter(range);
    if (operator === "+" && isText(a) && isText(b)) return this.#joined(a, b);
    if (operator === "+" && (isText(a) || isText(b)))
      this.#refuse(
        `Expected two numbers or two texts to add, found ${show(a)} and ${show(b)}. Use text(…) or number(…).`,
      );
    const x = this.#number(leftOperand, a);
    const y = this.#number(rightOperand, b);
    this.#enter(range);
    if (y === 0 && (operator === "/" || operator === "%")) this.#refuse("Expected a divisor other than 0, found 0.");
    const value = sums[operator](x, y);
    return Number.isFinite(value) ? value : this.#refuse("Expected a number up to 1.7e308, found a larger one.");
  }

  #joined(a: string, b: string): string {
    const length = a.length + b.length;
    this.#work.spend(length / 10);
    if (length <= conditionLimits.textLength) return a + b;
    return this.#refuse(`Expected a text of at most ${conditionLimits.textLength} characters, found ${length}.`);
  }

  #number(node: Condition, value: Json): number {
    if (isNumber(value)) return value;
    this.#enter(node.range);
    return this.#refuse(`Expected a number, found ${show(value)}.${isText(value) ? " Use number(…)." : ""}`);
  }
}

/** What a mapping holds itself under `key`; null when it does not. */
const read = (mapping: JsonObject, key: string): Json => (Object.hasOwn(mapping, key) ? (mapping[key] ?? null) : null);

const comparisons: Record<ComparisonOperator, (a: Json, b: Json, work: WorkBudget) => boolean> = {
  "==": isEqual,
  "!=": (a, b, work) => !isEqual(a, b, work),
  "<": (a, b, work) => order(a, b, work) < 0,
  "<=": (a, b, work) => order(a, b, work) <= 0,
  ">": (a, b, work) => order(a, b, work) > 0,
  ">=": (a, b, work) => order(a, b, work) >= 0,
  in: (a, b, work) => containsValue(b, a, work),
  "not in": (a, b, work) => !containsValue(b, a, work),
};

const sums: Record<ArithmeticOperator, (a: number, b: number) => number> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};
