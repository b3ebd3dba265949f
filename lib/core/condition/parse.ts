import type { Problem } from "../flow/problem";
import { clip, type TextRange } from "../flow/text-range";
import {
  type ArithmeticOperator,
  type ComparisonOperator,
  type Condition,
  conditionLimits,
  type NameScope,
  type OperandPair,
} from "./condition";
import { type ConditionToken, lexCondition, operatorWords } from "./lexer";
import { ConditionSyntaxError, mistakeAt, strayClose } from "./mistake";

export interface ParsedCondition {
  /** Null when the text has a mistake of form. */
  expression: Condition | null;
  /** The first mistake of form, if there is one. */
  problems: Problem[];
}

/** Reads the text of a condition (grammar.md). Never throws; ranges and fixes refer to `text`. */
export function parseCondition(text: string): ParsedCondition {
  try {
    return { expression: new ConditionParser(text).parse(), problems: [] };
  } catch (error) {
    if (!(error instanceof ConditionSyntaxError)) throw error;
    return { expression: null, problems: [error.problem] };
  }
}

const comparisons: readonly ComparisonOperator[] = ["==", "!=", "<", "<=", ">", ">=", "in"];
const constants = new Map(Object.entries({ true: true, false: false, null: null }));
const pairs = new Map(Object.entries({ "(": ")", "[": "]" }));

const toLogical = (type: "and" | "or") => ({ type });
const toArithmetic = (operator: ArithmeticOperator) => ({ type: "arithmetic", operator }) as const;

