import {
  type Expression,
  type FlowTextKind,
  nameExpression,
  parallelExpression,
  serialExpression,
} from "../flow/expression";
import { limits } from "../flow/flow";
import type { Problem } from "../flow/problem";
import type { TextRange } from "../flow/text-range";
import { type DslToken, type DslTokenType, lexDsl } from "./lexer";
import { DslMistakes, startsOperand } from "./mistakes";
import { countLinks, mostLinks } from "./series-parallel";

export interface ParsedFlow {
  /** Null when the text has mistakes of form; a name that is used twice, or too many links, is no mistake of form. */
  expression: Expression | null;
  /** One for each mistake, in the order of the text; at most a thousand. */
  problems: Problem[];
}

/** Reads a DSL text (grammar.md). Never throws; ranges and fixes refer to `text`. Linear in its length. */
export function parseFlow(text: string, options: { as?: FlowTextKind } = {}): ParsedFlow {
  const parser = new DslParser(text, options.as ?? "flow");
  const expression = parser.parse();
  const { problems } = parser.mistakes;
  return { expression, problems: problems.sort((a, b) => (a.range?.from ?? 0) - (b.range?.from ?? 0)) };
}

/** What joins the parts of a list: its sign, the node it makes, and whether its parts are lists themselves. */
interface ListSyntax {
  sign: "arrow" | "pipe";
  join: (members: readonly Expression[], range: TextRange) => Expression;
  nested: boolean;
}
const stages: ListSyntax = { sign: "arrow", join: serialExpression, nested: true };
const stage: ListSyntax = { sign: "pipe", join: parallelExpression, nested: false };
const members: ListSyntax = { sign: "pipe", join: parallelExpression, nested: true };
const serial: ListSyntax = { sign: "arrow", join: serialExpression, nested: false };

interface ParsedList {
  expression: Expression | null;
  memberCount: number;
}

class DslParser {
  readonly mistakes: DslMistakes;
  readonly #as: FlowTextKind;
  readonly #tokens: readonly DslToken[];
  readonly #end: DslToken;
  /** Indexes of the tokens that are names. */
  readonly #names: number[] = [];
  #at = 0;
  #depth = 0;
  /** Where the first part of the last serial ended: a missing `)` most likely belongs there. */
  #headEnd = 0;
  /** Index of the first token of a bare parallel that a `)` follows: its `(` most likely belongs there. */
  #unopened: number | null = null;
  /** The text ended inside parentheses that were too deep to read. */
  #endedTooDeep = false;

