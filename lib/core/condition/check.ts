import { addVariableRepairs, type CheckPattern, type Problem, type ProblemCode } from "../flow/problem";
import { nearest } from "../flow/suggest-name";
import { clip, type TextRange } from "../flow/text-range";
import { accessTo, type Condition, type ConditionOf } from "./condition";
import { findWrongCount, functions } from "./functions";
import { toWriteFix } from "./mistake";
import { describeTypes, plainNumber, typeOf, type ValueType, valueTypes } from "./values";

/** The names that a condition may use. */
export interface KnownNames {
  outputs: ReadonlySet<string>;
  vars: ReadonlyMap<string, string | number | boolean>;
  /** Whether the condition is in a loop, where `item` and `round` are defined. */
  loop?: boolean;
  /** Without it patterns are not checked. */
  checkPattern?: CheckPattern | undefined;
}

/** What a part of a condition is known to be before it is evaluated. */
type StaticType = ValueType | "any";

/** Unknown names and functions, operands that are certainly of a wrong type, bad patterns; in the order of the text. */
export function checkCondition(expression: Condition, knownNames: KnownNames): Problem[] {
  const checker = new ConditionChecker(knownNames);
  checker.typeOf(expression);
  return checker.problems.sort((a, b) => (a.range?.from ?? 0) - (b.range?.from ?? 0));
}

class ConditionChecker {
  readonly problems: Problem[] = [];

  constructor(private readonly known: KnownNames) {}

  typeOf(node: Condition): StaticType {
    switch (node.type) {
      case "value":
        return typeOf(node.value);
      case "list":
        for (const member of node.operands) this.typeOf(member);
        return "list";
      case "name":
        return this.#name(node);
      case "reference":
        return node.scope === "outputs" ? this.#output(node) : this.#variable(node);
      case "member":
        this.#expect(node.operands[0], ["mapping"]);
        return "any";
      case "index":
        return this.#index(node);
      case "call":
        return this.#call(node);
      case "not":
        this.typeOf(node.operands[0]);
        return "boolean";
      case "negative":
        this.#expect(node.operands[0], ["number"]);
        return "number";
      case "and":
      case "or":
        return common(this.typeOf(node.operands[0]), this.typeOf(node.operands[1]));
      case "choice":
        this.typeOf(node.operands[0]);
        return common(this.typeOf(node.operands[1]), this.typeOf(node.operands[2]));
      case "comparison":
        return this.#comparison(node);
      case "arithmetic":
        return this.#arithmetic(node);
    }
  }

