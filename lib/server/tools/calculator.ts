import "server-only";
import { z } from "zod";
import { calculate, maxLength } from "./arithmetic";
import { defineTool } from "./define-tool";

/** Results are shown with 15 significant digits, so that `0.1 + 0.2` reads 0.3. */
const show = (value: number): string => String(Number(value.toPrecision(15)));

/** Works out a sum: answers `<expression> = <value>`. */
export const calculator = defineTool({
  name: "calculator",
  description:
    "Works out a sum. Knows + - * / % (remainder) ^ (power), parentheses, decimals, sqrt, abs, round, min, max, pi and e. Use it for every calculation with numbers, costs or totals.",
  input: z.strictObject({
    expression: z.string().min(1).max(maxLength).describe("The sum to work out, for example 12 * (3 + 4.5)"),
  }),
  execute: async ({ expression }) => `${expression.trim()} = ${show(calculate(expression))}`,
});
