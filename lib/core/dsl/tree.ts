import { type Expression, joinExpressions, nameExpression } from "../flow/expression";

/** A series-parallel tree of twos, as it grows while a graph is reduced: joining costs the same whatever it holds. */
export type SeriesParallelTree = TreeLeaf | TreeJoin;

interface TreeLeaf {
  type: "name";
  name: string;
  /** When its first node was added to the graph; orders the members of a parallel. */
  added: number;
}

interface TreeJoin {
  type: "serial" | "parallel";
  left: SeriesParallelTree;
  right: SeriesParallelTree;
  added: number;
}

export const leaf = (name: string, added: number): SeriesParallelTree => ({ type: "name", name, added });

export function joinTrees(
  type: TreeJoin["type"],
  leftTree: SeriesParallelTree,
  rightTree: SeriesParallelTree,
): SeriesParallelTree {
  const added = type === "serial" ? leftTree.added : Math.min(leftTree.added, rightTree.added);
  return { type, left: leftTree, right: rightTree, added };
}

/** Members of every parallel in the order in which their first nodes were added. Without recursion, linear but for sorting. */
export function toExpression(tree: SeriesParallelTree): Expression {
  if (tree.type === "name") return nameExpression(tree.name);
  const open = [begin(tree)];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const next = top.pending.pop();
    if (next?.type === "name") top.done.push(nameExpression(next.name));
    else if (next) open.push(begin(next));
    else {
      const expression = joinExpressions(top.type, top.done);
      open.pop();
      const outer = open.at(-1);
      if (!outer) return expression;
      outer.done.push(expression);
    }
  }
  throw new Error("a tree has an outermost node");
}

interface ExpressionBuilder {
  type: TreeJoin["type"];
  /** Members still to be built, the next one last. */
  pending: SeriesParallelTree[];
  done: Expression[];
}

function begin(tree: TreeJoin): ExpressionBuilder {
  const members = membersOf(tree);
  if (tree.type === "parallel") members.sort((a, b) => a.added - b.added);
  return { type: tree.type, pending: members.reverse(), done: [] };
}

function membersOf({ type, left: leftTree, right: rightTree }: TreeJoin): SeriesParallelTree[] {
  const members: SeriesParallelTree[] = [];
  const waiting = [rightTree, leftTree];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.type === type) waiting.push(next.right, next.left);
    else members.push(next);
  }
  return members;
}

/** A node that nothing in the tree comes before. */
export const sourceOf = (tree: SeriesParallelTree): string => endOf(tree, "left");

/** A node that no node of the tree follows. */
export const sinkOf = (tree: SeriesParallelTree): string => endOf(tree, "right");

function endOf(tree: SeriesParallelTree, side: "left" | "right"): string {
  let node = tree;
  while (node.type !== "name") node = node[side];
  return node.name;
}
