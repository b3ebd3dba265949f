import { childrenOf, lastNameOf, type PythonNode } from "./nodes";
import { readStringParts } from "./strings";

/** An expression; `unknown` is everything that would have to be run to be known. `node` is where it is in the text. */
export type PythonExpression = { node: PythonNode } & (
  | { type: "text"; text: string }
  | { type: "number"; value: number; isWhole: boolean }
  | { type: "boolean"; value: boolean }
  | { type: "none" }
  | { type: "format"; parts: readonly (string | PythonExpression)[] }
  | { type: "list"; items: readonly PythonExpression[] }
  | { type: "dict"; entries: readonly [key: PythonExpression, value: PythonExpression][] }
  | { type: "name"; name: string }
  | { type: "member"; object: PythonExpression; name: string }
  | { type: "index"; object: PythonExpression; key: PythonExpression }
  | { type: "operator"; sign: OperatorSign; members: readonly PythonExpression[] }
  | { type: "spread"; sign: "*" | "**"; value: PythonExpression }
  | PythonCall
  | { type: "unknown" }
);

type OperatorSign = ">>" | "|" | "+";

export interface PythonCall {
  type: "call";
  node: PythonNode;
  /** The called name; of `orbiter.Agent` the last part. Empty when something else is called. */
  name: string;
  /** The expression before the dot of a method call. */
  receiver?: PythonExpression;
  /** Spreads (`*list`) are among them. */
  positional: readonly PythonExpression[];
  /** `name` is empty for `**mapping`. */
  named: readonly { name: string; value: PythonExpression; range: { from: number; to: number } }[];
}

const deepest = 300;

/** Reads an expression as data. */
export function readExpression(node: PythonNode, text: string, depth = 0): PythonExpression {
  const unknown: PythonExpression = { type: "unknown", node };
  if (depth > deepest) return unknown;
  const readChild = (child: PythonNode): PythonExpression => readExpression(child, text, depth + 1);
  switch (node.name) {
    case "String":
    case "FormatString":
    case "ContinuedString":
      return readText(node, text, readChild) ?? unknown;
    case "Number":
      return readNumber(node, text) ?? unknown;
    case "Boolean":
      return { type: "boolean", value: text.slice(node.from, node.to) === "True", node };
    case "None":
      return { type: "none", node };
    case "VariableName":
      return { type: "name", name: text.slice(node.from, node.to), node };
    case "ParenthesizedExpression": {
      const [child, secondChild] = operandsOf(node);
      return child && !secondChild ? readChild(child) : unknown;
    }
    case "ArrayExpression":
    case "TupleExpression":
      return { type: "list", items: readItems(operandsOf(node), readChild), node };
    case "DictionaryExpression":
      return readDict(node, readChild) ?? unknown;
    case "UnaryExpression":
      return readSigned(node, text, readChild) ?? unknown;
    case "BinaryExpression":
      return readOperator(node, text, readChild) ?? unknown;
    case "MemberExpression":
      return readMember(node, text, readChild) ?? unknown;
    case "AwaitExpression":
      return readChild(childrenOf(node).at(-1) ?? node);
    case "CallExpression":
      return readCall(node, text, readChild) ?? unknown;
    default:
      return unknown;
  }
}

type ReadInner = (child: PythonNode) => PythonExpression;

/** What is between brackets and commas. */
const operandsOf = (node: PythonNode): PythonNode[] =>
  childrenOf(node).filter(({ name }) => !/^[[\](){},]$/.test(name));

/** Items of a list or arguments; `*` and what follows it are one. */
function readItems(nodes: readonly PythonNode[], readChild: ReadInner): PythonExpression[] {
  return nodes.flatMap((node, index): PythonExpression[] => {
    const before = nodes[index - 1];
    if (node.name === "*" || node.name === "**") return [];
    if (before?.name === "*" || before?.name === "**")
      return [{ type: "spread", sign: before.name, value: readChild(node), node }];
    return [readChild(node)];
  });
}

