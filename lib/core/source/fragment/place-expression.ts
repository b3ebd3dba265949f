import { toGraph } from "../../dsl/series-parallel";
import type { Place } from "../../flow/edit";
import {
  type Expression,
  mapNames,
  nameExpression,
  namesOf,
  parallelExpression,
  serialExpression,
} from "../../flow/expression";
import { findMemberSpan, type MemberSpan } from "../edit/member-span";

/** A topology with something new in it; `notice` says what came out otherwise than asked. */
export interface PlacementResult {
  expression: Expression;
  notice?: string;
}

/** Puts `part` into `tree`. What comes out can always be said by a text, and everything in `tree` stays linked as it was. */
export function placeExpression(tree: Expression, part: Expression, place: Place): PlacementResult {
  switch (place.type) {
    case "after":
    case "beside":
      return { expression: joinTo(tree, part, place) };
    case "between":
      return placeBetween(tree, part, place);
    default:
      return { expression: serialExpression([tree, part]) };
  }
}

function joinTo(
  tree: Expression,
  part: Expression,
  { type, names }: Extract<Place, { names: readonly string[] }>,
): Expression {
  const standing = namesOf(tree)
    .map(({ name }) => name)
    .filter((name) => names.includes(name));
  const last = standing.at(-1);
  if (last === undefined) return serialExpression([tree, part]);
  const stretch = toStretch(tree, standing) ?? toStretch(tree, [last]);
  if (!stretch) return serialExpression([tree, part]);
  const own = stretch.type === "serial" ? serialExpression(stretch.units) : parallelExpression(stretch.units);
  return stretch.replace(type === "after" ? serialExpression([own, part]) : parallelExpression([own, part]));
}

function toStretch(tree: Expression, names: readonly string[]): MemberSpan | null {
  const found = findMemberSpan(tree, new Set(names));
  return typeof found === "string" ? null : found;
}

/**
 * In the middle of a link: before its end where nothing else leads there, behind its start where it leads nowhere else.
 * Between several starts and several ends no text can name one link: then before its end, for all that leads there.
 */
function placeBetween(
  tree: Expression,
  part: Expression,
  { from, to }: Extract<Place, { type: "between" }>,
): PlacementResult {
  const graph = toGraph(tree);
  if (!graph.hasEdge(from, to)) return { expression: joinTo(tree, part, { type: "after", names: [from] }) };
  const put = (name: string, by: Expression): Expression =>
    mapNames(tree, (one) => (one === name ? by : nameExpression(one)));
  const before = put(to, serialExpression([part, nameExpression(to)]));
  if (graph.inDegree(to) === 1) return { expression: before };
  if (graph.successors(from).length === 1)
    return { expression: put(from, serialExpression([nameExpression(from), part])) };
  return {
    expression: before,
    notice: `Several steps lead to "${to}", and no text can say only one of these links: the new part stands before "${to}" for all of them.`,
  };
}
