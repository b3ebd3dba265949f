import { parser } from "@lezer/python";

type PythonTree = ReturnType<typeof parser.parse>;
/** A node of a Python text. The text is only ever parsed. */
export type PythonNode = PythonTree["topNode"];

export const parsePython = (text: string): PythonNode => parser.parse(text).topNode;

export function childrenOf(node: PythonNode): PythonNode[] {
  const children: PythonNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.name !== "Comment") children.push(child);
  return children;
}

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

/** Whether a block returns or yields something, apart from the functions that it defines. */
export function hasResult(block: PythonNode): boolean {
  let isThere = false;
  block.cursor().iterate(({ name, node }) => {
    isThere ||= /^Yield/.test(name) || (name === "ReturnStatement" && childrenOf(node).some(isValue));
    return !isThere && name !== "FunctionDefinition" && name !== "LambdaExpression";
  });
  return isThere;
}

const isValue = ({ name }: PythonNode): boolean => !["return", "None", ";"].includes(name);

/** Whether the parser had to guess anywhere in it. Patterns of `match` do not count: it does not know all of them. */
export function hasMistake(node: PythonNode): boolean {
  let isWrong = false;
  node.cursor().iterate(({ type }) => {
    if (/Pattern$|^PatternArgList$/.test(type.name)) return false;
    isWrong ||= type.isError;
    return !isWrong;
  });
  return isWrong;
}

/** The name at the end of `Agent` or `orbiter.Agent`. */
export const lastNameOf = (callee: PythonNode, text: string): string | null =>
  callee.name === "VariableName" || callee.name === "MemberExpression"
    ? (/(?:^|\.)\s*([\p{L}_][\p{L}\p{N}_]*)$/u.exec(text.slice(callee.from, callee.to).slice(-200))?.[1] ?? null)
    : null;
