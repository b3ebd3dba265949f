import { type Expression, joinExpressions, namesOf } from "../../flow/expression";

/** A stretch of members in a tree that can be taken as one: neighbours in a serial, any members of a parallel. */
export interface MemberSpan {
  type: "serial" | "parallel";
  units: readonly Expression[];
  /** The tree with the stretch replaced. */
  replace(replacement: Expression): Expression;
}

/** The span of exactly `names`; a sentence with the reason when there is none. */
export function findMemberSpan(tree: Expression, names: ReadonlySet<string>): MemberSpan | string {
  if (tree.type === "name") return { type: "serial", units: [tree], replace: (replacement: Expression) => replacement };
  const { type, members } = tree;
  const touched = members.filter((member) => namesOf(member).some(({ name }) => names.has(name)));
  const covered = touched.filter((member) => namesOf(member).every(({ name }) => names.has(name)));
  if (covered.length === members.length)
    return { type, units: members, replace: (replacement: Expression) => replacement };
  const [firstMember = tree] = touched;
  const firstIndex = members.indexOf(firstMember);
  const otherMembers = members.filter((member) => !touched.includes(member));
  const replace = (replacement: Expression) =>
    joinExpressions(type, otherMembers.toSpliced(firstIndex, 0, replacement));
  if (touched.length === 1) {
    const nestedSpan = findMemberSpan(firstMember, names);
    if (typeof nestedSpan === "string") return nestedSpan;
    return { ...nestedSpan, replace: (replacement: Expression) => replace(nestedSpan.replace(replacement)) };
  }
  if (touched.length === 0) return "Nothing in this part of the flow is selected. Select a member of it.";
  if (covered.length < touched.length)
    return "The selection cuts through a part of the flow. Select all of that part, or less.";
  if (type === "serial" && touched.some((member, index) => member !== members[firstIndex + index]))
    return "The selection leaves out a step in the middle. Select neighbours.";
  return { type, units: touched, replace };
}

/** The tree without some names: their predecessors are joined with their successors. Null: no name remains. */
export function withoutNames(tree: Expression, names: ReadonlySet<string>): Expression | null {
  if (tree.type === "name") return names.has(tree.name) ? null : tree;
  const remainingMembers = tree.members.flatMap((member) => withoutNames(member, names) ?? []);
  if (remainingMembers.length === 0) return null;
  return joinExpressions(tree.type, remainingMembers);
}
