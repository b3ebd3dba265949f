import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCodePoint } from "../flow/code-point.arbitrary";
import { accessTo, conditionLimits, namesIn } from "./condition";
import { conditionSoup, evaluate, fixed, parsed, scope } from "./condition.arbitrary";
import { evaluateCondition } from "./evaluate";
import { parseCondition } from "./parse";

describe("parseCondition", () => {
  it.each([
    ["", "invalid-condition", null],
    ["   ", "invalid-condition", null],
    ["input = 'a'", "invalid-condition", "input == 'a'"],
    ["1 <> 2", "invalid-condition", "1 != 2"],
    ["1 ≤ 2", "invalid-condition", "1 <= 2"],
    ["1 => 2", "invalid-condition", "1 >= 2"],
    ["1 & 2", "invalid-condition", "1 and 2"],
    ["1 AND 2", "invalid-condition", "1 and 2"],
    ["NOT 2", "invalid-condition", "not 2"],
    ["(1", "unbalanced-parenthesis", "(1)"],
    ["len(input", "unbalanced-parenthesis", "len(input)"],
    ["1)", "unbalanced-parenthesis", "1"],
    ["[1, 2", "invalid-condition", "[1, 2]"],
    ["item[1", "invalid-condition", "item[1]"],
    ["'abc", "unclosed-quote", "'abc'"],
    ['input == "abc', "unclosed-quote", 'input == "abc"'],
    [String.raw`'abc\'`, "unclosed-quote", String.raw`'abc\''`],
    ["'abc\\", "unclosed-quote", null],
    ["a b", "invalid-condition", null],
    ["1 +", "invalid-condition", null],
    ["or 1", "invalid-condition", null],
    ["1 == not 2", "invalid-condition", null],
    ["1 < 2 < 3", "invalid-condition", null],
    ["1 not 2", "invalid-condition", null],
    ["1 ? 2", "invalid-condition", null],
    ["()", "invalid-condition", null],
    ["[,]", "invalid-condition", null],
    ["1e999", "invalid-condition", null],
    ["input.lower()", "invalid-condition", null],
    ["item.", "invalid-condition", null],
    ["item.1", "invalid-condition", null],
    ["item[]", "invalid-condition", null],
    ["outputs", "invalid-condition", null],
    ["outputs[input]", "invalid-condition", null],
    ["'a' in vars", "invalid-condition", null],
    ["$x", "invalid-condition", null],
    ["a; b", "invalid-condition", null],
    ["`a`", "invalid-condition", null],
    [`${"(".repeat(51)}1${")".repeat(51)}`, "too-deep", null],
    [`${"not ".repeat(51)}1`, "too-deep", null],
    [`${"-".repeat(51)}1`, "too-deep", null],
    [`${"1?1:".repeat(51)}1`, "too-deep", null],
    ["1".repeat(conditionLimits.length + 1), "too-large", null],
  ])("refuses %s: %s", (text, code, mended) => {
    const { expression, problems } = parseCondition(text);
    expect(expression).toBeNull();
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(fixed(text, problems)).toBe(mended);
    if (mended !== null) expect(parseCondition(mended).problems).toEqual([]);
  });

  it("reads names of several scripts, and words after a dot", () => {
    expect(namesIn(parsed("outputs.研究者 and vars.in and outputs.True")).map(({ name }) => name)).toEqual([
      "研究者",
      "in",
      "True",
    ]);
  });

  it("never throws, and keeps every range inside the text", () => {
    fc.assert(
      fc.property(conditionSoup, (text) => {
        const { expression, problems } = parseCondition(text);
        expect(expression === null).toBe(problems.length === 1);
        if (expression) evaluateCondition(expression, scope);
        for (const { range } of problems) {
          expect(range?.from).toBeGreaterThanOrEqual(0);
          expect(range?.to).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it("reads any pattern or refuses it", () => {
    const piece = fc.constantFrom(
      ..."a ( ) [ ] { } ? * + | ^ $ . \\d \\b \\1 {2} {3,} (?i) (?= (?: (?P<n> [^ - \\pL \\Q \\x{ é 😀".split(" "),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.string(), (pieces, input) => {
        evaluate("matches(input, vars.pattern)", { input, vars: new Map([["pattern", pieces.join("")]]) });
      }),
      { numRuns: 2000 },
    );
  });
});

describe("namesIn", () => {
  it("names outputs and variables in written order, with the place of their name", () => {
    const text = `outputs.a.b > vars["x y"] ? outputs['a'] : len([vars.z, -outputs.c]) and !vars.q`;
    expect(
      namesIn(parsed(text)).map(({ scope, name, range }) => [scope, name, text.slice(range.from, range.to)]),
    ).toEqual([
      ["outputs", "a", ".a"],
      ["vars", "x y", '["x y"]'],
      ["outputs", "a", "['a']"],
      ["vars", "z", ".z"],
      ["outputs", "c", ".c"],
      ["vars", "q", ".q"],
    ]);
  });

  it("finds what accessTo wrote", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCodePoint }), fc.constantFrom('a"b', "a\\", "\\n", "é b", "1a")),
        (name) => {
          expect(namesIn(parsed(`outputs${accessTo(name)} == 1`)).map((used) => used.name)).toEqual([name]);
        },
      ),
    );
  });
});
