import {
  type Expression,
  type FlowTextKind,
  nameExpression,
  parallelExpression,
  serialExpression,
} from "../flow/expression";
import { limits } from "../flow/flow";
import type { Problem } from "../flow/problem";
import type { Range } from "../flow/text-range";
import { lex, type Token, type TokenType } from "./lexer";
import { Mistakes, startsPart } from "./mistakes";
import { countLinks, mostLinks } from "./series-parallel";

export interface ParsedFlow {
  /** Null when the text has mistakes of form; a name that is used twice, or too many links, is no mistake of form. */
  expression: Expression | null;
  /** One for each mistake, in the order of the text; at most a thousand. */
  problems: Problem[];
}

/** Reads a DSL text (grammar.md). Never throws; ranges and fixes refer to `text`. Linear in its length. */
export function parseFlow(text: string, options: { as?: FlowTextKind } = {}): ParsedFlow {
  const parser = new Parser(text, options.as ?? "flow");
  const expression = parser.parse();
  const { problems } = parser.mistakes;
  return { expression, problems: problems.sort((a, b) => (a.range?.from ?? 0) - (b.range?.from ?? 0)) };
}

/** What joins the parts of a list: its sign, the node it makes, and whether its parts are lists themselves. */
interface List {
  sign: "arrow" | "pipe";
  join: (members: readonly Expression[], range: Range) => Expression;
  nested: boolean;
}
const stages: List = { sign: "arrow", join: serialExpression, nested: true };
const stage: List = { sign: "pipe", join: parallelExpression, nested: false };
const members: List = { sign: "pipe", join: parallelExpression, nested: true };
const serial: List = { sign: "arrow", join: serialExpression, nested: false };

interface FoundList {
  expression: Expression | null;
  parts: number;
}

class Parser {
  readonly mistakes: Mistakes;
  readonly #as: FlowTextKind;
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  /** Indexes of the tokens that are names. */
  readonly #names: number[] = [];
  #at = 0;
  #depth = 0;
  /** Where the first part of the last serial ended: a missing `)` most likely belongs there. */
  #headEnd = 0;
  /** Index of the first token of a bare parallel that a `)` follows: its `(` most likely belongs there. */
  #unopened: number | null = null;
  /** The text ended inside parentheses that were too deep to read. */
  #cutOff = false;

