import { childrenOf, type PythonNode, textOf } from "./nodes";
import { type PythonArgument, type PythonValue, unknownAt } from "./value";

interface BoundCall {
  definition: PythonNode;
  text: string;
  callArguments: readonly PythonArgument[];
  evaluate(node: PythonNode): PythonValue;
}

/** What the parameters of a function are in a call; what nothing is given for, and has no default value, is not known. */
export function bindParameters({
  definition,
  text,
  callArguments,
  evaluate,
}: BoundCall): [name: string, value: PythonValue][] {
  const positional = callArguments.filter(({ name }) => name === "");
  const named = new Map(callArguments.filter(({ name }) => name !== "").map(({ name, value }) => [name, value]));
  const hasUnread = named.has("**");
  const list = childrenOf(definition).find(({ name }) => name === "ParamList");
  const children = list ? childrenOf(list).filter(({ name }) => name !== "TypeDef") : [];
  return children.flatMap((node, index): [string, PythonValue][] => {
    const sign = children[index - 1]?.name;
    if (node.name !== "VariableName" || sign === "AssignOp") return [];
    const name = textOf(node, text);
    if (sign === "*") return [[name, { type: "list", items: positional.splice(0).map(({ value }) => value) }]];
    if (sign === "**") return [[name, toDict(named)]];
    const defaultValue = children[index + 1]?.name === "AssignOp" && !hasUnread ? children[index + 2] : undefined;
    const value = named.get(name) ?? positional.shift()?.value ?? (defaultValue && evaluate(defaultValue));
    named.delete(name);
    return [[name, value ?? unknownAt(node)]];
  });
}

const toDict = (named: ReadonlyMap<string, PythonValue>): PythonValue => ({
  type: "dict",
  entries: [...named].map(([key, value]) => [{ type: "text", text: key }, value]),
});
