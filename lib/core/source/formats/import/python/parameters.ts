import type { TextRange } from "../../../../flow/text-range";
import { childrenOf, type PythonNode } from "./nodes";
import type { PythonArgument } from "./pieces";
import { type PythonValue, unknownAt } from "./value";

/** A parameter of a function; `*` and `**` take what is left. */
interface PythonParameter {
  name: string;
  sign: "" | "*" | "**";
  node: PythonNode;
  /** What it is in calls that leave it out. */
  defaultValue?: PythonNode;
}

function readParameters(definition: PythonNode, text: string): PythonParameter[] {
  const list = childrenOf(definition).find(({ name }) => name === "ParamList");
  const children = list ? childrenOf(list).filter(({ name }) => name !== "TypeDef") : [];
  return children.flatMap((node, index): PythonParameter[] => {
    if (node.name !== "VariableName" || children[index - 1]?.name === "AssignOp") return [];
    const before = children[index - 1]?.name;
    const defaultValue = children[index + 1]?.name === "AssignOp" ? children[index + 2] : undefined;
    const sign = before === "*" || before === "**" ? before : "";
    return [{ name: text.slice(node.from, node.to), sign, node, ...(defaultValue && { defaultValue }) }];
  });
}

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
  return readParameters(definition, text).map(({ name, sign, node, defaultValue }): [string, PythonValue] => {
    if (sign === "*") return [name, { type: "list", items: positional.splice(0).map(({ value }) => value) }];
    if (sign === "**") return [name, toDict(named)];
    const value = named.get(name) ?? positional.shift()?.value;
    named.delete(name);
    return [name, value ?? (defaultValue && !hasUnread ? evaluate(defaultValue) : unknownAt(rangeOf(node)))];
  });
}

const rangeOf = ({ from: start, to: end }: PythonNode): TextRange => ({ from: start, to: end });

const toDict = (named: ReadonlyMap<string, PythonValue>): PythonValue => ({
  type: "dict",
  entries: [...named].map(([key, value]) => [{ type: "text", text: key }, value]),
});
