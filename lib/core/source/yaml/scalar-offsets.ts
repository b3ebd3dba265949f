import type { Scalar } from "yaml";
import type { Problem } from "../../flow/problem";
import type { Range, TextChange } from "../../flow/text-range";

/** Carries places inside a scalar's value over to places in the file. */
export interface ScalarOffsets {
  /** The place in the file of a range of the value. */
  toRange(range: Range): Range;
  /** The change in the file that changes the value so, written as the quotes round it want it. In a plain scalar what is put in may mean something else to YAML. */
  toChange(change: TextChange): TextChange;
}

/** Null: the value cannot be followed through folds; callers use the whole scalar. */
export function scalarOffsets(text: string, node: Scalar): ScalarOffsets | null {
  if (typeof node.value !== "string" || !node.range) return null;
  const places = align(text, node.value, node.range, node.type ?? "PLAIN");
  if (!places) return null;
  const at = (index: number): Range => places[Math.min(index, places.length - 1)] ?? { from: 0, to: 0 };
  return {
    toRange: ({ from, to }) => ({ from: at(from).from, to: to > from ? at(to - 1).to : at(from).from }),
    toChange: ({ from, to, insert }) => {
      const start = from > 0 && from === to ? at(from - 1).to : at(from).from;
      return { from: start, to: to > from ? at(to - 1).to : start, insert: quote(insert, node.type) };
    },
  };
}

/** A piece of a value as it is written between the quotes of its scalar. */
function quote(text: string, type: Scalar["type"]): string {
  if (type === "QUOTE_DOUBLE") return JSON.stringify(text).slice(1, -1);
  return type === "QUOTE_SINGLE" ? text.replaceAll("'", "''") : text;
}

/** For each index of `value` (and one past its end) its place in `text`. */
function align(text: string, value: string, range: [number, number, number], type: string): Range[] | null {
  const quoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
  const block = type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED";
  const end = range[1];
  let at = range[0] + (quoted ? 1 : 0);
  if (block) at = text.indexOf("\n", range[0]) + 1;
  const places: Range[] = [];
  for (let index = 0; index < value.length; index++) {
    const char = value[index] ?? "";
    if (type === "QUOTE_DOUBLE") at = skipEscapedBreaks(text, at);
    while (at < end && text[at] !== char && /\s/.test(text[at] ?? "") && !(/[ \n]/.test(char) && text[at] === "\n"))
      at++;
    const escaped = readEscape(text, at, type);
    if (escaped) {
      if (!value.startsWith(escaped.means, index)) return null;
      const place = { from: at, to: at + escaped.length };
      for (const _ of escaped.means.split("")) places.push(place);
      index += escaped.means.length - 1;
      at = place.to;
      continue;
    }
    const same = text[at] === char || (char === " " && text[at] === "\n");
    // The last line break of a block scalar may be missing in the file.
    if (!same && !(block && char === "\n" && at >= end)) return null;
    places.push({ from: Math.min(at, end), to: Math.min(at, end) + 1 });
    at++;
  }
  const after = places.at(-1)?.to ?? at;
  places.push({ from: after, to: after + 1 });
  return places;
}

/** A line break behind `\` is no part of the value. */
function skipEscapedBreaks(text: string, from: number): number {
  const breaks = /(?:\\\r?\n[ \t]*)*/y;
  breaks.lastIndex = from;
  return from + (breaks.exec(text)?.[0].length ?? 0);
}

const escapes = new Map([
  ["0", "\0"],
  ["a", "\x07"],
  ["b", "\b"],
  ["t", "\t"],
  ["n", "\n"],
  ["v", "\v"],
  ["f", "\f"],
  ["r", "\r"],
  ["e", "\x1b"],
  ["N", "\x85"],
  ["_", "\xa0"],
  ["L", "\u2028"],
  ["P", "\u2029"],
]);

/** What stands at `at` in a quoted scalar and means something else. */
function readEscape(text: string, at: number, type: string): { means: string; length: number } | null {
  if (type === "QUOTE_SINGLE") return text.startsWith("''", at) ? { means: "'", length: 2 } : null;
  if (type !== "QUOTE_DOUBLE" || text[at] !== "\\") return null;
  const sign = text[at + 1] ?? "";
  const digits = { x: 2, u: 4, U: 8 }[sign] ?? 0;
  if (digits === 0) return { means: escapes.get(sign) ?? sign, length: 2 };
  const code = Number.parseInt(text.slice(at + 2, at + 2 + digits), 16);
  return code <= 0x10ffff ? { means: String.fromCodePoint(code), length: 2 + digits } : null;
}

/** Moves problems of a value to the file; fixes that cannot be carried over are left out. */
export function moveProblems(problems: readonly Problem[], offsets: ScalarOffsets | null, whole: Range): Problem[] {
  return problems.map(({ fix, range, ...problem }) => ({
    ...problem,
    range: offsets && range ? offsets.toRange(range) : whole,
    ...(fix && offsets ? { fix: { ...fix, changes: fix.changes.map((change) => offsets.toChange(change)) } } : {}),
  }));
}
