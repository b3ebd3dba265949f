import fc from "fast-check";
import { type Expression, nameExpression, parallelExpression, serialExpression } from "../flow/expression";

/** The tree without ranges, for comparing. */
export function shape(expression: Expression): unknown {
  return expression.type === "name" ? expression.name : { [expression.type]: expression.members.map(shape) };
}

const awkwardName = fc.oneof(
  fc.constantFrom(
    "a",
    "my agent",
    "x_1#2",
    "#b",
    "a -> b",
    ">>",
    "a|b",
    "(x)",
    'say "hi"',
    "back\\slash",
    "__proto__",
    "é",
    "研究者",
    "a,b",
    "a #c",
    "x-",
    "=",
    "->",
  ),
  fc.string({ minLength: 1, maxLength: 12 }).map((text) => text.trim().replaceAll(/\p{Cc}/gu, "")),
);

/** Random topologies whose names are all different. */
export const anyExpression: fc.Arbitrary<Expression> = fc
  .tuple(
    fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 30 }),
    fc.uniqueArray(awkwardName, { minLength: 1, maxLength: 24 }),
  )
  .map(([choices, pool]) =>
    build(
      choices,
      pool.filter((name) => name.trim() !== "" && name === name.trim()),
    ),
  )
  .filter((expression) => expression !== null);

/** Random topologies with plain names, `my n0`, `my n1` and so on. */
export const plainExpression: fc.Arbitrary<Expression> = anyExpression.map((expression) => {
  let count = 0;
  const rename = (part: Expression): Expression =>
    part.type === "name" ? nameExpression(`my n${count++}`) : { ...part, members: part.members.map(rename) };
  return rename(expression);
});

function build(choices: number[], pool: string[]): Expression | null {
  const stack: Expression[] = pool.map((name) => nameExpression(name));
  for (const choice of choices) {
    if (stack.length < 2) break;
    const members = stack.splice(0, Math.min(stack.length, 2 + (choice % 3)));
    stack.push(choice < 3 ? serialExpression(members) : parallelExpression(members));
  }
  return stack.length === 0 ? null : serialExpression(stack);
}
