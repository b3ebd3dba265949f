import type { Problem } from "../flow/problem";
import { clip, type Range } from "../flow/text-range";
import { type Arithmetic, type Comparison, type Condition, conditionLimits, type NameScope } from "./condition";
import { lex, operatorWords, type Token } from "./lexer";
import { Mistake, mistakeAt, strayClose } from "./mistake";

export interface ParsedCondition {
  /** Null when the text has a mistake of form. */
  expression: Condition | null;
  /** The first mistake of form, if there is one. */
  problems: Problem[];
}

/** Reads the text of a condition (grammar.md). Never throws; ranges and fixes refer to `text`. */
export function parseCondition(text: string): ParsedCondition {
  try {
    return { expression: new Parser(text).parse(), problems: [] };
  } catch (error) {
    if (!(error instanceof Mistake)) throw error;
    return { expression: null, problems: [error.problem] };
  }
}

const comparisons: readonly Comparison[] = ["==", "!=", "<", "<=", ">", ">=", "in"];
const sumSigns: readonly Arithmetic[] = ["+", "-"];
const productSigns: readonly Arithmetic[] = ["*", "/", "%"];
const constants = new Map([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const pairs = new Map([
  ["(", ")"],
  ["[", "]"],
]);

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    if (text.length > conditionLimits.length) {
      const message = `Expected a condition of at most ${conditionLimits.length} characters, found ${text.length}. Shorten it.`;
      throw new Mistake("too-large", message, { from: 0, to: text.length });
    }
    this.#text = text;
    this.#tokens = lex(text);
  }

  // condition = choice
  parse(): Condition {
    const end = this.#peek();
    if (end.type === "end") {
      const message = 'Expected a condition, found nothing. Write one, for example contains(input, "yes").';
      throw new Mistake("invalid-condition", message, end);
    }
    const found = this.#choice();
    if (this.#is(this.#peek(), ")")) throw strayClose(this.#peek());
    if (this.#peek().type !== "end") this.#refuse("an operator or the end");
    return found;
  }

  // choice = or [ "?" choice ":" choice ]
  #choice(): Condition {
    return this.#nested(() => {
      const first = this.#at;
      const test = this.#or();
      if (!this.#optional("?")) return test;
      const yes = this.#choice();
      if (!this.#optional(":")) this.#refuse('":" and what holds otherwise');
      const no = this.#choice();
      return { type: "choice", test, yes, no, range: this.#rangeFrom(first) };
    });
  }

  // or = and { ( "or" | "||" ) and }
  #or(): Condition {
    const first = this.#at;
    let left = this.#and();
    while (this.#optional("or")) left = { type: "or", left, right: this.#and(), range: this.#rangeFrom(first) };
    return left;
  }

  // and = not { ( "and" | "&&" ) not }
  #and(): Condition {
    const first = this.#at;
    let left = this.#not();
    while (this.#optional("and")) left = { type: "and", left, right: this.#not(), range: this.#rangeFrom(first) };
    return left;
  }

  // not = ( "not" | "!" ) not | comparison
  #not(): Condition {
    const first = this.#at;
    if (!this.#optional("not")) return this.#comparison();
    const operand = this.#nested(() => this.#not());
    return { type: "not", operand, range: this.#rangeFrom(first) };
  }

  // comparison = sum [ comparator sum ]
  #comparison(): Condition {
    const first = this.#at;
    const left = this.#sum();
    const operator = this.#comparator();
    if (operator === null) return left;
    const right = this.#sum();
    const again = this.#peek();
    if (this.#comparator() !== null) {
      const message = `Expected one comparison, found ${again.text} after another one. Join two with and: a < b and b < c.`;
      throw new Mistake("invalid-condition", message, again);
    }
    return { type: "comparison", operator, left, right, range: this.#rangeFrom(first) };
  }

  // comparator = "==" | "===" | "!=" | "!==" | "<" | "<=" | ">" | ">=" | "in" | "not" "in"
  #comparator(): Comparison | null {
    const found = comparisons.find((sign) => this.#optional(sign));
    if (found !== undefined) return found;
    const next = this.#tokens[this.#at + 1];
    if (!this.#is(this.#peek(), "not") || !next || !this.#is(next, "in")) return null;
    this.#at += 2;
    return "not in";
  }

  // sum = product { ( "+" | "-" ) product }
  #sum(): Condition {
    return this.#many(sumSigns, () => this.#product());
  }

  // product = signed { ( "*" | "/" | "%" ) signed }
  #product(): Condition {
    return this.#many(productSigns, () => this.#signed());
  }

  #many(signs: readonly Arithmetic[], part: () => Condition): Condition {
    const first = this.#at;
    let left = part();
    for (;;) {
      const operator = signs.find((sign) => this.#optional(sign));
      if (operator === undefined) return left;
      left = { type: "arithmetic", operator, left, right: part(), range: this.#rangeFrom(first) };
    }
  }

  // signed = "-" signed | access
  #signed(): Condition {
    const first = this.#at;
    if (!this.#optional("-")) return this.#access();
    const operand = this.#nested(() => this.#signed());
    return { type: "negative", operand, range: this.#rangeFrom(first) };
  }

  // access = primary { "." name | "[" choice "]" }
  #access(): Condition {
    const first = this.#at;
    let of = this.#primary();
    for (;;) {
      const open = this.#peek();
      if (this.#optional(".")) {
        const name = this.#memberName();
        if (this.#is(this.#peek(), "(")) this.#refuseMethod(name);
        of = { type: "member", of, name, range: this.#rangeFrom(first) };
      } else if (this.#optional("[")) {
        const index = this.#choice();
        this.#close(open);
        of = { type: "index", of, index, range: this.#rangeFrom(first) };
      } else return of;
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
    const first = this.#at - 1;
    const inner = this.#choice();
    this.#close(token);
    return { ...inner, range: this.#rangeFrom(first) };
  }

  #number(): Condition {
    const token = this.#peek();
    const value = Number(token.text);
    if (Number.isFinite(value)) return this.#value(value);
    const message = `Expected a number up to 1.7e308, found ${clip(token.text)}. Write a smaller one.`;
    throw new Mistake("invalid-condition", message, token);
  }

  #value(value: string | number | boolean | null): Condition {
    const first = this.#at++;
    return { type: "value", value, range: this.#rangeFrom(first) };
  }

  #named(token: Token): Condition {
    const constant = constants.get(token.text);
    if (constant !== undefined) return this.#value(constant);
    if (token.meant !== undefined || operatorWords.has(token.text)) this.#refuse("a value");
    const first = this.#at++;
    if (token.text === "outputs" || token.text === "vars") return this.#reference(first, token.text);
    if (this.#is(this.#peek(), "(")) return this.#call(first, token);
    return { type: "name", name: token.text, range: this.#rangeFrom(first) };
  }

  // reference = ( "outputs" | "vars" ) ( "." name | "[" text "]" )
  #reference(first: number, scope: NameScope): Condition {
    const open = this.#peek();
    const of = scope === "outputs" ? "a step" : "a variable";
    const wanted = `the name of ${of}, as in ${scope}.name or ${scope}["my name"]`;
    let name: string;
    if (this.#optional(".")) name = this.#memberName();
    else if (this.#optional("[")) {
      const token = this.#peek();
      if (token.type !== "text") this.#refuse(wanted);
      name = token.text;
      this.#at++;
      this.#close(open);
    } else this.#refuse(wanted);
    const range = this.#rangeFrom(first);
    return { type: "reference", scope, name, access: { from: open.from, to: range.to }, range };
  }

  // call = name "(" [ choices ] ")"
  #call(first: number, { text, from, to }: Token): Condition {
    const found = this.#choices();
    return { type: "call", name: text, nameRange: { from, to }, arguments: found, range: this.#rangeFrom(first) };
  }

  // list = "[" [ choices ] "]"
  #list(): Condition {
    const first = this.#at;
    return { type: "list", members: this.#choices(), range: this.#rangeFrom(first) };
  }

  // choices = choice { "," choice } [ "," ]      with the brackets round them
  #choices(): Condition[] {
    const open = this.#peek();
    this.#at++;
    const found: Condition[] = [];
    while (!this.#is(this.#peek(), pairs.get(open.text))) {
      found.push(this.#choice());
      if (!this.#optional(",")) break;
    }
    this.#close(open);
    return found;
  }

  /** Any word: behind a dot `in` and `True` are names like others. */
  #memberName(): string {
    const token = this.#peek();
    if (token.type !== "name") this.#refuse("a name after the dot");
    this.#at++;
    return this.#text.slice(token.from, token.to);
  }

  #close(open: Token): void {
    const sign = pairs.get(open.text);
    if (sign !== undefined && this.#optional(sign)) return;
    if (this.#peek().type !== "end") this.#refuse(`an operator or ${sign}`);
    const at = this.#lastEnd();
    const fix = { title: `Add the missing ${sign}`, changes: [{ from: at, to: at, insert: `${sign}` }] };
    const code = open.text === "(" ? "unbalanced-parenthesis" : "invalid-condition";
    throw new Mistake(code, `Expected a ${sign} for this ${open.text}, found none. Add it.`, open, fix);
  }

  #nested(read: () => Condition): Condition {
    if (++this.#depth > conditionLimits.depth) {
      const message = `Expected at most ${conditionLimits.depth} levels of nesting, found more. Split the condition.`;
      throw new Mistake("too-deep", message, this.#peek());
    }
    const found = read();
    this.#depth--;
    return found;
  }

  #peek(): Token {
    const token = this.#tokens[this.#at];
    if (!token) throw new Error("read past the end token");
    return token;
  }

  #is(token: Token, text: string | undefined): boolean {
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

  #rangeFrom(index: number): Range {
    return { from: this.#tokens[index]?.from ?? 0, to: this.#lastEnd() };
  }

  #refuseMethod(name: string): never {
    const message = `Expected a function in front of what it works on, found .${name}( behind it. Write ${name}(…).`;
    throw new Mistake("invalid-condition", message, this.#peek());
  }

  #refuse(expected: string): never {
    throw mistakeAt(this.#text, this.#peek(), expected);
  }
}
