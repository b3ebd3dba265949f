import { type Expression, namesOf, parallelExpression, serialExpression } from "../../flow/expression";

/** A stretch of members in a tree that can be taken as one: neighbours in a serial, any members of a parallel. */
export interface MemberSpan {
  type: "serial" | "parallel";
  units: readonly Expression[];
  /** The tree with the stretch replaced. */
  replace(by: Expression): Expression;
}

/** Finds the stretch that holds exactly `names`; a sentence that says why there is none. */
export function findMemberSpan(tree: Expression, names: ReadonlySet<string>): MemberSpan | string {
  if (tree.type === "name" || countIn(tree, names) === namesOf(tree).length)
    return {
      type: tree.type === "parallel" ? "parallel" : "serial",
      units: tree.type === "name" ? [tree] : tree.members,
      replace: (by: Expression) => by,
    };
  const counts = tree.members.map((member) => countIn(member, names));
  const touched = counts.flatMap((count, index) => (count > 0 ? [index] : []));
  const [first, last] = [touched[0] ?? 0, touched.at(-1) ?? 0];
  if (touched.length === 1) {
    const inner = tree.members[first];
    const found = inner ? findMemberSpan(inner, names) : "";
    return typeof found === "string"
      ? found
      : { ...found, replace: (by: Expression) => rebuild(tree, first, first, found.replace(by)) };
  }
  if (touched.some((index) => counts[index] !== namesOf(tree.members[index] ?? tree).length))
    return "The selection cuts through a part of the flow. Select all of that part, or less.";
  if (tree.type === "serial" && last - first + 1 !== touched.length)
    return "The selection leaves out a step in the middle. Select neighbours.";
  const units = tree.members.filter((_, index) => touched.includes(index));
  if (tree.type === "serial")
    return { type: "serial", units, replace: (by: Expression) => rebuild(tree, first, last, by) };
  const others = tree.members.filter((_, index) => !touched.includes(index));
  return { type: "parallel", units, replace: (by: Expression) => parallelExpression(others.toSpliced(first, 0, by)) };
}

function rebuild(tree: Exclude<Expression, { type: "name" }>, first: number, last: number, by: Expression): Expression {
  const members = tree.members.toSpliced(first, last - first + 1, by);
  return tree.type === "serial" ? serialExpression(members) : parallelExpression(members);
}

const countIn = (tree: Expression, names: ReadonlySet<string>): number =>
  namesOf(tree).filter(({ name }) => names.has(name)).length;

/** The tree without some names: what stood before is joined with what stood after. Null: nothing is left. */
export function withoutNames(tree: Expression, names: ReadonlySet<string>): Expression | null {
  if (tree.type === "name") return names.has(tree.name) ? null : tree;
  const left = tree.members.flatMap((member) => withoutNames(member, names) ?? []);
  if (left.length === 0) return null;
  return tree.type === "serial" ? serialExpression(left) : parallelExpression(left);
}
