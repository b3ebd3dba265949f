import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Condition } from "./condition";
import { evaluate, parsed } from "./condition.arbitrary";
import { parseCondition } from "./parse";

/** Operators by rank, the weakest first; `comparison` does not chain. */
const ranks = [["or"], ["and"], ["==", "!=", "<", "<=", ">", ">="], ["+", "-"], ["*", "/", "%"]] as const;
const comparisonRank = 2;

type Tree = number | { operator: string; rank: number; left: Tree; right: Tree };

const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, depthSize: "medium" },
    fc.integer({ min: 0, max: 9 }),
    fc
      .tuple(fc.integer({ min: 0, max: ranks.length - 1 }), fc.nat(), tie("tree"), tie("tree"))
      .map(([rank, choice, left, right]): Tree => {
        const operators: readonly string[] = ranks[rank] ?? [];
        return { operator: operators[choice % operators.length] ?? "", rank, left, right };
      }),
  ),
})).tree;

const rankOf = (node: Tree): number => (typeof node === "number" ? ranks.length : node.rank);

function printWith(node: Tree, needsParentheses: (operand: Tree, parent: Tree, isRight: boolean) => boolean): string {
  if (typeof node === "number") return String(node);
  const [left, right] = [node.left, node.right].map((operand, index) => {
    const text = printWith(operand, needsParentheses);
    return needsParentheses(operand, node, index === 1) ? `(${text})` : text;
  });
  return `${left} ${node.operator} ${right}`;
}

/** With parentheses round every operand. */
const printFully = (node: Tree): string => printWith(node, (operand) => typeof operand !== "number");

/** With the parentheses that the grammar needs, and no others. */
const printSparsely = (node: Tree): string =>
  printWith(node, (operand, parent, isRight) => {
    if (rankOf(operand) !== rankOf(parent)) return rankOf(operand) < rankOf(parent);
    return isRight || rankOf(parent) === comparisonRank;
  });

/** A condition as text with parentheses round every operation, without ranges. */
function describeTree(node: Condition): string {
  const operands = "operands" in node ? node.operands.map(describeTree) : [];
  switch (node.type) {
    case "value":
      return JSON.stringify(node.value);
    case "name":
      return node.name;
    case "reference":
      return `${node.scope}.${node.name}`;
    case "member":
      return `(${operands[0]}).${node.name}`;
    case "index":
      return `(${operands[0]})[${operands[1]}]`;
    case "call":
      return `${node.name}(${operands.join(", ")})`;
    case "list":
      return `[${operands.join(", ")}]`;
    case "choice":
      return `(${operands[0]} ? ${operands[1]} : ${operands[2]})`;
    case "not":
    case "negative":
      return `(${node.type} ${operands[0]})`;
    case "comparison":
    case "arithmetic":
      return `(${operands[0]} ${node.operator} ${operands[1]})`;
    default:
      return `(${operands[0]} ${node.type} ${operands[1]})`;
  }
}

