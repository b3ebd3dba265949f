import { type Expression, nameExpression, parallelExpression, serialExpression } from "../flow/expression";

/** A series-parallel tree of twos, as it grows while a graph is reduced: joining costs the same whatever it holds. */
export type Tree = Leaf | Join;

interface Leaf {
  type: "name";
  name: string;
  /** When its first node was added to the graph; orders the members of a parallel. */
  added: number;
}

interface Join {
  type: "serial" | "parallel";
  left: Tree;
  right: Tree;
  added: number;
}

export const leaf = (name: string, added: number): Tree => ({ type: "name", name, added });

export function joinTrees(type: Join["type"], left: Tree, right: Tree): Tree {
  const added = type === "serial" ? left.added : Math.min(left.added, right.added);
  return { type, left, right, added };
}

/** Members of every parallel in the order in which their first nodes were added. Without recursion, linear but for sorting. */
export function toExpression(tree: Tree): Expression {
  if (tree.type === "name") return nameExpression(tree.name);
  const open = [begin(tree)];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const next = top.left.pop();
    if (next?.type === "name") top.done.push(nameExpression(next.name));
    else if (next) open.push(begin(next));
    else {
      const whole = top.type === "serial" ? serialExpression(top.done) : parallelExpression(top.done);
      open.pop();
      const outer = open.at(-1);
      if (!outer) return whole;
      outer.done.push(whole);
    }
  }
  throw new Error("a tree has an outermost node");
}

interface Building {
  type: Join["type"];
  /** Members still to be built, the next one last. */
  left: Tree[];
  done: Expression[];
}

function begin(tree: Join): Building {
  const members = membersOf(tree);
  if (tree.type === "parallel") members.sort((a, b) => a.added - b.added);
  return { type: tree.type, left: members.reverse(), done: [] };
}

function membersOf({ type, left, right }: Join): Tree[] {
  const members: Tree[] = [];
  const waiting = [right, left];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.type === type) waiting.push(next.right, next.left);
    else members.push(next);
  }
  return members;
}

/** A node that nothing in the tree comes before. */
export function sourceOf(tree: Tree): string {
  let part = tree;
  while (part.type !== "name") part = part.left;
  return part.name;
}

/** A node that nothing in the tree comes behind. */
export function sinkOf(tree: Tree): string {
  let part = tree;
  while (part.type !== "name") part = part.right;
  return part.name;
}
