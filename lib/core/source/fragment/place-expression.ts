import { toGraph } from "../../dsl/series-parallel";
import type { InsertionPoint } from "../../flow/edit";
import {
  type Expression,
  joinExpressions,
  nameExpression,
  namesOf,
  replaceName,
  serialExpression,
} from "../../flow/expression";
import { findMemberSpan, type MemberSpan } from "../edit/member-span";

/** A topology with something new in it; `notice` describes a difference from the request. */
export interface PlacementResult {
  expression: Expression;
  notice?: string;
}

/** Adds `addition` to `tree`. The result always has a flow text, and every link of `tree` stays. */
export function placeExpression(
  tree: Expression,
  addition: Expression,
  insertionPoint: InsertionPoint,
): PlacementResult {
  switch (insertionPoint.type) {
    case "before":
    case "after":
    case "beside":
      return { expression: joinTo(tree, addition, insertionPoint) };
    case "between":
      return placeBetween(tree, addition, insertionPoint);
    default:
      return { expression: serialExpression([tree, addition]) };
  }
}

function joinTo(
  tree: Expression,
  addition: Expression,
  { type, names }: Extract<InsertionPoint, { names: readonly string[] }>,
): Expression {
  const memberNames = namesOf(tree)
    .map(({ name }) => name)
    .filter((name) => names.includes(name));
  const last = memberNames.at(-1);
  if (last === undefined) return serialExpression([tree, addition]);
  const stretch = toStretch(tree, memberNames) ?? toStretch(tree, [last]);
  if (!stretch) return serialExpression([tree, addition]);
  const joinType = type === "beside" ? "parallel" : "serial";
  const members = joinExpressions(stretch.type, stretch.units);
  return stretch.replace(joinExpressions(joinType, type === "before" ? [addition, members] : [members, addition]));
}

function toStretch(tree: Expression, names: readonly string[]): MemberSpan | null {
  const span = findMemberSpan(tree, new Set(names));
  return typeof span === "string" ? null : span;
}

/**
 * In the middle of a link: before its end where no other link leads there, after its start where it has no other link.
 * Between several starts and several ends no text can name one link: then before its end, for all that leads there.
 */
function placeBetween(
  tree: Expression,
  addition: Expression,
  { from: source, to: target }: Extract<InsertionPoint, { type: "between" }>,
): PlacementResult {
  const graph = toGraph(tree);
  if (!graph.hasEdge(source, target)) return { expression: joinTo(tree, addition, { type: "after", names: [source] }) };
  const before = replaceName(tree, target, serialExpression([addition, nameExpression(target)]));
  if (graph.inDegree(target) === 1) return { expression: before };
  if (graph.successors(source).length === 1)
    return { expression: replaceName(tree, source, serialExpression([nameExpression(source), addition])) };
  return {
    expression: before,
    notice: `Several steps lead to "${target}", and no text can name only one of these links: the new part is before "${target}" for all of them.`,
  };
}
