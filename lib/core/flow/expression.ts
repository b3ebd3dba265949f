import type { Range } from "./text-range";

/**
 * What one line of the DSL says: the series-parallel tree of a topology.
 * `serial` and `parallel` have at least two members, and a member is never of its parent's own type
 * (`a >> (b >> c)` reads as one serial of three), so equal topologies have equal trees.
 */
export type Expression = NameExpression | SerialExpression | ParallelExpression;

export interface NameExpression {
  type: "name";
  /** As the author means it: trimmed, without quotes. */
  name: string;
  /** Where it stands in the DSL text, quotes included. Zero-length at 0 for trees that were built, not read. */
  range: Range;
}

export interface SerialExpression {
  type: "serial";
  members: readonly Expression[];
  range: Range;
}

export interface ParallelExpression {
  type: "parallel";
  members: readonly Expression[];
  range: Range;
}

const nowhere: Range = { from: 0, to: 0 };

export const nameExpression = (name: string, range: Range = nowhere): NameExpression => ({ type: "name", name, range });

/** Joins members one after another; flattens nested serials; a single member is returned as it is. */
export function serialExpression(members: readonly Expression[], range: Range = nowhere): Expression {
  return combine("serial", members, range);
}

/** Joins members side by side; flattens nested parallels; a single member is returned as it is. */
export function parallelExpression(members: readonly Expression[], range: Range = nowhere): Expression {
  return combine("parallel", members, range);
}

function combine(type: "serial" | "parallel", members: readonly Expression[], range: Range): Expression {
  const flat = members.flatMap((member) => (member.type === type ? member.members : [member]));
  const [first] = flat;
  if (first === undefined) throw new Error(`a ${type} expression needs at least one member`);
  return flat.length === 1 ? first : { type, members: flat, range };
}

/** Every name of an expression, in written order. */
export function namesOf(expression: Expression): NameExpression[] {
  const found: NameExpression[] = [];
  const waiting: Expression[] = [expression];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.type === "name") found.push(next);
    else for (let i = next.members.length - 1; i >= 0; i--) waiting.push(next.members[i] ?? next);
  }
  return found;
}

/** The names that nothing stands before, in written order. */
export function sourcesOf(expression: Expression): string[] {
  const found: string[] = [];
  const waiting: Expression[] = [expression];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.type === "name") found.push(next.name);
    else waiting.push(...(next.type === "serial" ? next.members.slice(0, 1) : next.members.toReversed()));
  }
  return found;
}

/** Whether members stand side by side somewhere in it. */
export const holdsParallel = (tree: Expression): boolean =>
  tree.type === "parallel" || (tree.type === "serial" && tree.members.some(holdsParallel));

/** The tree with every name mapped. */
export function mapNames(tree: Expression, map: (name: string) => Expression): Expression {
  if (tree.type === "name") return map(tree.name);
  const members = tree.members.map((member) => mapNames(member, map));
  return tree.type === "serial" ? serialExpression(members) : parallelExpression(members);
}

/** `flow`: a whole topology. `group-parallel`, `group-serial`: the members of a named group, where the outer parentheses may be missing. */
export type FlowTextKind = "flow" | "group-parallel" | "group-serial";
