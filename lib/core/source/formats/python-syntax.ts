import { parser } from "@lezer/python";
import type { Range } from "../../flow/text";

type Tree = ReturnType<typeof parser.parse>;
/** A node of a Python text. The text is only ever parsed. */
export type PythonNode = Tree["topNode"];

/** The value that an expression writes down; `unknown` for everything that would have to be run to be known. */
export type PythonValue =
  | { type: "text"; text: string }
  | { type: "number"; value: number }
  | { type: "boolean"; value: boolean }
  | { type: "none" }
  | { type: "list"; items: readonly PythonValue[] }
  | { type: "dict"; entries: readonly [key: PythonValue, value: PythonValue][] }
  | { type: "name"; name: string }
  | { type: "operator"; sign: ">>" | "|"; members: readonly PythonValue[] }
  | PythonCall
  | { type: "unknown"; range: Range };

export interface PythonCall {
  type: "call";
  /** The called name; of `orbiter.Agent` the last part. */
  name: string;
  positional: readonly PythonValue[];
  named: readonly { name: string; value: PythonValue; range: Range }[];
  range: Range;
}

/** The statements of a module, those behind a `;` too. */
export function readStatements(text: string): PythonNode[] {
  return childrenOf(parser.parse(text).topNode).flatMap((node) =>
    node.name === "StatementGroup" ? childrenOf(node).filter(({ name }) => name !== ";") : [node],
  );
}

export function childrenOf(node: PythonNode): PythonNode[] {
  const found: PythonNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== "Comment") found.push(child);
  return found;
}

/** Whether the parser had to guess anywhere in it. */
export function hasMistake(node: PythonNode): boolean {
  let found = false;
  node.cursor().iterate(({ type }) => {
    found ||= type.isError;
    return !found;
  });
  return found;
}

const deepest = 500;

/** Reads an expression as data. */
export function readValue(node: PythonNode, text: string, depth = 0): PythonValue {
  const unknown: PythonValue = { type: "unknown", range: { from: node.from, to: node.to } };
  if (depth > deepest) return unknown;
  const inner = (child: PythonNode): PythonValue => readValue(child, text, depth + 1);
  switch (node.name) {
    case "String":
    case "ContinuedString":
      return readText(node, text) ?? unknown;
    case "Number":
      return readNumber(text.slice(node.from, node.to)) ?? unknown;
    case "Boolean":
      return { type: "boolean", value: text.slice(node.from, node.to) === "True" };
    case "None":
      return { type: "none" };
    case "VariableName":
      return { type: "name", name: text.slice(node.from, node.to) };
    case "ParenthesizedExpression": {
      const [child, more] = partsOf(node);
      return child && !more ? inner(child) : unknown;
    }
    case "ArrayExpression":
    case "TupleExpression":
      return { type: "list", items: partsOf(node).map(inner) };
    case "DictionaryExpression":
      return readDict(node, inner) ?? unknown;
    case "UnaryExpression":
      return readSigned(node, text, inner) ?? unknown;
    case "BinaryExpression":
      return readOperator(node, text, inner) ?? unknown;
    case "CallExpression":
      return readCall(node, text, inner) ?? unknown;
    default:
      return unknown;
  }
}

/** What stands between brackets and commas. */
const partsOf = (node: PythonNode): PythonNode[] => childrenOf(node).filter(({ name }) => !/^[[\](){},]$/.test(name));

function readDict(node: PythonNode, inner: (child: PythonNode) => PythonValue): PythonValue | null {
  const parts = partsOf(node).filter(({ name }) => name !== ":");
  if (parts.some(({ name }) => name === "**" || name === "ArithOp") || parts.length % 2 !== 0) return null;
  const entries: [PythonValue, PythonValue][] = [];
  for (let at = 0; at < parts.length; at += 2) {
    const [key, value] = [parts[at], parts[at + 1]];
    if (key && value) entries.push([inner(key), inner(value)]);
  }
  return { type: "dict", entries };
}

function readSigned(node: PythonNode, text: string, inner: (child: PythonNode) => PythonValue): PythonValue | null {
  const [sign, operand] = childrenOf(node);
  const value = operand && inner(operand);
  if (!sign || value?.type !== "number") return null;
  const written = text.slice(sign.from, sign.to);
  return written === "-" ? { type: "number", value: -value.value } : written === "+" ? value : null;
}

/** `a >> b` and `a | b`; equal signs in a row are one list. */
function readOperator(node: PythonNode, text: string, inner: (child: PythonNode) => PythonValue): PythonValue | null {
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
  if (sign !== ">>" && sign !== "|") return null;
  return { type: "operator", sign, members: members.toReversed().map(inner) };
}

function readCall(node: PythonNode, text: string, inner: (child: PythonNode) => PythonValue): PythonValue | null {
  const [callee, list] = childrenOf(node);
  const name = callee && /(?:^|\.)([A-Za-z_]\w*)$/.exec(text.slice(callee.from, callee.to).slice(-200))?.[1];
  if (!name || list?.name !== "ArgList" || (callee.name !== "VariableName" && callee.name !== "MemberExpression"))
    return null;
  const positional: PythonValue[] = [];
  const named: { name: string; value: PythonValue; range: Range }[] = [];
  const parts = partsOf(list);
  for (let at = 0; at < parts.length; at++) {
    const [part, sign, value] = [parts[at], parts[at + 1], parts[at + 2]];
    if (!part) continue;
    if (sign?.name === "AssignOp" && value) {
      const range = { from: part.from, to: value.to };
      named.push({ name: text.slice(part.from, part.to), value: inner(value), range });
      at += 2;
    } else positional.push(inner(part));
  }
  return { type: "call", name, positional, named, range: { from: node.from, to: node.to } };
}

function readNumber(written: string): PythonValue | null {
  const plain = written.replaceAll("_", "");
  const value = /^(?:0[xob][\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i.test(plain) ? Number(plain) : Number.NaN;
  return Number.isFinite(value) ? { type: "number", value } : null;
}

/** One string or several side by side; null for bytes and for strings with values put in. */
function readText(node: PythonNode, text: string): PythonValue | null {
  const parts = node.name === "String" ? [node] : childrenOf(node);
  let read = "";
  for (const part of parts) {
    const found = part.name === "String" ? readString(text.slice(part.from, part.to)) : null;
    if (found === null) return null;
    read += found;
  }
  return { type: "text", text: read };
}

function readString(written: string): string | null {
  const [, prefix = "", quote = ""] = /^([A-Za-z]{0,2})("""|'''|"|')/.exec(written) ?? [];
  if (quote === "" || /[bf]/i.test(prefix) || written.length < prefix.length + 2 * quote.length) return null;
  const body = written.slice(prefix.length + quote.length, -quote.length).replaceAll(/\r\n?/g, "\n");
  return /r/i.test(prefix) ? body : body.replaceAll(escapePattern, readEscape);
}

const escapePattern = /\\(?:\n|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3}|[\s\S])/g;
const signs: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["\n", ""],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
]);

/** An escape that Python does not know stays as it is written. */
function readEscape(written: string): string {
  const code = written.slice(1);
  const known = signs.get(code);
  if (known !== undefined) return known;
  if (/^[xuU][\da-fA-F]{2,}$/.test(code)) return fromCode(Number.parseInt(code.slice(1), 16)) ?? written;
  return /^[0-7]+$/.test(code) ? String.fromCharCode(Number.parseInt(code, 8)) : written;
}

const fromCode = (code: number): string | null => (code <= 0x10ffff ? String.fromCodePoint(code) : null);
