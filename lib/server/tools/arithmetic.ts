import "server-only";

/** Largest text that is read, in UTF-16 units. */
export const maxLength = 500;
/** Deepest nesting of parentheses, signs and powers. */
export const maxDepth = 50;

/** What is wrong with a sum, in words for the one who wrote it. */
export class ArithmeticError extends Error {
  override name = "ArithmeticError";
}

const constants = new Map<string, number>([
  ["pi", Math.PI],
  ["e", Math.E],
]);

/** Functions with the number of arguments they take. */
const functions = new Map<string, { least: number; most: number; apply: (...values: number[]) => number }>([
  ["sqrt", { least: 1, most: 1, apply: Math.sqrt }],
  ["abs", { least: 1, most: 1, apply: Math.abs }],
  ["round", { least: 1, most: 2, apply: round }],
  ["min", { least: 1, most: 50, apply: Math.min }],
  ["max", { least: 1, most: 50, apply: Math.max }],
]);

/** Halves go away from zero, as people round. */
function round(value: number, digits = 0): number {
  if (!Number.isInteger(digits) || digits < 0 || digits > 15)
    throw new ArithmeticError(`round: the number of digits must be a whole number from 0 to 15, found ${digits}`);
  const rounded = Number(`${Math.round(Number(`${Math.abs(value)}e${digits}`))}e-${digits}`);
  return Number.isNaN(rounded) ? value : Math.sign(value) * rounded;
}

/**
 * The value of an arithmetic text such as `2 * (3 + 4) ^ 2`. A recursive-descent parser: nothing is ever evaluated as
 * code. `^` binds tighter than a sign on its left (`-2 ^ 2` is -4) and groups to the right; `%` is the remainder.
 * @throws ArithmeticError when the text is no such sum, or has no finite value.
 */
export function calculate(text: string): number {
  if (text.length > maxLength)
    throw new ArithmeticError(`expected at most ${maxLength} characters, found ${text.length}`);
  const value = new ArithmeticParser(text).parse();
  if (Number.isNaN(value)) throw new ArithmeticError("the result is not a real number");
  if (!Number.isFinite(value)) throw new ArithmeticError("the result is too large");
  return value;
}

const tokenPattern = /\s*(?:((?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/%^(),×÷−·]))/y;
const spellings = new Map([
  ["**", "^"],
  ["×", "*"],
  ["·", "*"],
  ["÷", "/"],
  ["−", "-"],
]);

interface ArithmeticToken {
  type: "number" | "name" | "symbol" | "end";
  text: string;
  /** 1-based. */
  column: number;
}

function readTokens(text: string): ArithmeticToken[] {
  const tokens: ArithmeticToken[] = [];
  const end = text.trimEnd().length;
  let offset = 0;
  while (offset < end) {
    tokenPattern.lastIndex = offset;
    const match = tokenPattern.exec(text);
    if (!match) {
      const column = offset + (/\S/.exec(text.slice(offset))?.index ?? 0) + 1;
      throw new ArithmeticError(`unexpected "${text.charAt(column - 1)}" at column ${column}`);
    }
    const [matchedText, number, name, symbol = ""] = match;
    offset += matchedText.length;
    const tokenText = number ?? name ?? symbol;
    const type = number !== undefined ? "number" : name !== undefined ? "name" : "symbol";
    tokens.push({ type, text: spellings.get(tokenText) ?? tokenText, column: offset - tokenText.length + 1 });
  }
  tokens.push({ type: "end", text: "the end", column: end + 1 });
  return tokens;
}

class ArithmeticParser {
  readonly #tokens: ArithmeticToken[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = readTokens(text);
  }

  /** input = sum, end */
  parse(): number {
    const value = this.#sum();
    if (this.#peek().type !== "end") this.#refuse("an operator or the end");
    return value;
  }

  /** sum = product, { ("+" | "-"), product } */
  #sum(): number {
    let value = this.#product();
    for (;;) {
      if (this.#optional("+")) value += this.#product();
      else if (this.#optional("-")) value -= this.#product();
      else return value;
    }
  }

  /** product = signed, { ("*" | "/" | "%"), signed } */
  #product(): number {
    let value = this.#signed();
    for (;;) {
      if (this.#optional("*")) value *= this.#signed();
      else if (this.#optional("/")) value /= this.#divisor();
      else if (this.#optional("%")) value %= this.#divisor();
      else return value;
    }
  }

  #divisor(): number {
    const value = this.#signed();
    if (value === 0) throw new ArithmeticError("division by zero");
    return value;
  }

  /** signed = ("-" | "+"), signed | power */
  #signed(): number {
    return this.#nested(() => {
      if (this.#optional("-")) return -this.#signed();
      if (this.#optional("+")) return this.#signed();
      return this.#power();
    });
  }

  /** power = primary, [ "^", signed ] */
  #power(): number {
    const base = this.#primary();
    if (!this.#optional("^")) return base;
    const exponent = this.#signed();
    if (base === 0 && exponent < 0) throw new ArithmeticError("division by zero");
    return base ** exponent;
  }

  /** primary = number | constant | function, arguments | "(", sum, ")" */
  #primary(): number {
    const token = this.#peek();
    if (token.type === "number") {
      this.#at++;
      return Number(token.text);
    }
    if (token.type === "name") return this.#named(token);
    if (!this.#optional("(")) this.#refuse("a number");
    const value = this.#sum();
    this.#expect(")");
    return value;
  }

  #named(token: ArithmeticToken): number {
    this.#at++;
    const name = token.text.toLowerCase();
    const constant = constants.get(name);
    if (constant !== undefined) return constant;
    const called = functions.get(name);
    if (!called) {
      const knownNames = [...functions.keys(), ...constants.keys()].join(", ");
      throw new ArithmeticError(`unknown name "${token.text}" at column ${token.column}; known are ${knownNames}`);
    }
    const values = this.#arguments();
    if (values.length < called.least || values.length > called.most)
      throw new ArithmeticError(`${name} takes ${called.least} to ${called.most} numbers, found ${values.length}`);
    return called.apply(...values);
  }

  /** arguments = "(", sum, { ",", sum }, ")" */
  #arguments(): number[] {
    this.#expect("(");
    const values = [this.#sum()];
    while (this.#optional(",")) values.push(this.#sum());
    this.#expect(")");
    return values;
  }

  #nested(read: () => number): number {
    if (++this.#depth > maxDepth) throw new ArithmeticError(`nested deeper than ${maxDepth}`);
    const value = read();
    this.#depth--;
    return value;
  }

  #peek(): ArithmeticToken {
    const token = this.#tokens[this.#at];
    if (!token) throw new Error("read past the end token");
    return token;
  }

  #optional(symbol: string): boolean {
    const token = this.#peek();
    if (token.type !== "symbol" || token.text !== symbol) return false;
    this.#at++;
    return true;
  }

  #expect(symbol: string): void {
    if (!this.#optional(symbol)) this.#refuse(`"${symbol}"`);
  }

  #refuse(expected: string): never {
    const { text, column, type } = this.#peek();
    const actual = type === "end" ? text : `"${text}"`;
    throw new ArithmeticError(`expected ${expected} at column ${column}, found ${actual}`);
  }
}
