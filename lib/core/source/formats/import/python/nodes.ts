import { parser } from "@lezer/python";
import type { TextRange } from "../../../../flow/text-range";

type PythonTree = ReturnType<typeof parser.parse>;
/** A node of a Python text. The text is only ever parsed. */
export type PythonNode = PythonTree["topNode"];

export const parsePython = (text: string): PythonNode => parser.parse(text).topNode;

export const textOf = ({ from: start, to: end }: TextRange, text: string): string => text.slice(start, end);

export function childrenOf(node: PythonNode): PythonNode[] {
  const children: PythonNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.name !== "Comment") children.push(child);
  return children;
}

/** What is between brackets and commas. */
export const operandsOf = (node: PythonNode): PythonNode[] =>
  childrenOf(node).filter(({ name }) => !/^[[\](){},]$/.test(name));

/** The statements of a module or of a block, those after a `;` too. */
export const statementsOf = (block: PythonNode): PythonNode[] =>
  childrenOf(block).flatMap((node) =>
    node.name === "StatementGroup"
      ? childrenOf(node).filter(({ name }) => name !== ";")
      : node.name === ":"
        ? []
        : [node],
  );

/** The blocks of a compound statement: of an `if` with `else`, two. */
export const blocksOf = (statement: PythonNode): PythonNode[] =>
  childrenOf(statement).flatMap((child) =>
    child.name === "MatchBody" || child.name === "MatchClause" ? blocksOf(child) : child.name === "Body" ? [child] : [],
  );

/** The node that defines a function or class, without its decorators, and the name that it defines. */
export function findDefinition(statement: PythonNode): { definition: PythonNode; nameNode: PythonNode } | null {
  const children = statement.name === "DecoratedStatement" ? childrenOf(statement) : [statement];
  const definition = children.findLast(({ name }) => name.endsWith("Definition"));
  const nameNode = definition && childrenOf(definition).find(({ name }) => name === "VariableName");
  return definition && nameNode ? { definition, nameNode } : null;
}

/** Whether a block returns or yields something, apart from the functions that it defines. */
export const hasResult = (block: PythonNode): boolean =>
  contains(
    block,
    ({ name, node }) => /^Yield/.test(name) || (name === "ReturnStatement" && childrenOf(node).some(isValue)),
    /^(?:FunctionDefinition|LambdaExpression)$/,
  );

const isValue = ({ name }: PythonNode): boolean => !["return", "None", ";"].includes(name);

/** Whether the parser had to guess anywhere in it. Patterns of `match` do not count: it does not know all of them. */
export const hasMistake = (node: PythonNode): boolean =>
  contains(node, ({ type }) => type.isError, /Pattern$|^PatternArgList$/);

/** Whether a node in `region` matches, apart from those called like `excluded` and what is in them. */
function contains(
  region: PythonNode,
  isMatch: (node: Pick<PythonNode, "name" | "type" | "node">) => boolean,
  excluded: RegExp,
): boolean {
  let hasMatch = false;
  region.cursor().iterate((node) => {
    if (excluded.test(node.name)) return false;
    hasMatch ||= isMatch(node);
    return !hasMatch;
  });
  return hasMatch;
}

/** The name at the end of `Agent` or `orbiter.Agent`. */
export const lastNameOf = (callee: PythonNode, text: string): string | null =>
  callee.name === "VariableName" || callee.name === "MemberExpression"
    ? (/(?:^|\.)\s*([\p{L}_][\p{L}\p{N}_]*)$/u.exec(textOf(callee, text).slice(-200))?.[1] ?? null)
    : null;

/** `object.name` or `object[key]`. */
export interface MemberAccess {
  object: PythonNode;
  name?: string;
  key?: PythonNode;
}

/** Null for everything else, such as the slice `object[1:2]`. */
export function readMemberAccess(node: PythonNode, text: string): MemberAccess | null {
  const [object, sign, property, end] = node.name === "MemberExpression" ? childrenOf(node) : [];
  if (!object || !property) return null;
  if (sign?.name === ".") return { object, name: textOf(property, text) };
  return sign?.name === "[" && end?.name === "]" ? { object, key: property } : null;
}

/** The node that `a["b"].c` begins with: `a`. */
export function rootOf(member: PythonNode): PythonNode {
  let root: PythonNode | undefined = member;
  for (
    let next: PythonNode | undefined = member;
    next;
    [next] = /^(?:Member|Parenthesized)E/.test(next.name) ? operandsOf(next) : []
  )
    root = next;
  return root;
}
