import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArithmeticError, calculate, maxDepth, maxLength } from "./arithmetic";

/** A sum as a tree, its text, and its value by plain JavaScript: the reference that the parser is held against. */
interface Sum {
  text: string;
  value: number;
}

const { sum } = fc.letrec<{ sum: Sum }>((tie) => {
  const number = fc.nat({ max: 1000 }).map((value): Sum => ({ text: String(value), value }));
  const decimal = fc.nat({ max: 9999 }).map((value): Sum => ({ text: (value / 100).toFixed(2), value: value / 100 }));
  const pair = fc.tuple(tie("sum"), tie("sum"));
  const operation = (symbol: string, apply: (a: number, b: number) => number) =>
    pair.map(([a, b]): Sum => ({ text: `(${a.text}) ${symbol} (${b.text})`, value: apply(a.value, b.value) }));
  return {
    sum: fc.oneof(
      { maxDepth: 4, depthSize: "small" },
      number,
      decimal,
      operation("+", (a, b) => a + b),
      operation("-", (a, b) => a - b),
      operation("*", (a, b) => a * b),
      tie("sum").map((a): Sum => ({ text: `-(${a.text})`, value: -a.value })),
      pair.map(([a, b]): Sum => ({ text: `max(${a.text}, ${b.text})`, value: Math.max(a.value, b.value) })),
      tie("sum").map((a): Sum => ({ text: `abs(${a.text})`, value: Math.abs(a.value) })),
    ),
  };
});

describe("calculate", () => {
  it.each<[string, number]>([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["10 - 4 - 3", 3],
    ["100 / 10 / 2", 5],
    ["2 ^ 3 ^ 2", 512],
    ["-2 ^ 2", -4],
    ["(-2) ^ 2", 4],
    ["2 ^ -1", 0.5],
    ["2 * -3", -6],
    ["--3", 3],
    ["+3", 3],
    ["7 % 4", 3],
    ["-7 % 4", -3],
    ["2 ** 10", 1024],
    ["6 × 7", 42],
    ["8 ÷ 2 − 1", 3],
    [".5 + 1.", 1.5],
    ["1.5e3", 1500],
    ["sqrt(16) + abs(-2)", 6],
    ["round(2.5)", 3],
    ["round(-2.5)", -3],
    ["round(1.005, 2)", 1.01],
    ["round(1234.5678, 1)", 1234.6],
    ["min(3, 1, 2) + max(3, 1, 2)", 4],
    ["PI", Math.PI],
    ["e ^ 0", 1],
    ["  1\n+\t1  ", 2],
  ])("%s = %d", (text, value) => {
    expect(calculate(text)).toBe(value);
  });

  it("agrees with plain JavaScript on any sum", () => {
    fc.assert(
      fc.property(sum, ({ text, value }) => {
        fc.pre(text.length <= maxLength);
        expect(calculate(text)).toBe(value);
      }),
    );
  });

  it.each<[string, RegExp]>([
    ["1 / 0", /division by zero/],
    ["1 % (2 - 2)", /division by zero/],
    ["0 ^ -1", /division by zero/],
    ["", /expected a number at column 1, found the end/],
    ["   ", /expected a number/],
    ["1 +", /expected a number at column 4, found the end/],
    ["1 2", /expected an operator or the end at column 3, found "2"/],
    ["(1", /expected "\)"/],
    ["1)", /expected an operator or the end/],
    ["1,2", /found ","/],
    ["1 $ 2", /unexpected "\$" at column 3/],
    ["sqrt", /expected "\("/],
    ["sqrt()", /expected a number/],
    ["sqrt(1, 2)", /sqrt takes 1 to 1/],
    ["sqrt(-1)", /not a real number/],
    ["10 ^ 999", /too large/],
    ["9".repeat(400), /too large/],
    ["round(1, 99)", /number of digits/],
    ["1".repeat(maxLength + 1), /at most 500 characters/],
    ["(".repeat(maxDepth + 1), /nested deeper/],
    [`${"-".repeat(400)}1`, /nested deeper/],
    [`${"2^".repeat(200)}1`, /nested deeper/],
  ])("refuses %j", (text, message) => {
    expect(() => calculate(text)).toThrow(ArithmeticError);
    expect(() => calculate(text)).toThrow(message);
  });

  it.each([
    "process.exit()",
    "constructor",
    "__proto__",
    "toString()",
    "sqrt.constructor('return 1')()",
    "globalThis",
    "[].map",
    "`1`",
    "1; 2",
    "x = 1",
    "() => 1",
    "hasOwnProperty(1)",
    "1\u0000+1",
    "١ + ١",
  ])("runs nothing: %s", (text) => {
    expect(() => calculate(text)).toThrow(ArithmeticError);
  });

  it("throws nothing but ArithmeticError, and answers finite numbers only", () => {
    const pieces = fc.constantFrom(
      "1",
      "2.5",
      "+",
      "-",
      "*",
      "/",
      "%",
      "^",
      "(",
      ")",
      ",",
      " ",
      "pi",
      "sqrt",
      "max",
      "x",
      "e",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join("")),
        ),
        (text) => {
          try {
            expect(Number.isFinite(calculate(text))).toBe(true);
          } catch (error) {
            expect(error).toBeInstanceOf(ArithmeticError);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
