import type { Expression, FlowTextKind } from "../flow/expression";
import { lexDsl } from "./lexer";

/** The context of an expression; decides whether a parallel needs parentheses. */
type PrintContext = "members" | "inside";

/**
 * The DSL text of an expression, on one line: names quoted only where they need it, parentheses only where they mean
 * something. `parseFlow(printFlow(x)).expression` equals `x` but for ranges. Linear, without recursion.
 */
export function printFlow(expression: Expression, options: { as?: FlowTextKind } = {}): string {
  const context: PrintContext = options.as === "group-parallel" ? "members" : "inside";
  const texts: string[] = [];
  const waiting: (string | Expression)[] = layOut(expression, context);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") texts.push(next);
    else for (const token of layOut(next, "inside")) waiting.push(token);
  }
  return texts.join("");
}

/** The signs and members that an expression is written as, last one first. */
function layOut(expression: Expression, context: PrintContext): (string | Expression)[] {
  if (expression.type === "name") return [printName(expression.name)];
  if (expression.type === "serial") return join(expression.members, " >> ");
  return context === "members" ? join(expression.members, " | ") : wrap("(", join(expression.members, " | "), ")");
}

const join = (members: readonly Expression[], sign: string): (string | Expression)[] =>
  members.flatMap((member, index) => (index === 0 ? [member] : [sign, member])).reverse();

const wrap = <T>(open: T, members: T[], close: T): T[] => [close, ...members, open];

/** A name as the DSL writes it: bare where that reads back as the same name, else in quotes. */
export function printName(name: string): string {
  const [nameToken, endToken] = lexDsl(name);
  const bare =
    nameToken?.type === "name" && nameToken.from === 0 && endToken?.type === "end" && nameToken.text === name;
  return bare ? name : `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
