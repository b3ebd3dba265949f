import { parseFlow } from "../../dsl/parse";
import { printFlow, printName } from "../../dsl/print";
import { type Expression, joinExpressions, namesOf } from "../../flow/expression";
import { diffLetters } from "../../flow/rebase/diff-letters";
import { rebaseChanges } from "../../flow/rebase/rebase-changes";
import { applyChanges } from "../../flow/text-change";
import type { TextChange } from "../../flow/text-range";
import { withoutNames } from "../edit/member-span";
import { placeExpression } from "../fragment/place-expression";

/** The order of steps that two people made of one order. */
export interface MergedExpression {
  /** Null: no step is left. */
  expression: Expression | null;
  /** Both arranged the same steps in different ways: the arrangement of the second one is left out. */
  isRearranged: boolean;
}

type Tree = Expression | null;

/** An order of steps, and the two orders that people made of it without knowing of each other. */
export interface ExpressionVersions {
  base: Tree;
  first: Tree;
  second: Tree;
}

/**
 * What two people made of one order of steps: a step that one of them removed is removed, one that either of them added is
 * there once, next to the steps that it was added to. `joinType`: how steps are joined that have no neighbour in common.
 */
export function mergeExpressions(
  { base, first, second }: ExpressionVersions,
  joinType: "serial" | "parallel" = "serial",
): MergedExpression {
  const [baseNames, firstNames, secondNames] = [base, first, second].map(toNames);
  const isRemoved = (name: string, by: ReadonlySet<string> | undefined): boolean =>
    baseNames?.has(name) === true && !by?.has(name);
  const keptFirst = restrict(first, (name) => !isRemoved(name, secondNames));
  const keptSecond = restrict(second, (name) => !isRemoved(name, firstNames));
  if (!keptFirst || !keptSecond) return { expression: keptFirst ?? keptSecond, isRearranged: false };
  const isCommon = (name: string): boolean =>
    baseNames?.has(name) === true && firstNames?.has(name) === true && secondNames?.has(name) === true;
  const [baseShape, firstShape, secondShape] = [base, first, second].map((tree) => toShape(restrict(tree, isCommon)));
  const add = (tree: Expression, ...others: Expression[]): Expression =>
    others.reduce((sum, other) => insertMissing(sum, other, joinType), tree);
  if (secondShape === baseShape || secondShape === firstShape)
    return { expression: add(keptFirst, keptSecond), isRearranged: false };
  if (firstShape === baseShape) return { expression: add(keptSecond, keptFirst), isRearranged: false };
  const arranged = mergeShapes(
    [base, first, second].map((tree) => restrict(tree, isCommon)),
    [...(baseNames ?? [])].filter(isCommon),
  );
  if (arranged) return { expression: add(arranged, keptFirst, keptSecond), isRearranged: false };
  return { expression: add(keptFirst, keptSecond), isRearranged: true };
}

const toNames = (tree: Tree): ReadonlySet<string> => new Set(tree ? namesOf(tree).map(({ name }) => name) : []);

const toShape = (tree: Tree): string => (tree ? printFlow(tree) : "");

function restrict(tree: Tree, isKept: (name: string) => boolean): Tree {
  const removed = [...toNames(tree)].filter((name) => !isKept(name));
  return tree && removed.length > 0 ? withoutNames(tree, new Set(removed)) : tree;
}

/** Inserts what a tree lacks of another one, each next to the steps that it is next to there. */
function insertMissing(tree: Expression, other: Expression, joinType: "serial" | "parallel"): Expression {
  let result = tree;
  const present = new Set(toNames(tree));
  const isMissing = (part: Expression): boolean => namesOf(part).every(({ name }) => !present.has(name));
  const insert = (addition: Expression, place: Parameters<typeof placeExpression>[2]): void => {
    result = placeExpression(result, addition, place).expression;
    for (const { name } of namesOf(addition)) present.add(name);
  };
  const visit = (part: Expression): void => {
    if (part.type === "name") return;
    const { type, members } = part;
    for (const [index, member] of members.entries()) {
      if (!isMissing(member)) {
        visit(member);
        continue;
      }
      const before = members[index - 1];
      const after = members.slice(index + 1).find((next) => !isMissing(next));
      const neighbour = before && !isMissing(before) ? before : after;
      const names = neighbour ? namesOf(neighbour).map(({ name }) => name) : [];
      const side = neighbour === before ? "after" : "before";
      insert(member, { type: type === "parallel" ? "beside" : side, names });
    }
  };
  if (isMissing(other)) return joinExpressions(joinType, [result, other]);
  visit(other);
  return result;
}

/** Two arrangements of the same steps, where they changed different parts of the one before; else null. */
function mergeShapes(trees: readonly Tree[], names: readonly string[]): Tree {
  const alphabet = new Map<string, string>();
  const [base = "", first = "", second = ""] = trees.map((tree) => toSigns(tree, alphabet));
  const [own, over] = [diffLetters(base, second), diffLetters(base, first)];
  if (own.some((change) => over.some((other) => meets(change, other)))) return null;
  const signs = applyChanges(applyChanges(base, over), rebaseChanges(own, over));
  const tokens = new Map(Array.from(alphabet, ([token, sign]) => [sign, token]));
  const { expression, problems } = parseFlow(Array.from(signs, (sign) => tokens.get(sign) ?? "").join(" "));
  if (!expression || problems.length > 0) return null;
  const written = namesOf(expression).map(({ name }) => name);
  return written.length === names.length && names.every((name) => written.includes(name)) ? expression : null;
}

const meets = (a: TextChange, b: TextChange): boolean => a.from <= b.to && b.from <= a.to;

/** A tree as a text with one character a token. */
function toSigns(tree: Tree, alphabet: Map<string, string>): string {
  const toSign = (token: string): string => {
    const sign = alphabet.get(token) ?? String.fromCharCode(0x4e00 + alphabet.size);
    alphabet.set(token, sign);
    return sign;
  };
  const write = (part: Expression): string => {
    if (part.type === "name") return toSign(printName(part.name));
    const written = part.members.map(write).join(toSign(part.type === "serial" ? ">>" : "|"));
    return part.type === "parallel" ? toSign("(") + written + toSign(")") : written;
  };
  return tree ? write(tree) : "";
}
