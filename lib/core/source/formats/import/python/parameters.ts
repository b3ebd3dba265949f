import type { Range } from "../../../../flow/text-range";
import { childrenOf, type PythonNode } from "./nodes";
import type { Argument } from "./pieces";
import { unknownAt, type Value } from "./value";

/** A parameter of a function; `*` and `**` take what is left. */
interface Parameter {
  name: string;
  sign: "" | "*" | "**";
  node: PythonNode;
  /** What it is in calls that leave it out. */
  defaultValue?: PythonNode;
}

function readParameters(definition: PythonNode, text: string): Parameter[] {
  const list = childrenOf(definition).find(({ name }) => name === "ParamList");
  const children = list ? childrenOf(list).filter(({ name }) => name !== "TypeDef") : [];
  return children.flatMap((node, at): Parameter[] => {
    if (node.name !== "VariableName" || children[at - 1]?.name === "AssignOp") return [];
    const before = children[at - 1]?.name;
    const defaultValue = children[at + 1]?.name === "AssignOp" ? children[at + 2] : undefined;
    const sign = before === "*" || before === "**" ? before : "";
    return [{ name: text.slice(node.from, node.to), sign, node, ...(defaultValue && { defaultValue }) }];
  });
}

interface Call {
  definition: PythonNode;
  text: string;
  callArguments: readonly Argument[];
  evaluate(node: PythonNode): Value;
}

/** What the parameters of a function are in a call; what nothing is given for, and has no default value, is not known. */
export function bindParameters({ definition, text, callArguments, evaluate }: Call): [name: string, value: Value][] {
  const positional = callArguments.filter(({ name }) => name === "");
  const named = new Map(callArguments.filter(({ name }) => name !== "").map(({ name, value }) => [name, value]));
  const hasUnread = named.has("**");
  return readParameters(definition, text).map(({ name, sign, node, defaultValue }): [string, Value] => {
    if (sign === "*") return [name, { type: "list", items: positional.splice(0).map(({ value }) => value) }];
    if (sign === "**") return [name, toDict(named)];
    const value = named.get(name) ?? positional.shift()?.value;
    named.delete(name);
    return [name, value ?? (defaultValue && !hasUnread ? evaluate(defaultValue) : unknownAt(rangeOf(node)))];
  });
}

const rangeOf = ({ from, to }: PythonNode): Range => ({ from, to });

const toDict = (named: ReadonlyMap<string, Value>): Value => ({
  type: "dict",
  entries: [...named].map(([key, value]) => [{ type: "text", text: key }, value]),
});
