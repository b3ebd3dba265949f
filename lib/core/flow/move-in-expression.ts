import {
  type Expression,
  joinExpressions,
  type ListExpression,
  nameExpression,
  namesOf,
  serialExpression,
} from "./expression";

/** Up or down among its siblings, out of its parentheses, or into what precedes it. */
export type MoveWay = "up" | "down" | "out" | "in";

/** The result of a move: the new tree, the container that it moves into, that it leaves the tree, or why it is refused. */
export type Move =
  | { type: "moved"; tree: Expression }
  | { type: "into"; name: string }
  | { type: "leaves" }
  | { type: "refused"; message: string };

const refused = (message: string): Move => ({ type: "refused", message });
const moved = (tree: Expression): Move => ({ type: "moved", tree });

interface ListPosition {
  list: ListExpression;
  index: number;
  /** The tree with the list replaced. */
  replace(replacement: Expression): Expression;
  /** The position of this list in its parent. */
  outer: ListPosition | null;
}

/**
 * Moves the member `name` of a tree. Up and down swap it with a neighbour; out places it after the parentheses that it
 * leaves; in adds it to the parentheses or to the container before it, or pairs it with the agent before it: in parallel if
 * the list is a serial, in series if it is a parallel.
 */
export function moveMember(tree: Expression, name: string, way: MoveWay, { isContainer, isRoot }: MoveContext): Move {
  const position = findListPosition(tree, name, (root) => root, null);
  if (!position)
    return way === "out" ? { type: "leaves" } : refused(`"${name}" is the only member: there is nothing to move past.`);
  if (way === "up" || way === "down") return swap(position, name, way === "up" ? -1 : 1);
  return way === "out" ? leave(position, name, isRoot) : join(position, name, isContainer);
}

interface MoveContext {
  /** Whether a member contains others. */
  isContainer(name: string): boolean;
  /** In the root, a member that leaves the outermost parallel follows it in series. */
  isRoot: boolean;
}

function swap({ list, index, replace }: ListPosition, name: string, step: 1 | -1): Move {
  const [member, neighbor] = [list.members[index], list.members[index + step]];
  if (!member || !neighbor) return refused(`"${name}" is ${step < 0 ? "first" : "last"} already.`);
  return moved(replace(joinExpressions(list.type, list.members.with(index, neighbor).with(index + step, member))));
}

function leave({ list, index, replace, outer }: ListPosition, name: string, isRoot: boolean): Move {
  const remainder = joinExpressions(list.type, list.members.toSpliced(index, 1));
  const member = nameExpression(name);
  if (outer)
    return moved(
      outer.replace(joinExpressions(outer.list.type, outer.list.members.toSpliced(outer.index, 1, remainder, member))),
    );
  return isRoot && list.type === "parallel"
    ? moved(replace(serialExpression([remainder, member])))
    : { type: "leaves" };
}

function join({ list, index, replace }: ListPosition, name: string, isContainer: (name: string) => boolean): Move {
  const [previous, member] = [list.members[index - 1], nameExpression(name)];
  if (!previous) return refused(`There is no member before "${name}" to move it into.`);
  if (previous.type === "name" && isContainer(previous.name)) return { type: "into", name: previous.name };
  const joined =
    previous.type !== "name"
      ? joinExpressions(previous.type, [...previous.members, member])
      : joinExpressions(list.type === "serial" ? "parallel" : "serial", [previous, member]);
  return moved(replace(joinExpressions(list.type, list.members.toSpliced(index - 1, 2, joined))));
}

/** The list that contains `name` directly; null when the tree is that name alone, or does not contain it. */
function findListPosition(
  tree: Expression,
  name: string,
  replace: (replacement: Expression) => Expression,
  outer: ListPosition | null,
): ListPosition | null {
  if (tree.type === "name") return null;
  const index = tree.members.findIndex((member) => namesOf(member).some((nameNode) => nameNode.name === name));
  const member = tree.members[index];
  if (!member) return null;
  const position: ListPosition = { list: tree, index, replace, outer };
  if (member.type === "name") return position;
  return findListPosition(
    member,
    name,
    (replacement) => replace(joinExpressions(tree.type, tree.members.with(index, replacement))),
    position,
  );
}
