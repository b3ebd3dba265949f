import type { Expression, FlowTextKind } from "../flow/expression";
import { lex } from "./lexer";

/** What stands round a part of a text; decides whether a parallel needs parentheses. */
type Place = "members" | "inside";

/**
 * The DSL text of an expression, on one line: names quoted only where they need it, parentheses only where they mean
 * something. `parseFlow(printFlow(x)).expression` equals `x` but for ranges. Linear, without recursion.
 */
export function printFlow(expression: Expression, options: { as?: FlowTextKind } = {}): string {
  const place: Place = options.as === "group-parallel" ? "members" : "inside";
  const texts: string[] = [];
  const waiting: (string | Expression)[] = layOut(expression, place);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") texts.push(next);
    else for (const piece of layOut(next, "inside")) waiting.push(piece);
  }
  return texts.join("");
}

/** The signs and members that an expression is written as, last one first. */
function layOut(expression: Expression, place: Place): (string | Expression)[] {
  if (expression.type === "name") return [printName(expression.name)];
  if (expression.type === "serial") return join(expression.members, " >> ");
  return place === "members" ? join(expression.members, " | ") : wrap("(", join(expression.members, " | "), ")");
}

const join = (members: readonly Expression[], sign: string): (string | Expression)[] =>
  members.flatMap((member, index) => (index === 0 ? [member] : [sign, member])).reverse();

const wrap = <T>(open: T, pieces: T[], close: T): T[] => [close, ...pieces, open];

/** A name as the DSL writes it: bare where that reads back as the same name, else in quotes. */
export function printName(name: string): string {
  const [first, end] = lex(name);
  const bare =
    first?.type === "name" && first.from === 0 && end?.type === "end" && first.text === name && name[0] !== '"';
  return bare ? name : `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
