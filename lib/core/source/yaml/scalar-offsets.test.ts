import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMap, isScalar, parseDocument, type Scalar } from "yaml";
import { applyChanges } from "../../flow/text-change";
import { moveProblems, scalarOffsets } from "./scalar-offsets";

/** The value of `k` in a text. */
function scalarIn(text: string): Scalar<string> {
  const { contents, errors } = parseDocument(text);
  const value = isMap(contents) ? contents.items[0]?.value : undefined;
  if (errors.length > 0 || !isScalar<string>(value)) throw new Error(`no scalar: ${text}`);
  return value;
}

/** How each character of the value is written. */
function writtenCharacters(text: string): string[] | null {
  const scalar = scalarIn(text);
  const offsets = scalarOffsets(text, scalar);
  return (
    offsets &&
    Array.from({ length: scalar.value.length }, (_, index) => {
      const { from: start, to: end } = offsets.toRange({ from: index, to: index + 1 });
      return text.slice(start, end);
    })
  );
}

describe("the offsets of a value in its text", () => {
  it.each<[string, string, string[]]>([
    ["a plain text", "k: a b\n", ["a", " ", "b"]],
    ["single quotes", "k: 'it''s'\n", ["i", "t", "''", "s"]],
    ["double quotes", 'k: "a\\"b"\n', ["a", '\\"', "b"]],
    [
      "letters after a backslash",
      'k: "\\0\\a\\b\\t\\n\\v\\f\\r\\e\\N\\_\\L\\P\\\\\\/"\n',
      "0abtnvfreN_LP\\/".split("").map((sign) => `\\${sign}`),
    ],
    ["numbers of characters", 'k: "\\x41\\u00e9!"\n', ["\\x41", "\\u00e9", "!"]],
    ["a character of two units", 'k: "\\U0001F600!"\n', ["\\U0001F600", "\\U0001F600", "!"]],
    ["a literal block", "k: |\n  a\n  b\n", ["a", "\n", "b", "\n"]],
    ["a literal block without a last line end", "k: |-\n  a\n  b", ["a", "\n", "b"]],
    ["an indented line in a block", "k: |\n  a\n    b\n", ["a", "\n", " ", " ", "b", "\n"]],
    ["a fold in a block", "k: >-\n  a\n  b\n", ["a", "\n", "b"]],
    ["a fold in quotes", 'k: "a\n  b"\n', ["a", "\n", "b"]],
    ["an escaped fold", 'k: "a\\\n  b"\n', ["a", "b"]],
    ["a fold in a plain text", "k: a\n  b\n", ["a", "\n", "b"]],
  ])("are known for %s", (_, text, expected) => {
    expect(writtenCharacters(text)).toEqual(expected);
  });

  it.each([
    ["a number", "k: 12\n"],
    ["nothing", "k:\n"],
  ])("are unknown for %s", (_, text) => {
    const { contents } = parseDocument(text);
    const value = isMap(contents) ? contents.items[0]?.value : undefined;
    expect(isScalar(value) && scalarOffsets(text, value)).toBeNull();
  });

  it("of an empty range are where a text would be inserted", () => {
    const text = "k: 'abc'\n";
    const offsets = scalarOffsets(text, scalarIn(text));
    expect(offsets?.toRange({ from: 0, to: 0 })).toEqual({ from: 4, to: 4 });
    expect(offsets?.toChange({ from: 1, to: 1, insert: "x" })).toEqual({ from: 5, to: 5, insert: "x" });
    expect(offsets?.toChange({ from: 3, to: 3, insert: "x" })).toEqual({ from: 7, to: 7, insert: "x" });
  });

  it.each([
    ["k: 'a'\n", "it's", "it''s"],
    ['k: "a"\n', 'say "x"\n', 'say \\"x\\"\\n'],
    ["k: a\n", "b", "b"],
  ])("write a new text as the quotes of %j need it", (text, insert, written) => {
    const change = scalarOffsets(text, scalarIn(text))?.toChange({ from: 0, to: 1, insert });
    expect(change?.insert).toBe(written);
    expect(change && scalarIn(applyChanges(text, [change])).value).toBe(insert);
  });

  it("property: a change of the value is that change of the quoted text", () => {
    const anyValue = fc.string({
      maxLength: 12,
      unit: fc.constantFrom("a", "é", "'", '"', "\\", "\n", "\t", " ", "😀", "#", ":"),
    });
    fc.assert(
      fc.property(anyValue, anyValue, fc.nat(12), fc.nat(12), fc.boolean(), (value, insert, at, length, isDouble) => {
        const single = /[\n\t\\]/.test(value + insert) ? null : `'${value.replaceAll("'", "''")}'`;
        const text = `k: ${isDouble || single === null ? JSON.stringify(value) : single}\n`;
        const start = Math.min(at, value.length);
        const change = { from: start, to: Math.min(value.length, start + length), insert };
        const offsets = scalarOffsets(text, scalarIn(text));
        expect(offsets).not.toBeNull();
        const fileChange = offsets?.toChange(change);
        expect(fileChange && scalarIn(applyChanges(text, [fileChange])).value).toBe(applyChanges(value, [change]));
      }),
    );
  });
});

describe("problems of a value", () => {
  const problem = { code: "unknown-name", severity: "error", message: "?", range: { from: 2, to: 3 } } as const;
  const fix = { title: "Write x", changes: [{ from: 2, to: 3, insert: "x'y" }] };
  const text = "k: 'it''s'\n";
  const offsets = scalarOffsets(text, scalarIn(text));
  const whole = { from: 3, to: 10 };

  it("move to the file with their fixes", () => {
    expect(moveProblems([{ ...problem, fix }], offsets, whole)).toEqual([
      { ...problem, range: { from: 6, to: 8 }, fix: { ...fix, changes: [{ from: 6, to: 8, insert: "x''y" }] } },
    ]);
  });

  it("are those of the whole value, without fixes, where the offsets are unknown", () => {
    expect(moveProblems([{ ...problem, fix }], null, whole)).toEqual([{ ...problem, range: whole }]);
  });

  it("are those of the whole value where they have no range", () => {
    const { range: _, ...withoutRange } = problem;
    expect(moveProblems([withoutRange], offsets, whole)).toEqual([{ ...problem, range: whole }]);
  });
});
