import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFlow } from "../../dsl/parse";
import { printFlow } from "../../dsl/print";
import { type Expression, joinExpressions, nameExpression, namesOf } from "../../flow/expression";
import { mergeExpressions } from "./merge-expressions";

const parse = (text: string): Expression | null => parseFlow(text).expression;
const listNames = (tree: Expression | null): string[] => (tree ? namesOf(tree).map(({ name }) => name) : []);

function merge(base: string, first: string, second: string) {
  const { expression, isRearranged } = mergeExpressions({
    base: parse(base),
    first: parse(first),
    second: parse(second),
  });
  return [expression ? printFlow(expression) : "", isRearranged];
}

describe("two arrangements of the same steps", () => {
  it.each<[base: string, first: string, second: string, merged: string]>([
    ["a >> b >> c >> d >> e", "(a | b) >> c >> d >> e", "a >> b >> c >> (d | e)", "(a | b) >> c >> (d | e)"],
    ["a >> b >> c >> d >> e", "(a | b) >> c >> x >> d >> e", "a >> b >> c >> (d | e)", "(a | b) >> c >> x >> (d | e)"],
    ["(a | b) >> c >> d >> e", "a >> b >> c >> d >> e", "(a | b) >> c >> e >> d", "a >> b >> c >> e >> d"],
  ])("of %s in different parts are joined: %s, %s", (base, first, second, merged) => {
    expect(merge(base, first, second)).toEqual([merged, false]);
  });

  it("in one part are the first one's", () => {
    expect(merge("a >> b >> c", "(a | b) >> c", "a >> (b | c)")).toEqual(["(a | b) >> c", true]);
  });
});

it("two steps that one person added stay together where someone else added one in the same place", () => {
  expect(merge("a >> b", "a >> b >> z", "a >> b >> x >> y")).toEqual(["a >> b >> x >> y >> z", false]);
});

/** A tree of these names; each number decides about one step down. */
function toTree(names: readonly string[], choices: readonly number[], isSerial = true): Expression | null {
  const [choice = 0, ...rest] = choices;
  const [name] = names;
  if (name === undefined) return null;
  if (names.length === 1) return nameExpression(name);
  const middle = 1 + (choice % (names.length - 1));
  const members = [names.slice(0, middle), names.slice(middle)].flatMap(
    (part) => toTree(part, rest, choice % 3 === 0 ? isSerial : !isSerial) ?? [],
  );
  return joinExpressions(isSerial ? "serial" : "parallel", members);
}

const treeOf = (pool: readonly string[]): fc.Arbitrary<Expression | null> =>
  fc
    .tuple(fc.shuffledSubarray([...pool]), fc.array(fc.nat(20), { maxLength: 8 }), fc.boolean())
    .map(([names, choices, isSerial]) => toTree(names, choices, isSerial));

it("property: a merged order has each step once that someone added or no one removed", () => {
  const steps = ["a", "b", "c", "d", "e", "f"];
  fc.assert(
    fc.property(
      treeOf(steps),
      treeOf([...steps, "x", "y"]),
      treeOf([...steps, "y", "z"]),
      fc.constantFrom("serial", "parallel"),
      (base, first, second, joinType) => {
        const [before, own, other] = [base, first, second].map(listNames);
        const expected = [...new Set([...(own ?? []), ...(other ?? [])])].filter(
          (name) => !before?.includes(name) || (own?.includes(name) && other?.includes(name)),
        );
        const { expression } = mergeExpressions({ base, first, second }, joinType);
        expect(listNames(expression).toSorted()).toEqual(expected.toSorted());
        // It can be written and read again.
        expect(expression && printFlow(parse(printFlow(expression)) ?? expression)).toEqual(
          expression && printFlow(expression),
        );
      },
    ),
    { numRuns: 1_000 },
  );
});
