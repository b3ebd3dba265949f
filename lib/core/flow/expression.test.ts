import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  containsParallel,
  type Expression,
  joinExpressions,
  mapNames,
  nameExpression,
  namesOf,
  parallelExpression,
  serialExpression,
  sourcesOf,
} from "./expression";

describe("expressions", () => {
  const expression: fc.Arbitrary<Expression> = fc.letrec<{ tree: Expression }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom("a", "b", "c", "d").map((name) => nameExpression(name)),
      fc
        .tuple(fc.constantFrom("serial", "parallel"), fc.array(tie("tree"), { minLength: 1, maxLength: 3 }))
        .map(([type, members]) => joinExpressions(type, members)),
    ),
  })).tree;

  it("property: no list has one member, or a member of its own type", () => {
    const isNormal = (tree: Expression): boolean =>
      tree.type === "name" ||
      (tree.members.length > 1 && tree.members.every((member) => member.type !== tree.type && isNormal(member)));
    fc.assert(fc.property(expression, isNormal));
  });

  it("property: mapping every name to itself changes nothing, and to a list keeps the order of names", () => {
    fc.assert(
      fc.property(expression, (tree) => {
        expect(mapNames(tree, (name) => nameExpression(name))).toEqual(tree);
        const doubled = mapNames(tree, (name) =>
          serialExpression([nameExpression(`${name}1`), nameExpression(`${name}2`)]),
        );
        const expected = namesOf(tree).flatMap(({ name }) => [`${name}1`, `${name}2`]);
        expect(namesOf(doubled).map(({ name }) => name)).toEqual(expected);
      }),
    );
  });

  it("property: sources are names in written order; of a parallel those of every member", () => {
    fc.assert(
      fc.property(expression, expression, (a, b) => {
        expect(sourcesOf(serialExpression([a, b]))).toEqual(sourcesOf(a));
        expect(sourcesOf(parallelExpression([a, b]))).toEqual([...sourcesOf(a), ...sourcesOf(b)]);
        expect(containsParallel(parallelExpression([a, b]))).toBe(true);
        expect(containsParallel(serialExpression([a, b]))).toBe(containsParallel(a) || containsParallel(b));
      }),
    );
  });

  it("need a member", () => {
    expect(() => serialExpression([])).toThrow("a serial expression needs at least one member");
    expect(() => parallelExpression([])).toThrow("a parallel expression needs at least one member");
  });
});
