import { childrenOf, type PythonNode, rootOf, textOf } from "./nodes";

/** What a region of a text that is not read may do to names. */
export interface TouchedNames {
  /** Names that it may bind to something else. */
  assigned: Set<string>;
  /** Names that it may import. */
  imported: Set<string>;
  /** Names of which it may change what they are bound to: `name.field = …`, `name["key"] = …`. */
  changed: Set<string>;
  /** Names of which it calls a method that may change them. */
  called: Set<string>;
}

/**
 * Statements and expressions that bind names, and after which of their tokens the names end: none where all of it is
 * bound. With `as`, what follows each `as` is bound.
 */
const bindingEnds: ReadonlyMap<string, readonly string[]> = new Map([
  ["AssignStatement", ["AssignOp", "TypeDef"]],
  ["UpdateStatement", ["UpdateOp"]],
  ["NamedExpression", ["AssignOp"]],
  ["ForStatement", ["in"]],
  ["FunctionDefinition", ["ParamList"]],
  ["ClassDefinition", ["ArgList", "Body"]],
  ["WithStatement", ["as"]],
  ["TryStatement", ["as"]],
  ["CapturePattern", []],
  ["DeleteStatement", []],
]);

export function findTouchedNames(region: PythonNode, text: string): TouchedNames {
  const touched: TouchedNames = { assigned: new Set(), imported: new Set(), changed: new Set(), called: new Set() };
  const take = (target: PythonNode): void => {
    if (target.name === "VariableName") touched.assigned.add(textOf(target, text));
    else if (target.name === "MemberExpression") touched.changed.add(textOf(rootOf(target), text));
    else if (isUnpacking(target)) for (const child of childrenOf(target)) take(child);
  };
  region.cursor().iterate(({ name, node }) => {
    if (name === "LambdaExpression") return false;
    for (const target of targetsOf(node)) take(target);
    if (name === "ImportStatement")
      for (const child of node.getChildren("VariableName")) touched.imported.add(textOf(child, text));
    const callee = name === "CallExpression" ? node.firstChild : null;
    if (callee?.name === "MemberExpression") touched.called.add(textOf(rootOf(callee), text));
    return name !== "FunctionDefinition" && name !== "ClassDefinition";
  });
  return touched;
}

/** Whether it is a target such as `a, b` or `[a, b]`. */
export const isUnpacking = ({ name }: PythonNode): boolean => /^(?:Tuple|Array|Parenthesized)Expression$/.test(name);

/** What a statement or expression binds, apart from what is in it: the nodes before its last sign, after `as`, and the like. */
export function targetsOf(node: PythonNode): PythonNode[] {
  const ends = bindingEnds.get(node.name);
  const children = ends ? childrenOf(node) : [];
  if (ends?.length === 0) return children;
  if (ends?.includes("as")) return children.filter((_, index) => children[index - 1]?.name === "as");
  const end = children.findLastIndex(({ name }) => ends?.includes(name));
  return children.slice(0, Math.max(0, end));
}
