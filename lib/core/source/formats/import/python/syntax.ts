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
  /** What stands before the dot of a method call. */
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
  const inner = (child: PythonNode): PythonExpression => readExpression(child, text, depth + 1);
  switch (node.name) {
    case "String":
    case "FormatString":
    case "ContinuedString":
      return readText(node, text, inner) ?? unknown;
    case "Number":
      return readNumber(node, text) ?? unknown;
    case "Boolean":
      return { type: "boolean", value: text.slice(node.from, node.to) === "True", node };
    case "None":
      return { type: "none", node };
    case "VariableName":
      return { type: "name", name: text.slice(node.from, node.to), node };
    case "ParenthesizedExpression": {
      const [child, more] = partsOf(node);
      return child && !more ? inner(child) : unknown;
    }
    case "ArrayExpression":
    case "TupleExpression":
      return { type: "list", items: readItems(partsOf(node), inner), node };
    case "DictionaryExpression":
      return readDict(node, inner) ?? unknown;
    case "UnaryExpression":
      return readSigned(node, text, inner) ?? unknown;
    case "BinaryExpression":
      return readOperator(node, text, inner) ?? unknown;
    case "MemberExpression":
      return readMember(node, text, inner) ?? unknown;
    case "AwaitExpression":
      return inner(childrenOf(node).at(-1) ?? node);
    case "CallExpression":
      return readCall(node, text, inner) ?? unknown;
    default:
      return unknown;
  }
}

type ReadInner = (child: PythonNode) => PythonExpression;

/** What is between brackets and commas. */
const partsOf = (node: PythonNode): PythonNode[] => childrenOf(node).filter(({ name }) => !/^[[\](){},]$/.test(name));

/** Items of a list or arguments; `*` and what follows it are one. */
function readItems(parts: readonly PythonNode[], inner: ReadInner): PythonExpression[] {
  return parts.flatMap((part, index): PythonExpression[] => {
    const before = parts[index - 1];
    if (part.name === "*" || part.name === "**") return [];
    if (before?.name === "*" || before?.name === "**")
      return [{ type: "spread", sign: before.name, value: inner(part), node: part }];
    return [inner(part)];
  });
}

function readDict(node: PythonNode, inner: ReadInner): PythonExpression | null {
  const parts = partsOf(node).filter(({ name }) => name !== ":");
  if (parts.some(({ name }) => name === "**") || parts.length % 2 !== 0) return null;
  const entries: [PythonExpression, PythonExpression][] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const [key, value] = [parts[at], parts[at + 1]];
    if (key && value) entries.push([inner(key), inner(value)]);
  }
  return { type: "dict", entries, node };
}

function readSigned(node: PythonNode, text: string, inner: ReadInner): PythonExpression | null {
  const [sign, operand] = childrenOf(node);
  const value = operand && inner(operand);
  if (!sign || value?.type !== "number") return null;
  const written = text.slice(sign.from, sign.to);
  return written === "-" ? { ...value, value: -value.value } : written === "+" ? value : null;
}

const isSign = (written: string): written is OperatorSign => written === ">>" || written === "|" || written === "+";

/** `a >> b`, `a | b` and `a + b`; equal signs in a row are one list. */
function readOperator(node: PythonNode, text: string, inner: ReadInner): PythonExpression | null {
  const members: PythonNode[] = [];
  let sign = "";
  let left: PythonNode | undefined = node;
  while (left?.name === "BinaryExpression") {
    const [first, operator, second]: PythonNode[] = childrenOf(left);
    const written = operator ? text.slice(operator.from, operator.to) : "";
    if (sign !== "" && written !== sign) break;
    sign = written;
    if (second) members.push(second);
    left = first;
  }
  if (left) members.push(left);
  return isSign(sign) ? { type: "operator", sign, members: members.toReversed().map(inner), node } : null;
}

/** `a.b` and `a["b"]`. */
function readMember(node: PythonNode, text: string, inner: ReadInner): PythonExpression | null {
  const [object, sign, property, end] = childrenOf(node);
  if (!object || !property) return null;
  if (sign?.name === ".")
    return { type: "member", object: inner(object), name: text.slice(property.from, property.to), node };
  return sign?.name === "[" && end?.name === "]"
    ? { type: "index", object: inner(object), key: inner(property), node }
    : null;
}

function readCall(node: PythonNode, text: string, inner: ReadInner): PythonExpression | null {
  const [callee, list] = childrenOf(node);
  if (!callee || list?.name !== "ArgList") return null;
  const [object] = callee.name === "MemberExpression" ? childrenOf(callee) : [];
  const parts = partsOf(list);
  const isGenerator = parts.some(({ name }) => name === "for");
  const named: PythonCall["named"][number][] = [];
  const positional: PythonNode[] = [];
  for (let at = 0; at < parts.length; at++) {
    const [part, sign, value] = [parts[at], parts[at + 1], parts[at + 2]];
    if (!part) continue;
    if (sign?.name === "AssignOp" && value) {
      const range = { from: part.from, to: value.to };
      named.push({ name: text.slice(part.from, part.to), value: inner(value), range });
      at += 2;
    } else if (part.name === "**" && sign) {
      named.push({ name: "", value: inner(sign), range: { from: part.from, to: sign.to } });
      at++;
    } else positional.push(part);
  }
  return {
    type: "call",
    name: lastNameOf(callee, text) ?? "",
    ...(object && { receiver: inner(object) }),
    positional: isGenerator ? [{ type: "unknown", node: list }] : readItems(positional, inner),
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

function readText(node: PythonNode, text: string, inner: ReadInner): PythonExpression | null {
  const parts = readStringParts(node, text);
  if (!parts) return null;
  if (parts.every((part) => typeof part === "string")) return { type: "text", text: parts.join(""), node };
  return { type: "format", parts: parts.map((part) => (typeof part === "string" ? part : inner(part))), node };
}