function readDict(node: PythonNode, readChild: ReadInner): PythonExpression | null {
  const nodes = operandsOf(node).filter(({ name }) => name !== ":");
  if (nodes.some(({ name }) => name === "**") || nodes.length % 2 !== 0) return null;
  const entries: [PythonExpression, PythonExpression][] = [];
  for (let index = 0; index < nodes.length; index += 2) {
    const [key, value] = [nodes[index], nodes[index + 1]];
    if (key && value) entries.push([readChild(key), readChild(value)]);
  }
  return { type: "dict", entries, node };
}

function readSigned(node: PythonNode, text: string, readChild: ReadInner): PythonExpression | null {
  const [sign, operand] = childrenOf(node);
  const value = operand && readChild(operand);
  if (!sign || value?.type !== "number") return null;
  const written = text.slice(sign.from, sign.to);
  return written === "-" ? { ...value, value: -value.value } : written === "+" ? value : null;
}

const isSign = (written: string): written is OperatorSign => written === ">>" || written === "|" || written === "+";

/** `a >> b`, `a | b` and `a + b`; equal signs in a row are one list. */
function readOperator(node: PythonNode, text: string, readChild: ReadInner): PythonExpression | null {
  const members: PythonNode[] = [];
  let sign = "";
  let operand: PythonNode | undefined = node;
  while (operand?.name === "BinaryExpression") {
    const [firstOperand, operator, secondOperand]: PythonNode[] = childrenOf(operand);
    const written = operator ? text.slice(operator.from, operator.to) : "";
    if (sign !== "" && written !== sign) break;
    sign = written;
    if (secondOperand) members.push(secondOperand);
    operand = firstOperand;
  }
  if (operand) members.push(operand);
  return isSign(sign) ? { type: "operator", sign, members: members.toReversed().map(readChild), node } : null;
}

/** `a.b` and `a["b"]`. */
function readMember(node: PythonNode, text: string, readChild: ReadInner): PythonExpression | null {
  const [object, sign, property, end] = childrenOf(node);
  if (!object || !property) return null;
  if (sign?.name === ".")
    return { type: "member", object: readChild(object), name: text.slice(property.from, property.to), node };
  return sign?.name === "[" && end?.name === "]"
    ? { type: "index", object: readChild(object), key: readChild(property), node }
    : null;
}

function readCall(node: PythonNode, text: string, readChild: ReadInner): PythonExpression | null {
  const [callee, list] = childrenOf(node);
  if (!callee || list?.name !== "ArgList") return null;
  const [object] = callee.name === "MemberExpression" ? childrenOf(callee) : [];
  const nodes = operandsOf(list);
  const isGenerator = nodes.some(({ name }) => name === "for");
  const named: PythonCall["named"][number][] = [];
  const positional: PythonNode[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const [argumentNode, sign, value] = [nodes[index], nodes[index + 1], nodes[index + 2]];
    if (!argumentNode) continue;
    if (sign?.name === "AssignOp" && value) {
      const range = { from: argumentNode.from, to: value.to };
      named.push({ name: text.slice(argumentNode.from, argumentNode.to), value: readChild(value), range });
      index += 2;
    } else if (argumentNode.name === "**" && sign) {
      named.push({ name: "", value: readChild(sign), range: { from: argumentNode.from, to: sign.to } });
      index++;
    } else positional.push(argumentNode);
  }
  return {
    type: "call",
    name: lastNameOf(callee, text) ?? "",
    ...(object && { receiver: readChild(object) }),
    positional: isGenerator ? [{ type: "unknown", node: list }] : readItems(positional, readChild),
    named,
    node,
  };
}

function readNumber(node: PythonNode, text: string): PythonExpression | null {
  const plain = text.slice(node.from, node.to).replaceAll("_", "");
  const value = /^(?:0[xob][\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i.test(plain) ? Number(plain) : Number.NaN;
  if (!Number.isFinite(value)) return null;
  return { type: "number", value, isWhole: /^\d+$/.test(plain) && Number.isSafeInteger(value), node };
}

function readText(node: PythonNode, text: string, readChild: ReadInner): PythonExpression | null {
  const segments = readStringParts(node, text);
  if (!segments) return null;
  if (segments.every((segment) => typeof segment === "string")) return { type: "text", text: segments.join(""), node };
  return {
    type: "format",
    parts: segments.map((segment) => (typeof segment === "string" ? segment : readChild(segment))),
    node,
  };
}
