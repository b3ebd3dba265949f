import type { TextRange } from "./text-range";

/**
 * The series-parallel tree of a topology, which is one line of the DSL.
 * `serial` and `parallel` have at least two members, and a member is never of its parent's own type
 * (`a >> (b >> c)` reads as one serial of three), so equal topologies have equal trees.
 */
export type Expression = NameExpression | ListExpression;

export interface NameExpression {
  type: "name";
  /** Trimmed, without quotes. */
  name: string;
  /** Its range in the DSL text, quotes included. Empty at 0 in trees that were not parsed. */
  range: TextRange;
}

export interface ListExpression {
  type: "serial" | "parallel";
  members: readonly Expression[];
  range: TextRange;
}

const nowhere: TextRange = { from: 0, to: 0 };

export const nameExpression = (name: string, range: TextRange = nowhere): NameExpression => ({
  type: "name",
  name,
  range,
});

/** Combines members in series; flattens nested serials; a single member is returned as it is. */
export const serialExpression = (members: readonly Expression[], range?: TextRange): Expression =>
  joinExpressions("serial", members, range);

/** Combines members in parallel; flattens nested parallels; a single member is returned as it is. */
export const parallelExpression = (members: readonly Expression[], range?: TextRange): Expression =>
  joinExpressions("parallel", members, range);

/** Combines members in series or in parallel. */
export function joinExpressions(
  type: "serial" | "parallel",
  members: readonly Expression[],
  range: TextRange = nowhere,
): Expression {
  const flat = members.flatMap((member) => (member.type === type ? member.members : [member]));
  const [firstMember] = flat;
  if (firstMember === undefined) throw new Error(`a ${type} expression needs at least one member`);
  return flat.length === 1 ? firstMember : { type, members: flat, range };
}

/** Every name of an expression, in written order. */
export function namesOf(expression: Expression): NameExpression[] {
  const names: NameExpression[] = [];
  const pending: Expression[] = [expression];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (next.type === "name") names.push(next);
    else for (let i = next.members.length - 1; i >= 0; i--) pending.push(next.members[i] ?? next);
  }
  return names;
}

/** The names without a predecessor, in written order. */
export const sourcesOf = (tree: Expression): string[] =>
  tree.type === "name"
    ? [tree.name]
    : (tree.type === "serial" ? tree.members.slice(0, 1) : tree.members).flatMap(sourcesOf);

/** The names without a successor, in written order. */
export const sinksOf = (tree: Expression): string[] =>
  tree.type === "name"
    ? [tree.name]
    : (tree.type === "serial" ? tree.members.slice(-1) : tree.members).flatMap(sinksOf);

/** Whether the tree is or contains a parallel. */
export const containsParallel = (tree: Expression): boolean =>
  tree.type === "parallel" || (tree.type === "serial" && tree.members.some(containsParallel));

/** The tree with every name mapped. */
export function mapNames(tree: Expression, map: (name: string) => Expression): Expression {
  if (tree.type === "name") return map(tree.name);
  return joinExpressions(
    tree.type,
    tree.members.map((member) => mapNames(member, map)),
  );
}

/** The tree with every occurrence of a name replaced. */
export const replaceName = (tree: Expression, name: string, replacement: Expression): Expression =>
  mapNames(tree, (member) => (member === name ? replacement : nameExpression(member)));

/** `flow`: a whole topology. `group-parallel`, `group-serial`: the members of a named group, where the outer parentheses may be missing. */
export type FlowTextKind = "flow" | "group-parallel" | "group-serial";
