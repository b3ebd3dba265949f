import { childrenOf, type PythonNode } from "./nodes";

/** What a part of a text that is not read may do to names. */
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

/** Statements and expressions that bind names, and after which of their tokens the names end. */
const bindingEnds: Readonly<Record<string, readonly string[]>> = {
  AssignStatement: ["AssignOp", "TypeDef"],
  UpdateStatement: ["UpdateOp"],
  NamedExpression: ["AssignOp"],
  ForStatement: ["in"],
  FunctionDefinition: ["ParamList"],
  ClassDefinition: ["ArgList", "Body"],
};
const bindingsWithAs = new Set(["WithStatement", "TryStatement"]);
const bindings = new Set(["CapturePattern", "DeleteStatement"]);

export function findTouchedNames(region: PythonNode, text: string): TouchedNames {
  const touched: TouchedNames = { assigned: new Set(), imported: new Set(), changed: new Set(), called: new Set() };
  const textOf = ({ from: start, to: end }: PythonNode): string => text.slice(start, end);
  const take = (target: PythonNode): void => {
    if (target.name === "VariableName") touched.assigned.add(textOf(target));
    else if (target.name === "MemberExpression") touched.changed.add(textOf(rootOf(target)));
    else if (/^(?:Tuple|Array|Parenthesized)Expression$/.test(target.name))
      for (const child of childrenOf(target)) take(child);
  };
  region.cursor().iterate(({ name, node }) => {
    if (name === "LambdaExpression") return false;
    const children = childrenOf(node);
    if (bindings.has(name)) for (const child of children) take(child);
    if (bindingsWithAs.has(name))
      for (const [index, child] of children.entries()) if (children[index - 1]?.name === "as") take(child);
    if (name === "ImportStatement")
      for (const child of children) if (child.name === "VariableName") touched.imported.add(textOf(child));
    for (const target of targetsOf(node)) take(target);
    const [callee] = name === "CallExpression" ? children : [];
    if (callee?.name === "MemberExpression") touched.called.add(textOf(rootOf(callee)));
    return name !== "FunctionDefinition" && name !== "ClassDefinition";
  });
  return touched;
}

/** The nodes before the last sign of an assignment, or between `for` and `in`. */
export function targetsOf(node: PythonNode): PythonNode[] {
  const ends = Object.hasOwn(bindingEnds, node.name) ? (bindingEnds[node.name] ?? []) : [];
  const children = ends.length > 0 ? childrenOf(node) : [];
  const end = children.findLastIndex(({ name }) => ends.includes(name));
  return children.slice(0, Math.max(0, end));
}

function rootOf(member: PythonNode): PythonNode {
  let root = member;
  while (root.name === "MemberExpression" && root.firstChild) root = root.firstChild;
  return root;
}