  constructor(text: string, as: FlowTextKind) {
    this.#as = as;
    this.#tokens = lex(text);
    this.#end = { type: "end", text: "", from: text.length, to: text.length };
    this.mistakes = new Mistakes(text, this.#tokens);
  }

  // flow = serial
  parse(): Expression | null {
    if (this.#peek().type === "end") {
      this.mistakes.emptyFlow(this.#end);
      return null;
    }
    let found = this.#topLevel();
    while (this.#peek().type !== "end") {
      this.#strayClose();
      if (this.#peek().type !== "end") found = this.#topLevel();
    }
    this.mistakes.duplicates(this.#names);
    if (!found || !this.mistakes.wellFormed) return null;
    const links = countLinks(found);
    if (links > mostLinks) this.mistakes.tooManyLinks(links, mostLinks);
    return found;
  }

  #topLevel(): Expression | null {
    return this.#as === "group-parallel" ? this.#members().expression : this.#stages();
  }

  // serial = parallel { ">>" parallel }          outside parentheses
  #stages(): Expression | null {
    return this.#many(stages, () => this.#stage()).expression;
  }

  // parallel = primary                           a bare `a | b` is read too, and reported
  #stage(): Expression | null {
    const first = this.#at;
    const { expression, parts } = this.#many(stage, () => this.#primary());
    if (parts < 2) return expression;
    if (this.#peek().type === "close") this.#unopened = first;
    else this.mistakes.bareParallel(this.#rangeFrom(first));
    return expression;
  }

  // members = serial { "|" serial }              inside parentheses and in parallel groups
  #members(): FoundList {
    return this.#many(members, () => this.#serial());
  }

  // serial = primary { ">>" primary }            inside parentheses and in parallel groups
  #serial(): Expression | null {
    let headEnd: number | null = null;
    const { expression } = this.#many(serial, () => {
      const found = this.#primary();
      headEnd ??= this.#lastEnd();
      return found;
    });
    this.#headEnd = headEnd ?? this.#lastEnd();
    return expression;
  }

  // primary = name | "(" members ")"             names or groups side by side are read too, and reported
  #primary(): Expression | null {
    let left = this.#peek().type;
    const found = this.#nameOrGroup();
    if (!startsPart(this.#peek())) return found;
    while (startsPart(this.#peek())) {
      const { type } = this.#peek();
      this.mistakes.beside(this.#at, left === "open" || type === "open");
      left = type;
      this.#nameOrGroup();
    }
    return null;
  }

  #nameOrGroup(): Expression | null {
    return this.#peek().type === "open" ? this.#group() : this.#name();
  }

  // name = quoted | bare
  #name(): Expression | null {
    const index = this.#at;
    const { type, text, from, to } = this.#take();
    if (type === "unclosed-quote") this.mistakes.unclosedQuote(index);
    else if (text === "") this.mistakes.emptyName(index);
    else {
      this.#names.push(index);
      return nameExpression(text, { from, to });
    }
    return null;
  }

  // group = "(" members ")"
  #group(): Expression | null {
    const first = this.#at;
    if (this.#skipEmptyGroup()) return null;
    const open = this.#take();
    if (this.#depth >= limits.depth) return this.#skipDeepGroup(open);
    this.#depth++;
    const { expression, parts } = this.#members();
    this.#depth--;
    if (this.#optional("close")) return expression && withRange(expression, this.#rangeFrom(first));
    if (this.#cutOff) return null;
    const end = parts > 1 ? this.#headEnd : this.#lastEnd();
    this.mistakes.unclosedGroup(first, this.#at === first + 1 ? null : end);
    return null;
  }

  /** `()`, `(())` and so on: one mistake. */
  #skipEmptyGroup(): boolean {
    const first = this.#at;
    let opens = 0;
    while (opens <= limits.depth && this.#tokens[first + opens]?.type === "open") opens++;
    for (let closes = 0; closes < opens; closes++)
      if (this.#tokens[first + opens + closes]?.type !== "close") return false;
    this.#at = first + 2 * opens;
    this.mistakes.emptyGroup(first, this.#at - 1);
    return true;
  }

  #skipDeepGroup(open: Token): null {
    this.mistakes.tooDeep(open);
    for (let depth = 1; depth > 0 && !this.#cutOff; ) {
      const { type } = this.#take();
      if (type === "open") depth++;
      else if (type === "close") depth--;
      else if (type === "end") this.#cutOff = true;
    }
    return null;
  }

  /** Only a `)` that nothing opened stops the lists of the top level. The sign behind it joins what stands round it. */
  #strayClose(): void {
    this.mistakes.strayClose(this.#at, this.#unopened);
    this.#unopened = null;
    this.#take();
    const sign = this.#optionalSign(stages) ?? this.#optionalSign(members);
    if (sign !== null && !startsPart(this.#peek())) this.mistakes.spareSign(sign);
  }

  /**
   * `part { sign part }`. A sign too many is reported and left out; a wrong one is reported and taken for the right one.
   */
  #many(list: List, part: () => Expression | null): FoundList {
    const first = this.#at;
    const found: Expression[] = [];
    let parts = 0;
    let whole = true;
    for (let last: number | null = null; ; ) {
      if (this.#skipSpareSigns(list)) whole = false;
      const token = this.#peek();
      if (startsPart(token) || (list.nested && isSign(token.type))) {
        const expression = part();
        parts++;
        if (expression) found.push(expression);
        else whole = false;
      } else {
        whole = false;
        if (last !== null) this.mistakes.spareSign(last);
        this.#headEnd = this.#lastEnd();
      }
      last = this.#optionalSign(list);
      if (last === null) break;
    }
    const expression = whole && found.length > 0 ? list.join(found, this.#rangeFrom(first)) : null;
    return { expression, parts };
  }

  /** Signs where a part should stand. */
  #skipSpareSigns(list: List): boolean {
    const first = this.#at;
    for (; isSignOf(list, this.#peek().type); this.#at++) this.mistakes.spareSign(this.#at);
    return this.#at > first;
  }

  /** Takes the sign that joins the parts of `list`, if it stands here; answers its index. */
  #optionalSign(list: List): number | null {
    const index = this.#at;
    const { type } = this.#peek();
    if (!isSignOf(list, type)) return null;
    this.#take();
    const listed = this.#depth > 0 || this.#as === "group-parallel";
    if (type === "wrong-arrow" && startsPart(this.#peek())) this.mistakes.wrongArrow(index, listed);
    return index;
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? this.#end;
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

  #rangeFrom(index: number): Range {
    return { from: this.#tokens[index]?.from ?? 0, to: this.#lastEnd() };
  }
}

const isSign = (type: TokenType): boolean => type === "arrow" || type === "wrong-arrow" || type === "pipe";

const isSignOf = (list: List, type: TokenType): boolean =>
  type === list.sign || (list.sign === "arrow" && type === "wrong-arrow");

const withRange = (expression: Expression, range: Range): Expression =>
  expression.type === "name" ? expression : { ...expression, range };
