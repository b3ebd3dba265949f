import { toGraph } from "../../dsl/series-parallel";
import { type Expression, nameExpression, namesOf, parallelExpression, serialExpression } from "../../flow/expression";
import { GraphError } from "../../flow/graph";

/** What an agent of Orbiter has in common with one of a flow, apart from its name, tools and handoffs. */
export const orbiterAgentFields = "model instructions max_steps temperature max_tokens".split(" ");

/** Names that Orbiter's flow lines can hold; there is no quoting. */
export const isOrbiterName = (name: string): boolean => !/[|()]|>>/.test(name) && name === name.trim() && name !== "";

/** Whether Orbiter can express it: stages one after another, each a name or some names side by side. */
export function isOrbiterFlow(expression: Expression): boolean {
  return stagesOf(expression).every(
    (stage) =>
      stage.type === "name" || (stage.type === "parallel" && stage.members.every(({ type }) => type === "name")),
  );
}

const stagesOf = (expression: Expression): readonly Expression[] =>
  expression.type === "serial" ? expression.members : [expression];

/** The flow line of Orbiter. What nests deeper becomes the order in which Orbiter would work through it anyway. */
export function printOrbiterFlow(expression: Expression, nameOf: (name: string) => string = (name) => name): string {
  if (!isOrbiterFlow(expression)) return orderOf(expression).map(nameOf).join(" >> ");
  const print = (stage: Expression): string => {
    const names = namesOf(stage).map(({ name }) => nameOf(name));
    return stage.type === "name" ? names.join() : `(${names.join(" | ")})`;
  };
  return stagesOf(expression).map(print).join(" >> ");
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
 * Reads a flow line as Orbiter does: split at `>>`, then at `|` inside parentheses; there are no quotes and no comments.
 * Null when a name in it is none of `memberNames`.
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
