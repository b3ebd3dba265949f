import type { Expression } from "../flow/expression";
import { lex } from "./lexer";
import type { FlowTextKind } from "./parse";

/**
 * The DSL text of an expression, on one line: names quoted only where they need it, parentheses only where they mean
 * something. `parseFlow(printFlow(x)).expression` equals `x` but for ranges.
 */
export function printFlow(expression: Expression, options: { as?: FlowTextKind } = {}): string {
  return print(expression, options.as === "group-parallel" ? "members" : "serial");
}

/** `inside`: what the text round it is made of; decides who needs parentheses. */
function print(expression: Expression, inside: "members" | "serial" | "parallel"): string {
  if (expression.type === "name") return printName(expression.name);
  if (expression.type === "serial") return join(expression.members, " >> ", "serial");
  const members = join(expression.members, " | ", "parallel");
  return inside === "members" ? members : `(${members})`;
}

const join = (members: readonly Expression[], separator: string, inside: "serial" | "parallel"): string =>
  members.map((member) => print(member, inside)).join(separator);

/** A name as the DSL writes it: bare where that reads back as the same name, else in quotes. */
export function printName(name: string): string {
  const [first, end] = lex(name);
  const bare =
    first?.type === "name" && first.from === 0 && end?.type === "end" && first.text === name && name[0] !== '"';
  return bare ? name : `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
