import { toGraph } from "../../dsl/series-parallel";
import { type Expression, nameExpression, namesOf, parallelExpression, serialExpression } from "../../flow/expression";
import { GraphError } from "../../flow/graph";

/** Names that Orbiter's flow lines can hold; there is no quoting. */
export const isOrbiterName = (name: string): boolean => !/[|()]|>>/.test(name) && name === name.trim() && name !== "";

/** Whether Orbiter can express it: stages one after another, each a name or some names side by side. */
export function isOrbiterFlow(expression: Expression): boolean {
  const stages = expression.type === "serial" ? expression.members : [expression];
  return stages.every(
    (stage) =>
      stage.type === "name" || (stage.type === "parallel" && stage.members.every(({ type }) => type === "name")),
  );
}

/** The flow line of Orbiter. What nests deeper becomes the order in which Orbiter would work through it anyway. */
export function printOrbiterFlow(expression: Expression, nameOf: (name: string) => string = (name) => name): string {
  if (!isOrbiterFlow(expression)) return orderOf(expression).map(nameOf).join(" >> ");
  const stages = expression.type === "serial" ? expression.members : [expression];
  const print = (stage: Expression): string =>
    stage.type === "name"
      ? nameOf(stage.name)
      : `(${namesOf(stage)
          .map(({ name }) => nameOf(name))
          .join(" | ")})`;
  return stages.map(print).join(" >> ");
}

/** The order in which Orbiter runs a flow: every name after those before it, ties by code point. */
export function orderOf(expression: Expression): string[] {
  try {
    return toGraph(expression).sort();
  } catch (error) {
    if (error instanceof GraphError) return [...new Set(namesOf(expression).map(({ name }) => name))];
    throw error;
  }
}

/**
 * Reads a flow line as Orbiter does: cut at `>>`, then at `|` inside parentheses; there are no quotes and no comments.
 * Null when a name in it is none of `known`.
 */
export function readOrbiterFlow(text: string, memberNames: ReadonlySet<string>): Expression | null {
  const stages: Expression[] = [];
  for (const stage of text.split(">>").map((stageText) => stageText.trim())) {
    const names = stage.startsWith("(") && stage.endsWith(")") ? stage.slice(1, -1).split("|") : [stage];
    const members = [...new Set(names.map((name) => name.trim()))];
    if (!members.every((name) => memberNames.has(name))) return null;
    stages.push(parallelExpression(members.map((name) => nameExpression(name))));
  }
  return serialExpression(stages);
}