describe("precedence", () => {
  it.each([
    ["1 or 2 and 3", "(1 or (2 and 3))"],
    ["1 and 2 or 3 and 4", "((1 and 2) or (3 and 4))"],
    ["1 or 2 or 3", "((1 or 2) or 3)"],
    ["not 1 and 2", "((not 1) and 2)"],
    ["not 1 == 2", "(not (1 == 2))"],
    ["!a == b", "(not (a == b))"],
    ["not not 1 or 2", "((not (not 1)) or 2)"],
    ["1 + 2 == 3 - 4", "((1 + 2) == (3 - 4))"],
    ["1 - 2 - 3", "((1 - 2) - 3)"],
    ["1 - 2 * 3", "(1 - (2 * 3))"],
    ["12 / 3 / 2 % 5", "(((12 / 3) / 2) % 5)"],
    ["-1 + 2", "((negative 1) + 2)"],
    ["- -1", "(negative (negative 1))"],
    ["-a.b", "(negative (a).b)"],
    ["-a[0] * 2", "((negative (a)[0]) * 2)"],
    ["1 in [1] and 2 not in [2]", "((1 in [1]) and (2 not in [2]))"],
    ["not 1 in [1]", "(not (1 in [1]))"],
    ["1 ? 2 : 3 ? 4 : 5", "(1 ? 2 : (3 ? 4 : 5))"],
    ["1 ? 2 ? 3 : 4 : 5", "(1 ? (2 ? 3 : 4) : 5)"],
    ["1 or 2 ? 3 : 4 or 5", "((1 or 2) ? 3 : (4 or 5))"],
    ["a.b.c[0]['d']", '((((a).b).c)[0])["d"]'],
    ["len(a, 1 or 2)", "len(a, (1 or 2))"],
    ["outputs.a.b", "(outputs.a).b"],
    ["(1)", "1"],
    ["[(1), [2,],]", "[1, [2]]"],
  ])("%s is %s", (text, description) => expect(describeTree(parsed(text))).toBe(description));

  it("property: leaving out the parentheses that the grammar does not need changes no tree", () => {
    fc.assert(
      fc.property(tree, (node) => {
        const [full, sparse] = [printFully(node), printSparsely(node)];
        fc.pre(full.length <= 2000);
        expect(describeTree(parsed(sparse))).toBe(describeTree(parsed(full)));
        const [a, b] = [evaluate(full), evaluate(sparse)];
        expect(b.ok ? b.value : b.message).toEqual(a.ok ? a.value : a.message);
      }),
      { numRuns: 300 },
    );
  });

  it("property: spaces, line ends and control characters between tokens mean nothing", () => {
    const blank = fc.constantFrom(" ", "  ", "\n", "\r\n", "\t", "\u0001");
    fc.assert(
      fc.property(tree, blank, (node, space) => {
        const text = printFully(node);
        fc.pre(text.length <= 1000);
        expect(describeTree(parsed(text.replaceAll(" ", space)))).toBe(describeTree(parsed(text)));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ["1 || 2 && !3", "1 or 2 and not 3"],
    ["1 === 2", "1 == 2"],
    ["1 !== 2", "1 != 2"],
    ["True ? None : False", "true ? null : false"],
  ])("%s is another spelling of %s", (text, usual) =>
    expect(describeTree(parsed(text))).toBe(describeTree(parsed(usual))),
  );
});

describe("ranges", () => {
  const sliceOf = (text: string, { range }: Condition): string => text.slice(range.from, range.to);

  it.each([
    ["  1 + 2  ", "1 + 2", ["1", "2"]],
    ["(1 + 2) * 3", "(1 + 2) * 3", ["(1 + 2)", "3"]],
    ["not  input", "not  input", ["input"]],
    ["len( input )", "len( input )", ["input"]],
    ["item . name", "item . name", ["item"]],
    ["item[ 0 ]", "item[ 0 ]", ["item", "0"]],
    ["1 ? 'é' : \"😀\"", "1 ? 'é' : \"😀\"", ["1", "'é'", '"😀"']],
    ["[1, (2)]", "[1, (2)]", ["1", "(2)"]],
    ["1 not  in [1]", "1 not  in [1]", ["1", "[1]"]],
  ])("of %j and its operands", (text, whole, operands) => {
    const condition = parsed(text);
    expect(sliceOf(text, condition)).toBe(whole);
    expect("operands" in condition ? condition.operands.map((operand) => sliceOf(text, operand)) : []).toEqual(
      operands,
    );
  });
});

describe("messages of mistakes name the position", () => {
  it.each<[text: string, message: string, position: string]>([
    ["", 'Expected a condition, found nothing. Write one, for example contains(input, "yes").', ""],
    ["1 +", "The condition is not finished: expected a value.", ""],
    ["a b", "Expected an operator or the end, found b. Put text between quotes, or an operator before it.", "b"],
    ["1 == not 2", "Expected a value, found not. Put parentheses round (not …).", "not"],
    ["1 < 2 <= 3", "Expected one comparison, found <= after another one. Join two with and: a < b and b < c.", "<="],
    ["1 = 2", "Expected ==, found =. Write ==.", "="],
    ["1 ? 2", 'The condition is not finished: expected ":" and what holds otherwise.', ""],
    ["input.lower()", "Expected a function call, found the method call .lower(. Write lower(…).", "("],
    ["item.1", "Expected a name after the dot, found 1. Write it here, or remove the text at this position.", "1"],
    ["(1", "Expected a ) for this (, found none. Add it.", "("],
    ["[1", "Expected a ] for this [, found none. Add it.", "["],
    ["(1 2)", "Expected an operator or ), found 2. Write it here, or remove the text at this position.", "2"],
    ["1)", "Expected a ( for this ), found none. Remove it.", ")"],
    ["'a", "Expected a closing ' for this one, found none. Add it where the text ends.", "'a"],
    ["1e999", "Expected a number up to 1.7e308, found 1e999. Write a smaller one.", "1e999"],
    ["outputs(1)", 'Expected the name of a step, as in outputs.name or outputs["my name"], found (.', "("],
    ["vars[a]", 'Expected the name of a variable, as in vars.name or vars["my name"], found a.', "a"],
    ["1 + ;", "Expected a value, found ;.", ";"],
    [`${"x".repeat(70)} y`, "Expected an operator or the end, found y.", "y"],
    [`1 ${"y".repeat(70)}`, `found ${"y".repeat(57)}…`, "y".repeat(70)],
  ])("of %j", (text, message, position) => {
    const [problem] = parseCondition(text).problems;
    expect(problem?.message).toContain(message);
    expect(text.slice(problem?.range?.from, problem?.range?.to)).toBe(position);
  });
});