class ConditionParser {
  readonly #text: string;
  readonly #tokens: readonly ConditionToken[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    if (text.length > conditionLimits.length) {
      const message = `Expected a condition of at most ${conditionLimits.length} characters, found ${text.length}. Shorten it.`;
      throw new ConditionSyntaxError("too-large", message, { from: 0, to: text.length });
    }
    this.#text = text;
    this.#tokens = lexCondition(text);
  }

  // condition = choice
  parse(): Condition {
    const end = this.#peek();
    if (end.type === "end") {
      const message = 'Expected a condition, found nothing. Write one, for example contains(input, "yes").';
      throw new ConditionSyntaxError("invalid-condition", message, end);
    }
    const condition = this.#choice();
    if (this.#is(this.#peek(), ")")) throw strayClose(this.#peek());
    if (this.#peek().type !== "end") this.#refuse("an operator or the end");
    return condition;
  }

  // choice = or [ "?" choice ":" choice ]
  #choice(): Condition {
    return this.#nested(() => {
      const firstIndex = this.#at;
      const test = this.#or();
      if (!this.#optional("?")) return test;
      const yes = this.#choice();
      if (!this.#optional(":")) this.#refuse('":" and what holds otherwise');
      const no = this.#choice();
      return { type: "choice", operands: [test, yes, no], range: this.#rangeFrom(firstIndex) };
    });
  }

  // or = and { ( "or" | "||" ) and }
  #or(): Condition {
    return this.#chain(["or"], () => this.#and(), toLogical);
  }

  // and = not { ( "and" | "&&" ) not }
  #and(): Condition {
    return this.#chain(["and"], () => this.#not(), toLogical);
  }

  // not = ( "not" | "!" ) not | comparison
  #not(): Condition {
    const firstIndex = this.#at;
    if (!this.#optional("not")) return this.#comparison();
    const operand = this.#nested(() => this.#not());
    return { type: "not", operands: [operand], range: this.#rangeFrom(firstIndex) };
  }

  // comparison = sum [ comparator sum ]
  #comparison(): Condition {
    const firstIndex = this.#at;
    const leftOperand = this.#sum();
    const operator = this.#comparator();
    if (operator === null) return leftOperand;
    const rightOperand = this.#sum();
    const again = this.#peek();
    if (this.#comparator() !== null) {
      const message = `Expected one comparison, found ${again.text} after another one. Join two with and: a < b and b < c.`;
      throw new ConditionSyntaxError("invalid-condition", message, again);
    }
    return { type: "comparison", operator, operands: [leftOperand, rightOperand], range: this.#rangeFrom(firstIndex) };
  }

  // comparator = "==" | "===" | "!=" | "!==" | "<" | "<=" | ">" | ">=" | "in" | "not" "in"
  #comparator(): ComparisonOperator | null {
    const comparator = comparisons.find((sign) => this.#optional(sign));
    if (comparator !== undefined) return comparator;
    const next = this.#tokens[this.#at + 1];
    if (!this.#is(this.#peek(), "not") || !next || !this.#is(next, "in")) return null;
    this.#at += 2;
    return "not in";
  }

  // sum = product { ( "+" | "-" ) product }
  #sum(): Condition {
    return this.#chain(["+", "-"], () => this.#product(), toArithmetic);
  }

  // product = signed { ( "*" | "/" | "%" ) signed }
  #product(): Condition {
    return this.#chain(["*", "/", "%"], () => this.#signed(), toArithmetic);
  }

  /** Operands with operators of one rank between them, combined from the left. */
  #chain<Operator extends string>(
    operators: readonly Operator[],
    parseOperand: () => Condition,
    toFields: (operator: Operator) => ReturnType<typeof toLogical | typeof toArithmetic>,
  ): Condition {
    const firstIndex = this.#at;
    let condition = parseOperand();
    for (;;) {
      const operator = operators.find((sign) => this.#optional(sign));
      if (operator === undefined) return condition;
      const operands: OperandPair = [condition, parseOperand()];
      condition = { ...toFields(operator), operands, range: this.#rangeFrom(firstIndex) };
    }
  }

  // signed = "-" signed | access
  #signed(): Condition {
    const firstIndex = this.#at;
    if (!this.#optional("-")) return this.#access();
    const operand = this.#nested(() => this.#signed());
    return { type: "negative", operands: [operand], range: this.#rangeFrom(firstIndex) };
  }

  // access = primary { "." name | "[" choice "]" }
  #access(): Condition {
    const firstIndex = this.#at;
    let condition = this.#primary();
    for (;;) {
      const open = this.#peek();
      if (this.#optional(".")) {
        const name = this.#memberName();
        if (this.#is(this.#peek(), "(")) this.#refuseMethod(name);
        condition = { type: "member", operands: [condition], name, range: this.#rangeFrom(firstIndex) };
      } else if (this.#optional("[")) {
        const index = this.#choice();
        this.#close(open);
        condition = { type: "index", operands: [condition, index], range: this.#rangeFrom(firstIndex) };
      } else return condition;
    }
  }

  // primary = number | text | "true" | "false" | "null" | list | reference | call | name | "(" choice ")"
  #primary(): Condition {
    const token = this.#peek();
    if (token.type === "number") return this.#number();
    if (token.type === "text") return this.#value(token.text);
    if (token.type === "name") return this.#named(token);
    if (this.#is(token, "[")) return this.#list();
    if (!this.#optional("(")) this.#refuse("a value");
    const firstIndex = this.#at - 1;
    const condition = this.#choice();
    this.#close(token);
    return { ...condition, range: this.#rangeFrom(firstIndex) };
  }

  #number(): Condition {
    const token = this.#peek();
    const value = Number(token.text);
    if (Number.isFinite(value)) return this.#value(value);
    const message = `Expected a number up to 1.7e308, found ${clip(token.text)}. Write a smaller one.`;
    throw new ConditionSyntaxError("invalid-condition", message, token);
  }

  #value(value: string | number | boolean | null): Condition {
    const firstIndex = this.#at++;
    return { type: "value", value, range: this.#rangeFrom(firstIndex) };
  }

  #named(token: ConditionToken): Condition {
    const constant = constants.get(token.text);
    if (constant !== undefined) return this.#value(constant);
    if (token.meant !== undefined || operatorWords.has(token.text)) this.#refuse("a value");
    const firstIndex = this.#at++;
    if (token.text === "outputs" || token.text === "vars") return this.#reference(firstIndex, token.text);
    if (this.#is(this.#peek(), "(")) return this.#call(firstIndex, token);
    return { type: "name", name: token.text, range: this.#rangeFrom(firstIndex) };
  }

  // reference = ( "outputs" | "vars" ) ( "." name | "[" text "]" )
  #reference(firstIndex: number, scope: NameScope): Condition {
    const open = this.#peek();
    const noun = scope === "outputs" ? "a step" : "a variable";
    const expected = `the name of ${noun}, as in ${scope}.name or ${scope}["my name"]`;
    let name: string;
    if (this.#optional(".")) name = this.#memberName();
    else if (this.#optional("[")) {
      const token = this.#peek();
      if (token.type !== "text") this.#refuse(expected);
      name = token.text;
      this.#at++;
      this.#close(open);
    } else this.#refuse(expected);
    const range = this.#rangeFrom(firstIndex);
    return { type: "reference", scope, name, access: { from: open.from, to: range.to }, range };
  }

  // call = name "(" [ choices ] ")"
  #call(firstIndex: number, { text: name, from: start, to: end }: ConditionToken): Condition {
    const operands = this.#choices();
    return { type: "call", name, nameRange: { from: start, to: end }, operands, range: this.#rangeFrom(firstIndex) };
  }

  // list = "[" [ choices ] "]"
  #list(): Condition {
    const firstIndex = this.#at;
    return { type: "list", operands: this.#choices(), range: this.#rangeFrom(firstIndex) };
  }

  // choices = choice { "," choice } [ "," ]      with the brackets round them
  #choices(): Condition[] {
    const open = this.#peek();
    this.#at++;
    const choices: Condition[] = [];
    while (!this.#is(this.#peek(), pairs.get(open.text))) {
      choices.push(this.#choice());
      if (!this.#optional(",")) break;
    }
    this.#close(open);
    return choices;
  }

  /** Any word: after a dot, `in` and `True` are ordinary names. */
  #memberName(): string {
    const token = this.#peek();
    if (token.type !== "name") this.#refuse("a name after the dot");
    this.#at++;
    return this.#text.slice(token.from, token.to);
  }

  #close(open: ConditionToken): void {
    const sign = pairs.get(open.text);
    if (sign !== undefined && this.#optional(sign)) return;
    if (this.#peek().type !== "end") this.#refuse(`an operator or ${sign}`);
    const insertAt = this.#lastEnd();
    const fix = { title: `Add the missing ${sign}`, changes: [{ from: insertAt, to: insertAt, insert: `${sign}` }] };
    const code = open.text === "(" ? "unbalanced-parenthesis" : "invalid-condition";
    throw new ConditionSyntaxError(code, `Expected a ${sign} for this ${open.text}, found none. Add it.`, open, fix);
  }

  #nested(read: () => Condition): Condition {
    if (++this.#depth > conditionLimits.depth) {
      const message = `Expected at most ${conditionLimits.depth} levels of nesting, found more. Split the condition.`;
      throw new ConditionSyntaxError("too-deep", message, this.#peek());
    }
    const condition = read();
    this.#depth--;
    return condition;
  }

  #peek(): ConditionToken {
    const token = this.#tokens[this.#at];
    if (!token) throw new Error("read past the end token");
    return token;
  }

  #is(token: ConditionToken, text: string | undefined): boolean {
    return (token.type === "sign" || token.type === "name") && token.text === text;
  }

  #optional(text: string): boolean {
    if (!this.#is(this.#peek(), text)) return false;
    this.#at++;
    return true;
  }

  #lastEnd(): number {
    return this.#tokens[this.#at - 1]?.to ?? 0;
  }

  #rangeFrom(index: number): TextRange {
    return { from: this.#tokens[index]?.from ?? 0, to: this.#lastEnd() };
  }

  #refuseMethod(name: string): never {
    const message = `Expected a function call, found the method call .${name}(. Write ${name}(…).`;
    throw new ConditionSyntaxError("invalid-condition", message, this.#peek());
  }

  #refuse(expected: string): never {
    throw mistakeAt(this.#text, this.#peek(), expected);
  }
}
