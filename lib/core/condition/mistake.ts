import type { Fix, Problem, ProblemCode } from "../flow/problem";
import { clip, type Range } from "../flow/text-range";
import { operatorWords, type Token } from "./lexer";

/** Ends the reading of a text at its first mistake. */
export class Mistake extends Error {
  readonly problem: Problem;

  constructor(code: ProblemCode, message: string, { from, to }: Range, fix?: Fix) {
    super(message);
    this.problem = { code, severity: "error", message, range: { from, to }, ...(fix ? { fix } : {}) };
  }
}

/** What is said of a token that stands where `expected` should. */
export function mistakeAt(text: string, token: Token, expected: string): Mistake {
  const { from, to, meant } = token;
  const shown = token.type === "end" ? "the end" : clip(text.slice(from, to));
  if (token.type === "unclosed-quote") {
    const fix = { title: "Add the missing quote", changes: [{ from: to, to, insert: shown.charAt(0) }] };
    const message = `Expected a closing ${shown.charAt(0)} for this one, found none. Add it where the text ends.`;
    return new Mistake("unclosed-quote", message, token, /\\$/.test(text) ? undefined : fix);
  }
  if (meant !== undefined) {
    const fix = { title: `Write ${meant}`, changes: [{ from, to, insert: meant }] };
    return new Mistake("invalid-condition", `Expected ${meant}, found ${shown}. Write ${meant}.`, token, fix);
  }
  return new Mistake("invalid-condition", `Expected ${expected}, found ${shown}.${adviceFor(token)}`, token);
}

/** A `)` that nothing opened. */
export function strayClose({ from, to }: Token): Mistake {
  const fix = { title: "Remove the )", changes: [{ from, to, insert: "" }] };
  return new Mistake("unbalanced-parenthesis", "Expected a ( for this ), found none. Remove it.", { from, to }, fix);
}

function adviceFor(token: Token): string {
  if (token.type === "end") return " Write the rest of the condition.";
  if (token.type === "name" && !operatorWords.has(token.text))
    return " Put text between quotes, or an operator before it.";
  if (token.text === "not") return " Put parentheses round (not …).";
  return " Write it here, or remove what stands here.";
}
