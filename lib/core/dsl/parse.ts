import { type Expression, nameExpression, namesOf, parallelExpression, serialExpression } from "../flow/expression";
import { limits } from "../flow/flow";
import type { Fix, Problem, ProblemCode } from "../flow/problem";
import type { Range } from "../flow/text";
import { lex, type Token, type TokenType } from "./lexer";

/** `flow`: a whole topology. `group-parallel`, `group-serial`: the members of a named group, where the outer parentheses may be missing. */
export type FlowTextKind = "flow" | "group-parallel" | "group-serial";

export interface ParsedFlow {
  /** Null when the text has mistakes of form; a name that is used twice is no mistake of form. */
  expression: Expression | null;
  problems: Problem[];
}

/** Reads a DSL text. Never throws; ranges and fixes refer to `text`. Linear in its length. */
export function parseFlow(text: string, options: { as?: FlowTextKind } = {}): ParsedFlow {
  const parser = new Parser(text);
  const expression = parser.parse(options.as ?? "flow");
  const problems = parser.problems;
  if (problems.length === 0 && expression) return { expression, problems: findDuplicates(expression) };
  return { expression: null, problems };
}

class Parser {
  readonly problems: Problem[] = [];
  readonly #text: string;
  readonly #tokens: Token[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
    this.#tokens = lex(text);
  }

  // flow = serial
  parse(as: FlowTextKind): Expression | null {
    if (this.#peek().type === "end") {
      this.#report(
        "empty-flow",
        "Expected at least one name, found nothing. Write the name of an agent.",
        this.#peek(),
      );
      return null;
    }
    const found = as === "group-parallel" ? this.#members() : this.#stages();
    while (this.#peek().type !== "end") this.#unexpectedClose(as);
    return found;
  }

  // Outside parentheses: stage { ">>" stage }, where a stage with a bare "|" wants parentheses round it.
  #stages(): Expression | null {
    return this.#chain("arrow", () => this.#stage(), serialExpression).expression;
  }

  #stage(): Expression | null {
    const { expression, separators } = this.#chain("pipe", () => this.#primary(), parallelExpression);
    if (expression && separators > 0) this.#reportBare(expression);
    return expression;
  }

  #reportBare(found: Expression): void {
    const { from, to } = found.range;
    const fix: Fix = {
      title: "Put parentheses round it",
      changes: [
        { from, to: from, insert: "(" },
        { from: to, to, insert: ")" },
      ],
    };
    const shown = this.#text.slice(from, to).trim();
    this.#report(
      "bare-parallel",
      `Members that run at once stand in parentheses: expected (${clip(shown)}).`,
      found.range,
      fix,
    );
  }

  // members = serial { "|" serial }
  #members(): Expression | null {
    return this.#chain("pipe", () => this.#serial(), parallelExpression).expression;
  }

  // serial = primary { ">>" primary }
  #serial(): Expression | null {
    return this.#chain("arrow", () => this.#primary(), serialExpression).expression;
  }

  // primary = name | "(" members ")"
  #primary(): Expression | null {
    const token = this.#peek();
    const found = token.type === "open" ? this.#parenthesised() : this.#name();
    this.#refuseTextBeside(token);
    return found;
  }

  #name(): Expression | null {
    const token = this.#take();
    const range = { from: token.from, to: token.to };
    if (token.type === "unclosed-quote") {
      const fix = { title: 'Add the missing "', changes: [{ from: token.to, to: token.to, insert: '"' }] };
      this.#report("unclosed-quote", 'Expected a closing ", found the end of the text.', range, fix);
      return null;
    }
    if (token.text.trim() === "") {
      this.#report("invalid-name", "A name cannot be empty.", range);
      return null;
    }
    return nameExpression(token.text.trim(), range);
  }

  #parenthesised(): Expression | null {
    const open = this.#take();
    if (this.#depth >= limits.depth) return this.#skipDeep(open);
    this.#depth++;
    const close = this.#optional("close");
    if (close) {
      this.#depth--;
      const range = { from: open.from, to: close.to };
      this.#report("empty-group", "Expected names between the parentheses, found none.", range);
      return null;
    }
    const found = this.#members();
    this.#depth--;
    const end = this.#optional("close");
    if (!end) {
      const fix = {
        title: "Add the missing )",
        changes: [{ from: this.#text.length, to: this.#text.length, insert: ")" }],
      };
      this.#report("unbalanced-parenthesis", "This ( has no ). Add it where the group ends.", open, fix);
      return found;
    }
    return found && withRange(found, { from: open.from, to: end.to });
  }

  #skipDeep(open: Token): null {
    this.#report("too-deep", `Parentheses nest more than ${limits.depth} deep. Name a part of it as a group.`, open);
    this.#at = this.#tokens.length - 1;
    return null;
  }

  /** `part { separator part }` with every way of getting a separator wrong. */
  #chain(
    separator: "arrow" | "pipe",
    part: () => Expression | null,
    join: (members: readonly Expression[], range: Range) => Expression,
  ): { expression: Expression | null; separators: number } {
    const start = this.#peek().from;
    const parts: Expression[] = [];
    let whole = true;
    let last: Token | null = null;
    for (let separators = 0; ; separators++) {
      const token = this.#peek();
      if (startsPart(token.type)) {
        const found = part();
        if (found) parts.push(found);
        else whole = false;
      } else {
        whole = false;
        this.#reportMissing(separator, last, token);
      }
      last = this.#separator(separator);
      if (last) continue;
      const range = { from: start, to: this.#lastEnd() };
      return { expression: whole && parts.length > 0 ? join(parts, range) : null, separators };
    }
  }

  #separator(type: "arrow" | "pipe"): Token | null {
    const token = this.#peek();
    if (token.type === type) return this.#take();
    if (token.type !== "wrong-arrow" || type !== "arrow") return null;
    const fix = { title: "Write >>", changes: [{ from: token.from, to: token.to, insert: this.#spaced(token, ">>") }] };
    this.#report("not-an-arrow", `Expected >> here, found ${token.text}`, token, fix);
    return this.#take();
  }

  /** `insert` with the spaces that the text round the token lacks. */
  #spaced(token: Token, insert: string): string {
    const before = token.from > 0 && !/\s/.test(this.#text[token.from - 1] ?? " ") ? " " : "";
    const after = token.to < this.#text.length && !/\s/.test(this.#text[token.to] ?? " ") ? " " : "";
    return `${before}${insert}${after}`;
  }

  #reportMissing(separator: "arrow" | "pipe", last: Token | null, next: Token): void {
    const spare = last ?? (next.type === "arrow" || next.type === "pipe" || next.type === "wrong-arrow" ? next : null);
    const pipe = spare ? spare.type === "pipe" : separator === "pipe";
    const where = last ? `after ${last.text}` : `before ${next.text || "the end"}`;
    const fix: Fix | undefined = spare
      ? { title: `Remove the ${spare.text}`, changes: [{ from: spare.from, to: spare.to, insert: "" }] }
      : undefined;
    const message = `Expected a name or a group ${where}, found ${next.text ? clip(next.text) : "the end"}.`;
    this.#report(pipe ? "missing-member" : "missing-operand", message, spare ?? next, fix);
  }

  /** Names or groups that stand side by side without a sign between them. */
  #refuseTextBeside(first: Token): void {
    let left = first.type;
    while (startsPart(this.#peek().type)) {
      const token = this.#peek();
      const paren = left === "open" || token.type === "open";
      const fix = { title: "Put >> between", changes: [{ from: token.from, to: token.from, insert: ">> " }] };
      this.#report(
        paren ? "text-beside-parenthesis" : "not-an-arrow",
        `Expected >> or | before ${clip(this.#text.slice(token.from, token.to))}, found nothing between.`,
        token,
        fix,
      );
      left = token.type;
      if (token.type === "open") this.#parenthesised();
      else this.#name();
    }
  }

  #unexpectedClose(as: FlowTextKind): void {
    const token = this.#take();
    if (token.type === "close") {
      const fix = { title: "Remove the )", changes: [{ from: token.from, to: token.to, insert: "" }] };
      this.#report("unbalanced-parenthesis", "This ) has no (. Remove it, or open the group before it.", token, fix);
    }
    if (this.#peek().type === "end") return;
    if (as === "group-parallel") this.#optional("pipe");
    else this.#separator("arrow") ?? this.#optional("pipe");
    if (startsPart(this.#peek().type)) as === "group-parallel" ? this.#members() : this.#stages();
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { type: "end", text: "", from: this.#text.length, to: this.#text.length };
  }

  #take(): Token {
    const token = this.#peek();
    if (token.type !== "end") this.#at++;
    return token;
  }

  #optional(type: TokenType): Token | null {
    return this.#peek().type === type ? this.#take() : null;
  }

  #lastEnd(): number {
    return this.#tokens[this.#at - 1]?.to ?? 0;
  }

  #report(code: ProblemCode, message: string, { from, to }: Range, fix?: Fix): void {
    this.problems.push({ code, severity: "error", message, range: { from, to }, ...(fix ? { fix } : {}) });
  }
}

const startsPart = (type: TokenType): boolean => type === "name" || type === "open" || type === "unclosed-quote";

const withRange = (expression: Expression, range: Range): Expression =>
  expression.type === "name" ? expression : { ...expression, range };

const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

function findDuplicates(expression: Expression): Problem[] {
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const { name, range } of namesOf(expression)) {
    if (seen.has(name))
      problems.push({
        code: "duplicate-name",
        severity: "error",
        message: `"${clip(name)}" stands in this flow twice. Each name may be used once; declare a second agent to do it again.`,
        range,
      });
    seen.add(name);
  }
  return problems;
}
