import type { Scalar } from "yaml";
import type { Problem } from "../flow/problem";
import type { Range, TextChange } from "../flow/text";

/** Carries places inside a scalar's value over to places in the file. */
export interface ScalarOffsets {
  /** The place in the file of a range of the value. */
  toRange(range: Range): Range;
  /** The change in the file that changes the value so, or null where quoting or folding stand between. */
  toChange(change: TextChange): TextChange | null;
}

/** Null: the value cannot be followed through escapes; callers use the whole scalar. */
export function scalarOffsets(text: string, node: Scalar): ScalarOffsets | null {
  if (typeof node.value !== "string" || !node.range) return null;
  const offsets = align(text, node.value, node.range, node.type ?? "PLAIN");
  if (!offsets) return null;
  const at = (index: number): number => offsets[Math.min(index, offsets.length - 1)] ?? 0;
  return {
    toRange: ({ from, to }) => ({ from: at(from), to: to > from ? at(to - 1) + 1 : at(from) }),
    toChange: ({ from, to, insert }) => {
      if (node.type === "QUOTE_DOUBLE" && /["\\]/.test(insert)) return null;
      if (node.type === "QUOTE_SINGLE" && insert.includes("'")) return null;
      const start = from > 0 && from === to ? at(from - 1) + 1 : at(from);
      return { from: start, to: to > from ? at(to - 1) + 1 : start, insert };
    },
  };
}

/** For each index of `value` (and one past its end) the offset in `text`. */
function align(text: string, value: string, range: [number, number, number], type: string): number[] | null {
  const quoted = type === "QUOTE_DOUBLE" || type === "QUOTE_SINGLE";
  const block = type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED";
  let at = range[0] + (quoted ? 1 : 0);
  if (block) at = text.indexOf("\n", range[0]) + 1;
  const end = range[1];
  const offsets: number[] = [];
  for (const char of value.split("")) {
    while (at < end && text[at] !== char && /\s/.test(text[at] ?? "") && !(/[ \n]/.test(char) && text[at] === "\n"))
      at++;
    if (type === "QUOTE_DOUBLE" && text[at] === "\\" && /["\\]/.test(text[at + 1] ?? "")) at++;
    else if (type === "QUOTE_SINGLE" && text[at] === "'" && text[at + 1] === "'") at++;
    const same = text[at] === char || (char === " " && text[at] === "\n");
    // The last line break of a block scalar may be missing in the file.
    if (!same && !(block && char === "\n" && at >= end)) return null;
    offsets.push(Math.min(at, end));
    at++;
  }
  const last = offsets.at(-1);
  offsets.push(last === undefined ? at : last + 1);
  return offsets;
}

/** Moves problems of a value to the file; fixes that cannot be carried over are left out. */
export function moveProblems(problems: readonly Problem[], offsets: ScalarOffsets | null, whole: Range): Problem[] {
  return problems.map(({ fix, range, ...problem }) => {
    const changes = fix?.changes.map((change) => offsets?.toChange(change) ?? null);
    const moved = changes?.every((change) => change !== null) ? changes : undefined;
    return {
      ...problem,
      range: offsets && range ? offsets.toRange(range) : whole,
      ...(fix && moved ? { fix: { title: fix.title, changes: moved } } : {}),
    };
  });
}
