import type { Fix, Problem, ProblemCode } from "../flow/problem";
import { clip, type TextRange } from "../flow/text-range";
import { type ConditionToken, operatorWords } from "./lexer";

/** Ends the reading of a text at its first mistake. */
export class ConditionSyntaxError extends Error {
  readonly problem: Problem;

  constructor(code: ProblemCode, message: string, { from: start, to: end }: TextRange, fix?: Fix) {
    super(message);
    this.problem = { code, severity: "error", message, range: { from: start, to: end }, ...(fix ? { fix } : {}) };
  }
}

/** Writes a text instead of a range. */
export const toWriteFix = (text: string, { from: start, to: end }: TextRange, label = text): Fix => ({
  title: `Write ${label}`,
  changes: [{ from: start, to: end, insert: text }],
});

/** The error for a token where `expected` should be. */
export function mistakeAt(text: string, token: ConditionToken, expected: string): ConditionSyntaxError {
  const { from: start, to: end, meant } = token;
  const excerpt = token.type === "end" ? "the end" : clip(text.slice(start, end));
  if (token.type === "unclosed-quote") {
    const fix = { title: "Add the missing quote", changes: [{ from: end, to: end, insert: excerpt.charAt(0) }] };
    const message = `Expected a closing ${excerpt.charAt(0)} for this one, found none. Add it where the text ends.`;
    return new ConditionSyntaxError("unclosed-quote", message, token, /\\$/.test(text) ? undefined : fix);
  }
  if (meant === undefined) {
    const message =
      token.type === "end"
        ? `The condition is not finished: expected ${expected}.`
        : `Expected ${expected}, found ${excerpt}.${adviceFor(token)}`;
    return new ConditionSyntaxError("invalid-condition", message, token);
  }
  const message = `Expected ${meant}, found ${excerpt}. Write ${meant}.`;
  return new ConditionSyntaxError("invalid-condition", message, token, toWriteFix(meant, token));
}

/** A `)` that nothing opened. */
export function strayClose(token: ConditionToken): ConditionSyntaxError {
  const fix = { title: "Remove the )", changes: [{ from: token.from, to: token.to, insert: "" }] };
  const message = "Expected a ( for this ), found none. Remove it.";
  return new ConditionSyntaxError("unbalanced-parenthesis", message, token, fix);
}

function adviceFor(token: ConditionToken): string {
  if (token.type === "name" && !operatorWords.has(token.text))
    return " Put text between quotes, or an operator before it.";
  if (token.text === "not") return " Put parentheses round (not …).";
  return " Write it here, or remove the text at this position.";
}