  constructor(text: string, as: FlowTextKind) {
    this.#as = as;
    this.#tokens = lexDsl(text);
    this.#end = { type: "end", text: "", from: text.length, to: text.length };
    this.mistakes = new DslMistakes(text, this.#tokens);
  }

  // flow = serial
  parse(): Expression | null {
    if (this.#peek().type === "end") {
      this.mistakes.emptyFlow(this.#end);
      return null;
    }
    let expression = this.#topLevel();
    while (this.#peek().type !== "end") {
      this.#strayClose();
      if (this.#peek().type !== "end") expression = this.#topLevel();
    }
    this.mistakes.duplicates(this.#names);
    if (!expression || !this.mistakes.wellFormed) return null;
    const links = countLinks(expression);
    if (links > mostLinks) this.mistakes.tooManyLinks(links, mostLinks);
    return expression;
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
    const firstIndex = this.#at;
    const { expression, memberCount } = this.#many(stage, () => this.#primary());
    if (memberCount < 2) return expression;
    if (this.#peek().type === "close") this.#unopened = firstIndex;
    else this.mistakes.bareParallel(this.#rangeFrom(firstIndex));
    return expression;
  }

  // members = serial { "|" serial }              inside parentheses and in parallel groups
  #members(): ParsedList {
    return this.#many(members, () => this.#serial());
  }

  // serial = primary { ">>" primary }            inside parentheses and in parallel groups
  #serial(): Expression | null {
    let headEnd: number | null = null;
    const { expression } = this.#many(serial, () => {
      const member = this.#primary();
      headEnd ??= this.#lastEnd();
      return member;
    });
    this.#headEnd = headEnd ?? this.#lastEnd();
    return expression;
  }

  // primary = name | "(" members ")"             names or groups side by side are read too, and reported
  #primary(): Expression | null {
    let previousType = this.#peek().type;
    const operand = this.#nameOrGroup();
    if (!startsOperand(this.#peek())) return operand;
    while (startsOperand(this.#peek())) {
      const { type } = this.#peek();
      this.mistakes.adjacentOperands(this.#at, previousType === "open" || type === "open");
      previousType = type;
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
    const { type, text, from: start, to: end } = this.#take();
    if (type === "unclosed-quote") this.mistakes.unclosedQuote(index);
    else if (text === "") this.mistakes.emptyName(index);
    else {
      this.#names.push(index);
      return nameExpression(text, { from: start, to: end });
    }
    return null;
  }

  // group = "(" members ")"
  #group(): Expression | null {
    const firstIndex = this.#at;
    if (this.#skipEmptyGroup()) return null;
    const open = this.#take();
    if (this.#depth >= limits.depth) return this.#skipDeepGroup(open);
    this.#depth++;
    const { expression, memberCount } = this.#members();
    this.#depth--;
    if (this.#peek().type === "close") {
      this.#take();
      const isName = expression === null || expression.type === "name";
      return isName ? expression : { ...expression, range: this.#rangeFrom(firstIndex) };
    }
    if (this.#endedTooDeep) return null;
    const end = memberCount > 1 ? this.#headEnd : this.#lastEnd();
    this.mistakes.unclosedGroup(firstIndex, this.#at === firstIndex + 1 ? null : end);
    return null;
  }

  /** `()`, `(())` and so on: one mistake. */
  #skipEmptyGroup(): boolean {
    const firstIndex = this.#at;
    let opens = 0;
    while (opens <= limits.depth && this.#tokens[firstIndex + opens]?.type === "open") opens++;
    for (let closes = 0; closes < opens; closes++)
      if (this.#tokens[firstIndex + opens + closes]?.type !== "close") return false;
    this.#at = firstIndex + 2 * opens;
    this.mistakes.emptyGroup(firstIndex, this.#at - 1);
    return true;
  }

  #skipDeepGroup(open: DslToken): null {
    this.mistakes.tooDeep(open);
    for (let depth = 1; depth > 0 && !this.#endedTooDeep; ) {
      const { type } = this.#take();
      if (type === "open") depth++;
      else if (type === "close") depth--;
      else if (type === "end") this.#endedTooDeep = true;
    }
    return null;
  }

  /** Only a stray `)` stops the lists of the top level. The sign after it joins the members on both sides. */
  #strayClose(): void {
    this.mistakes.strayClose(this.#at, this.#unopened);
    this.#unopened = null;
    this.#take();
    const sign = this.#optionalSign(stages) ?? this.#optionalSign(members);
    if (sign !== null && !startsOperand(this.#peek())) this.mistakes.spareSign(sign);
  }

  /**
   * `part { sign part }`. A sign too many is reported and left out; a wrong one is reported and taken for the right one.
   */
  #many(list: ListSyntax, parseMember: () => Expression | null): ParsedList {
    const firstIndex = this.#at;
    const expressions: Expression[] = [];
    let memberCount = 0;
    let isComplete = true;
    for (let last: number | null = null; ; ) {
      if (this.#skipSpareSigns(list)) isComplete = false;
      const token = this.#peek();
      if (startsOperand(token) || (list.nested && isSign(token.type))) {
        const expression = parseMember();
        memberCount++;
        if (expression) expressions.push(expression);
        else isComplete = false;
      } else {
        isComplete = false;
        if (last !== null) this.mistakes.spareSign(last);
        this.#headEnd = this.#lastEnd();
      }
      last = this.#optionalSign(list);
      if (last === null) break;
    }
    const expression =
      isComplete && expressions.length > 0 ? list.join(expressions, this.#rangeFrom(firstIndex)) : null;
    return { expression, memberCount };
  }

  /** Signs where a member is expected. */
  #skipSpareSigns(list: ListSyntax): boolean {
    const firstIndex = this.#at;
    for (; isSignOf(list, this.#peek().type); this.#at++) this.mistakes.spareSign(this.#at);
    return this.#at > firstIndex;
  }

  /** Takes the sign that joins the members of `list`, if it is the next token; returns its index. */
  #optionalSign(list: ListSyntax): number | null {
    const index = this.#at;
    const { type } = this.#peek();
    if (!isSignOf(list, type)) return null;
    this.#take();
    const listed = this.#depth > 0 || this.#as === "group-parallel";
    if (type === "wrong-arrow" && startsOperand(this.#peek())) this.mistakes.wrongArrow(index, listed);
    return index;
  }

  #peek(): DslToken {
    return this.#tokens[this.#at] ?? this.#end;
  }

  #take(): DslToken {
    const token = this.#peek();
    if (token.type !== "end") this.#at++;
    return token;
  }

  #lastEnd(): number {
    return this.#tokens[this.#at - 1]?.to ?? 0;
  }

  #rangeFrom(index: number): TextRange {
    return { from: this.#tokens[index]?.from ?? 0, to: this.#lastEnd() };
  }
}

const isSign = (type: DslTokenType): boolean => type === "arrow" || type === "wrong-arrow" || type === "pipe";

const isSignOf = (list: ListSyntax, type: DslTokenType): boolean =>
  type === list.sign || (list.sign === "arrow" && type === "wrong-arrow");
