import { limits } from "../flow/flow";
import type { Fix, Problem, ProblemCode } from "../flow/problem";
import { clip, type TextRange } from "../flow/text-range";
import type { DslToken } from "./lexer";
import { closeQuote, insertion, removeMember, removeSign, replaceToken, withSpaces } from "./repairs";

/** The list stops here: a hostile text contains millions of mistakes. */
const mostProblems = 1000;

/** The problems of one DSL text: code, message and fix for each mistake. */
export class DslMistakes {
  readonly problems: Problem[] = [];
  /** Whether the text has a tree, whatever else is wrong with it. */
  wellFormed = true;

  constructor(
    private readonly text: string,
    private readonly tokens: readonly DslToken[],
  ) {}

  emptyFlow(end: DslToken): void {
    this.#report("empty-flow", "Expected at least one name, found nothing. Write the name of an agent.", end);
  }

  unclosedQuote(index: number): void {
    const token = this.#token(index);
    const fix = token.text === "" ? this.#removal(index, index, "quote") : closeQuote(this.text, token);
    this.#report("unclosed-quote", 'Expected a closing " for this one, found none. Add it after the name.', token, fix);
  }

  emptyName(index: number): void {
    const message = "Expected a name between the quotes, found none. Write it, or remove the quotes.";
    this.#report("invalid-name", message, this.#token(index), this.#removal(index, index, "empty name"));
  }

  emptyGroup(firstIndex: number, lastIndex: number): void {
    const message = "Expected names between the parentheses, found none. Write them, or remove the parentheses.";
    const range = { from: this.#token(firstIndex).from, to: this.#token(lastIndex).to };
    this.#report("empty-group", message, range, this.#removal(firstIndex, lastIndex, "empty group"));
  }

  tooDeep(open: DslToken): void {
    const message = `Expected at most ${limits.depth} parentheses round a name, found more. Move a part of it into a named group.`;
    this.#report("too-deep", message, open);
  }

  /** A `(` without `)`; `end` is where the `)` most likely belongs, null when nothing follows the `(`. */
  unclosedGroup(index: number, end: number | null): void {
    const fix = end === null ? this.#removal(index, index, "(") : insertion("Add the missing )", end, ")");
    const advice = end === null ? "Remove it, or write the group." : "Add it where the group ends.";
    const message = `Expected a ) for this (, found none. ${advice}`;
    this.#report("unbalanced-parenthesis", message, this.#token(index), fix);
  }

  /** A `)` without `(`; `start` is the index of the token that the `(` most likely belongs before. */
  strayClose(index: number, start: number | null): void {
    const token = this.#token(index);
    let fix: Fix = { title: "Remove the )", changes: [{ from: token.from, to: token.to, insert: "" }] };
    if (start !== null) fix = insertion("Add the missing (", this.#token(start).from, "(");
    else if (index > 0 && startsOperand(this.tokens[index + 1])) fix = replaceToken(this.text, token, ">>");
    const advice = start === null ? "Remove it, or open the group before it." : "Add it where the group begins.";
    this.#report("unbalanced-parenthesis", `Expected a ( for this ), found none. ${advice}`, token, fix);
  }

  bareParallel({ from: start, to: end }: TextRange): void {
    const changes = [
      { from: start, to: start, insert: "(" },
      { from: end, to: end, insert: ")" },
    ];
    const message = `Expected parentheses round members that run at once: (${clip(this.text.slice(start, end))}). Add them.`;
    this.#report("bare-parallel", message, { from: start, to: end }, { title: "Put parentheses round it", changes });
  }

  /** Two names or groups side by side without a sign between them; `index` is the second. */
  adjacentOperands(index: number, withGroup: boolean): void {
    const token = this.#token(index);
    const excerpt = clip(this.text.slice(token.from, token.to));
    const sign = withSpaces(this.text, token.from, token.from, ">>").trimEnd();
    const message = `Expected >> or | before ${excerpt}, found nothing between. Add one of them.`;
    const fix = insertion("Put >> between", token.from, `${sign} `);
    this.#report(withGroup ? "text-beside-parenthesis" : "not-an-arrow", message, token, fix);
  }

  /** A sign that joins nothing. */
  spareSign(index: number): void {
    const token = this.#token(index);
    const before = this.tokens[index - 1];
    const side = startsOperand(before) || before?.type === "close" ? "after" : "before";
    const code = token.type === "pipe" ? "missing-member" : "missing-operand";
    const message = `Expected a name or a group ${side} ${token.text}, found none. Write one, or remove the ${token.text}.`;
    this.#report(code, message, token, removeSign(this.text, this.tokens, index));
  }

  /** `listed`: the token is in a list of members, so a comma most likely means `|`. */
  wrongArrow(index: number, listed: boolean): void {
    const token = this.#token(index);
    const sign = listed && token.text === "," ? "|" : ">>";
    const message = `Expected ${sign}, found ${clip(token.text)}. Write ${sign}.`;
    this.#report("not-an-arrow", message, token, replaceToken(this.text, token, sign));
  }

  /** Names that occur more than once in the text; `names` are the indexes of all name tokens. */
  duplicates(names: readonly number[]): void {
    const usedNames = new Set<string>();
    for (const index of names) {
      const token = this.#token(index);
      if (!usedNames.has(token.text)) usedNames.add(token.text);
      else {
        const message = `Expected each name once, found "${clip(token.text)}" again. Remove it, or declare a second agent to do it again.`;
        this.#add("duplicate-name", message, token, this.#removal(index, index, "second one"));
      }
    }
  }

  tooManyLinks(links: number, most: number): void {
    const message = `Expected at most ${most} links, found ${links}: every last member of a group is linked to every first one of the next. Put one agent or a named group between them.`;
    this.#add("too-large", message, { from: 0, to: this.text.length });
  }

  #token(index: number): DslToken {
    return this.tokens[index] ?? { type: "end", text: "", from: this.text.length, to: this.text.length };
  }

  #removal(firstToken: number, lastToken: number, noun: string): Fix {
    return { title: `Remove the ${noun}`, changes: removeMember(this.text, this.tokens, [firstToken, lastToken]) };
  }

  #report(code: ProblemCode, message: string, range: TextRange, fix?: Fix): void {
    this.wellFormed = false;
    this.#add(code, message, range, fix);
  }

  #add(code: ProblemCode, message: string, { from: start, to: end }: TextRange, fix?: Fix): void {
    if (this.problems.length >= mostProblems) return;
    this.problems.push({ code, severity: "error", message, range: { from: start, to: end }, ...(fix ? { fix } : {}) });
  }
}

export const startsOperand = (token: DslToken | undefined): boolean =>
  token?.type === "name" || token?.type === "open" || token?.type === "unclosed-quote";
