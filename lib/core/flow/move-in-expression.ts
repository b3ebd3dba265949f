import { type Expression, nameExpression, namesOf, parallelExpression, serialExpression } from "./expression";

/** Where a member goes: among its own, out of the parentheses round it, or in with what stands before it. */
export type MoveWay = "up" | "down" | "out" | "in";

/** What a move comes to: the new tree, the member whose inside it goes to, out of the whole tree, or why it cannot be. */
export type Move =
  | { type: "moved"; tree: Expression }
  | { type: "into"; name: string }
  | { type: "leaves" }
  | { type: "refused"; message: string };

const refused = (message: string): Move => ({ type: "refused", message });
const moved = (tree: Expression): Move => ({ type: "moved", tree });

interface Spot {
  list: Exclude<Expression, { type: "name" }>;
  index: number;
  /** The tree with the list replaced. */
  replace(by: Expression): Expression;
  /** The list that holds this one, and where. */
  outer: Spot | null;
}

/**
 * Moves the member `name` of a tree. Up and down change places with a neighbour; out stands behind the parentheses that it
 * leaves; in joins the parentheses before it, goes into the holder before it (`isHolder`), or makes a pair with the agent
 * before it: side by side in a series, one after another in a lane.
 */
export function moveMember(tree: Expression, name: string, way: MoveWay, { isHolder, isRoot }: Surroundings): Move {
  const spot = findSpot(tree, name, (by) => by, null);
  if (!spot)
    return way === "out" ? { type: "leaves" } : refused(`"${name}" stands alone: there is nothing to move past.`);
  if (way === "up" || way === "down") return swap(spot, name, way === "up" ? -1 : 1);
  return way === "out" ? leave(spot, name, isRoot) : join(spot, name, isHolder);
}

interface Surroundings {
  /** Whether a member holds others. */
  isHolder(name: string): boolean;
  /** Nothing lies outside of the root: a lane of it goes behind all of them. */
  isRoot: boolean;
}

function swap({ list, index, replace }: Spot, name: string, by: 1 | -1): Move {
  const [here, there] = [list.members[index], list.members[index + by]];
  if (!here || !there) return refused(`"${name}" is ${by < 0 ? "first" : "last"} already.`);
  return moved(replace(remake(list, list.members.with(index, there).with(index + by, here))));
}

function leave({ list, index, replace, outer }: Spot, name: string, isRoot: boolean): Move {
  const rest = remake(list, list.members.toSpliced(index, 1));
  const self = nameExpression(name);
  if (outer) return moved(outer.replace(remake(outer.list, outer.list.members.toSpliced(outer.index, 1, rest, self))));
  return isRoot && list.type === "parallel" ? moved(replace(serialExpression([rest, self]))) : { type: "leaves" };
}

function join({ list, index, replace }: Spot, name: string, isHolder: (name: string) => boolean): Move {
  const [before, self] = [list.members[index - 1], nameExpression(name)];
  if (!before) return refused(`Nothing stands before "${name}" that it could go into.`);
  if (before.type === "name" && isHolder(before.name)) return { type: "into", name: before.name };
  const joined =
    before.type !== "name"
      ? remake(before, [...before.members, self])
      : list.type === "serial"
        ? parallelExpression([before, self])
        : serialExpression([before, self]);
  return moved(replace(remake(list, list.members.toSpliced(index - 1, 2, joined))));
}

/** The list that holds `name` directly; null when the tree is that name alone, or does not hold it. */
function findSpot(
  tree: Expression,
  name: string,
  replace: (by: Expression) => Expression,
  outer: Spot | null,
): Spot | null {
  if (tree.type === "name") return null;
  const index = tree.members.findIndex((member) => namesOf(member).some((one) => one.name === name));
  const member = tree.members[index];
  if (!member) return null;
  const spot: Spot = { list: tree, index, replace, outer };
  if (member.type === "name") return spot;
  return findSpot(member, name, (by) => replace(remake(tree, tree.members.with(index, by))), spot);
}

const remake = ({ type }: Spot["list"], members: readonly Expression[]): Expression =>
  type === "serial" ? serialExpression(members) : parallelExpression(members);
