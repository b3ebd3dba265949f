import { childrenOf, type PythonNode, textOf } from "./nodes";

/** What a string literal consists of: its text, and the expressions that an f-string puts into it. */
export type StringSegment = string | PythonNode;

/**
 * The segments of one string literal or of several next to each other. Null for bytes, for named characters (`\N{…}`), and
 * for an f-string that formats what it puts in (`{x!r}`, `{x:>10}`, `{x=}`).
 */
export function readStringSegments(node: PythonNode, text: string): StringSegment[] | null {
  const literals = node.name === "ContinuedString" ? childrenOf(node) : [node];
  const segments = literals.map((literal) => readLiteral(literal, text));
  return segments.every((literalSegments) => literalSegments !== null) ? segments.flat() : null;
}

function readLiteral(node: PythonNode, text: string): StringSegment[] | null {
  const written = textOf(node, text);
  const [opening, prefix = "", quote = ""] = /^([A-Za-z]{0,2})("""|'''|"|')/.exec(written) ?? [];
  if (opening === undefined || /[bt]/i.test(prefix) || written.length < opening.length + quote.length) return null;
  const isFormat = node.name === "FormatString";
  const isRaw = /r/i.test(prefix);
  const segments: StringSegment[] = [];
  let start = node.from + opening.length;
  const takeText = (to: number): boolean => {
    const literalText = text.slice(start, to).replaceAll(/\r\n?/g, "\n");
    if (!isRaw && literalText.includes("\\N")) return false;
    const plain = isRaw ? literalText : literalText.replaceAll(escapePattern, readEscape);
    segments.push(isFormat ? plain.replaceAll(/\{\{|\}\}/g, ([brace = ""]) => brace) : plain);
    return true;
  };
  for (const replacement of childrenOf(node).filter(({ name }) => name === "FormatReplacement")) {
    const [, expression, end] = childrenOf(replacement);
    if (!expression || end?.name !== "}" || !takeText(replacement.from)) return null;
    segments.push(expression);
    start = replacement.to;
  }
  return takeText(node.to - quote.length) ? segments : null;
}

const escapePattern = /\\(?:\n|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{1,3}|[\s\S])/g;
const escapes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    n: "\n",
    t: "\t",
    r: "\r",
    a: "\u0007",
    b: "\b",
    f: "\f",
    v: "\v",
    "\n": "",
    "\\": "\\",
    "'": "'",
    '"': '"',
  }),
);

/** An escape that Python does not know stays as it is written. */
function readEscape(written: string): string {
  const code = written.slice(1);
  const escaped = escapes.get(code);
  if (escaped !== undefined) return escaped;
  const isHex = /^[xuU][\da-fA-F]{2,}$/.test(code);
  const point = isHex ? Number.parseInt(code.slice(1), 16) : /^[0-7]+$/.test(code) ? Number.parseInt(code, 8) : null;
  return point !== null && point <= 0x10ffff ? String.fromCodePoint(point) : written;
}