  #name({ name, range }: ConditionOf<"name">): StaticType {
    if (name === "input") return "text";
    if (name === "item" || name === "round") {
      if (this.known.loop !== true)
        this.#report(range, `Expected ${name} inside a loop only, found it outside of one.`);
      return name === "round" ? "number" : "any";
    }
    const suggestion = this.#meaningOf(name);
    const hint = suggestion === null ? "There are input, outputs.name and vars.name." : `Did you mean ${suggestion}?`;
    const message = `Expected a known name, found ${clip(name)}. ${hint} Put text between quotes.`;
    const fix = suggestion === null ? null : toWriteFix(suggestion, range);
    this.#report(range, message, { code: "unknown-name", ...(fix && { fix }) });
    return "any";
  }

  #meaningOf(name: string): string | null {
    if (this.known.outputs.has(name)) return `outputs${accessTo(name)}`;
    if (this.known.vars.has(name)) return `vars${accessTo(name)}`;
    const words = ["input", "true", "false", "null", ...(this.known.loop === true ? ["item", "round"] : [])];
    return nearest(name, words);
  }

  #output({ name, access }: ConditionOf<"reference">): StaticType {
    if (!this.known.outputs.has(name)) this.#unknown("unknown-name", "step", name, access, [...this.known.outputs]);
    return "any";
  }

  #variable({ name, access }: ConditionOf<"reference">): StaticType {
    const value = this.known.vars.get(name);
    if (value !== undefined) return typeOf(value);
    this.#unknown("unknown-variable", "variable", name, access, [...this.known.vars.keys()]);
    return "any";
  }

  #unknown(code: ProblemCode, noun: string, name: string, range: TextRange, names: readonly string[]): void {
    const near = nearest(name, names);
    const listed = names.length === 0 ? "There is none." : `There are: ${clip(names.slice(0, 20).join(", "))}.`;
    const message = `Expected the name of a ${noun}, found "${clip(name)}". ${near === null ? listed : `Did you mean "${near}"?`}`;
    const wayOut = near === null ? null : { fix: toWriteFix(accessTo(near), range, near) };
    this.#report(range, message, { code, ...(wayOut ?? (code === "unknown-variable" && addVariableRepairs(name))) });
  }

  #index({ operands: [target, index] }: ConditionOf<"index">): StaticType {
    const containerType = this.#expect(target, ["list", "mapping"]);
    if (containerType === "any") this.#expect(index, ["number", "text"]);
    else this.#expect(index, [containerType === "list" ? "number" : "text"]);
    return "any";
  }

  #call({ name, nameRange, operands, range }: ConditionOf<"call">): StaticType {
    const called = functions.get(name);
    const wrong = called && findWrongCount(name, called, operands.length);
    if (wrong !== null) for (const argument of operands) this.typeOf(argument);
    if (!called) {
      const near = nearest(name, [...functions.keys()]);
      const hint = near === null ? `There are: ${[...functions.keys()].join(", ")}.` : `Did you mean ${near}?`;
      const message = `Expected a known function, found ${clip(name)}. ${hint}`;
      this.#report(nameRange, message, {
        code: "unknown-name",
        ...(near !== null && { fix: toWriteFix(near, nameRange) }),
      });
      return "any";
    }
    if (wrong) {
      this.#report(range, wrong);
      return called.result;
    }
    const types = operands.map((argument, index) =>
      this.#expect(argument, called.parameters[index] ?? called.parameters.at(-1) ?? valueTypes),
    );
    if (name === "matches" && operands[1]) this.#pattern(operands[1]);
    if (name === "contains" && operands[1]) this.#lookedFor(types[0] ?? "any", types[1] ?? "any", operands[1].range);
    return called.result;
  }

  #pattern(node: Condition): void {
    if (node.type !== "value" || typeof node.value !== "string") return;
    const mistake = this.known.checkPattern?.(node.value) ?? null;
    if (mistake !== null) this.#report(node.range, mistake);
  }

  #comparison(node: ConditionOf<"comparison">): StaticType {
    const { operator, operands } = node;
    if (operator === "==" || operator === "!=") this.#equality(node);
    else if (operator === "in" || operator === "not in") {
      const containerType = this.#expect(operands[1], ["text", "list", "mapping"]);
      this.#lookedFor(containerType, this.typeOf(operands[0]), operands[0].range);
    } else this.#order(node);
    return "boolean";
  }

  #equality({ operator, operands: [leftOperand, rightOperand], range }: ConditionOf<"comparison">): void {
    const [a, b] = [this.typeOf(leftOperand), this.typeOf(rightOperand)];
    if (a === b || [a, b].some((type) => type === "any" || type === "null") || isNumberWithText(a, b)) return;
    const message = `Expected two values that can be equal, found ${describeType(a)} and ${describeType(b)}: ${operator} always has the same result.`;
    this.#report(range, message, { severity: "warning" });
  }

  #order({ operands: [leftOperand, rightOperand] }: ConditionOf<"comparison">): void {
    const a = this.#expect(leftOperand, ["number", "text"]);
    const b = this.#expect(rightOperand, ["number", "text"]);
    if (a === "number") this.#expectPlainNumber(rightOperand);
    if (b === "number") this.#expectPlainNumber(leftOperand);
  }

  #expectPlainNumber({ range, ...node }: Condition): void {
    if (node.type !== "value" || typeof node.value !== "string" || plainNumber(node.value) !== null) return;
    this.#report(range, `Expected a number to compare with a number, found the text "${clip(node.value)}".`);
  }

  /** In a text and among the keys of a mapping only texts are found. */
  #lookedFor(containerType: StaticType, searchedType: StaticType, range: TextRange): void {
    if (containerType !== "text" && containerType !== "mapping") return;
    if (searchedType === "any" || searchedType === "text") return;
    const message = `Expected a text to look for in ${describeType(containerType)}, found ${describeType(searchedType)}.`;
    this.#report(range, message);
  }

  #arithmetic({ operator, operands: [leftOperand, rightOperand] }: ConditionOf<"arithmetic">): StaticType {
    if (operator !== "+") {
      this.#expect(leftOperand, ["number"]);
      this.#expect(rightOperand, ["number"]);
      return "number";
    }
    const a = this.#expect(leftOperand, ["number", "text"]);
    const b = this.#expect(rightOperand, ["number", "text"]);
    if (isNumberWithText(a, b)) {
      const message = `Expected two numbers or two texts to add, found ${describeType(a)} and ${describeType(b)}. Use text(…) or number(…).`;
      this.#report({ from: leftOperand.range.from, to: rightOperand.range.to }, message);
    }
    return a === "any" ? b : a;
  }

  /** The type of a part that should be one of `types`; `any` when it is certainly none. */
  #expect(node: Condition, types: readonly ValueType[]): StaticType {
    const actualType = this.typeOf(node);
    if (actualType === "any" || types.includes(actualType)) return actualType;
    const hint = actualType === "text" && !types.includes("text") ? textHint(types) : "";
    this.#report(node.range, `Expected ${describeTypes(types)}, found ${describeType(actualType)}.${hint}`);
    return "any";
  }

  #report(range: TextRange, message: string, details: ProblemDetails = {}): void {
    this.problems.push({ code: "invalid-condition", severity: "error", message, range, ...details });
  }
}

type ProblemDetails = Partial<Pick<Problem, "code" | "severity" | "fix" | "repairs">>;

const describeType = (type: StaticType): string => (type === "any" ? "a value" : describeTypes([type]));

const textHint = (types: readonly ValueType[]): string => {
  if (types.includes("mapping")) return " If it is JSON, read it with json(…).";
  return types.includes("number") ? " Use number(…)." : "";
};

const common = (a: StaticType, b: StaticType): StaticType => (a === b ? a : "any");

/** A number and a text, which are equal when the text spells the number. */
const isNumberWithText = (a: StaticType, b: StaticType): boolean =>
  (a === "number" && b === "text") || (a === "text" && b === "number");
