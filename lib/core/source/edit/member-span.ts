import { type Expression, namesOf, parallelExpression, serialExpression } from "../../flow/expression";

/** A stretch of members in a tree that can be taken as one: neighbours in a serial, any members of a parallel. */
export interface MemberSpan {
  type: "serial" | "parallel";
  units: readonly Expression[];
  /** The tree with the stretch replaced. */
  replace(replacement: Expression): Expression;
}

/** The span of exactly `names`; a sentence with the reason when there is none. */
export function findMemberSpan(tree: Expression, names: ReadonlySet<string>): MemberSpan | string {
  if (tree.type === "name" || countIn(tree, names) === namesOf(tree).length)
    return {
      type: tree.type === "parallel" ? "parallel" : "serial",
      units: tree.type === "name" ? [tree] : tree.members,
      replace: (replacement: Expression) => replacement,
    };
  const counts = tree.members.map((member) => countIn(member, names));
  const touched = counts.flatMap((count, index) => (count > 0 ? [index] : []));
  const [firstIndex, lastIndex] = [touched[0] ?? 0, touched.at(-1) ?? 0];
  if (touched.length === 1) {
    const nestedTree = tree.members[firstIndex];
    const nestedSpan = nestedTree ? findMemberSpan(nestedTree, names) : "";
    return typeof nestedSpan === "string"
      ? nestedSpan
      : {
          ...nestedSpan,
          replace: (replacement: Expression) => rebuild(tree, firstIndex, firstIndex, nestedSpan.replace(replacement)),
        };
  }
  if (touched.some((index) => counts[index] !== namesOf(tree.members[index] ?? tree).length))
    return "The selection cuts through a part of the flow. Select all of that part, or less.";
  if (tree.type === "serial" && lastIndex - firstIndex + 1 !== touched.length)
    return "The selection leaves out a step in the middle. Select neighbours.";
  const units = tree.members.filter((_, index) => touched.includes(index));
  if (tree.type === "serial")
    return {
      type: "serial",
      units,
      replace: (replacement: Expression) => rebuild(tree, firstIndex, lastIndex, replacement),
    };
  const otherMembers = tree.members.filter((_, index) => !touched.includes(index));
  return {
    type: "parallel",
    units,
    replace: (replacement: Expression) => parallelExpression(otherMembers.toSpliced(firstIndex, 0, replacement)),
  };
}

function rebuild(
  tree: Exclude<Expression, { type: "name" }>,
  firstIndex: number,
  lastIndex: number,
  replacement: Expression,
): Expression {
  const members = tree.members.toSpliced(firstIndex, lastIndex - firstIndex + 1, replacement);
  return tree.type === "serial" ? serialExpression(members) : parallelExpression(members);
}

const countIn = (tree: Expression, names: ReadonlySet<string>): number =>
  namesOf(tree).filter(({ name }) => names.has(name)).length;

/** The tree without some names: their predecessors are joined with their successors. Null: no name remains. */
export function withoutNames(tree: Expression, names: ReadonlySet<string>): Expression | null {
  if (tree.type === "name") return names.has(tree.name) ? null : tree;
  const remainingMembers = tree.members.flatMap((member) => withoutNames(member, names) ?? []);
  if (remainingMembers.length === 0) return null;
  return tree.type === "serial" ? serialExpression(remainingMembers) : parallelExpression(remainingMembers);
}
