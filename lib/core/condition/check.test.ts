import { describe, expect, it } from "vitest";
import type { Problem } from "../flow/problem";
import { checkCondition, type KnownNames } from "./check";
import { fixed, known, parsed } from "./condition.arbitrary";

const check = (text: string, over: Partial<KnownNames> = {}): Problem[] =>
  checkCondition(parsed(text), { ...known, ...over });

describe("checkCondition", () => {
  it.each([
    "contains(outputs.writer, 'APPROVED') and round < vars.limit",
    "outputs['my reviewer'].score >= 8 or number(outputs.number) > 3",
    "item.name in [1, 'a'] and item[0] == null",
    "matches(input, '(?i)yes') ? 1 : 2",
    "input > 5 and '5' == 5 and vars.limit + 1 > len(input)",
    "-number(input) + json(input).x[0] * 2",
    "(vars.strict and input) + 'x'",
    "input == null and text(vars.limit) + vars.tone == 'x'",
  ])("finds nothing wrong with %s", (text) => {
    expect(check(text)).toEqual([]);
  });

  it.each<[text: string, code: string, place: string, mended: string | null]>([
    ["outputs.writr == 1", "unknown-name", ".writr", "outputs.writer == 1"],
    ['outputs["my revewer"].score', "unknown-name", '["my revewer"]', 'outputs["my reviewer"].score'],
    ["outputs.my_reviewer", "unknown-name", ".my_reviewer", 'outputs["my reviewer"]'],
    ["outputs.something_else", "unknown-name", ".something_else", null],
    ["outputs.__proto__", "unknown-name", ".__proto__", null],
    ["1 < vars.limt", "unknown-variable", ".limt", "1 < vars.limit"],
    ["vars.constructor", "unknown-variable", ".constructor", null],
    ["writer == 'x'", "unknown-name", "writer", "outputs.writer == 'x'"],
    ["limit > 2", "unknown-name", "limit", "vars.limit > 2"],
    ["inptu == 'x'", "unknown-name", "inptu", null],
    ["imput == 'x'", "unknown-name", "imput", "input == 'x'"],
    ["TRUE", "unknown-name", "TRUE", "true"],
    ["startsWith(input, 'x')", "unknown-name", "startsWith", "starts_with(input, 'x')"],
    ["eval(inputs)", "unknown-name", "eval", null],
    ["len(input, 1)", "invalid-condition", "len(input, 1)", null],
    ["contains(input)", "invalid-condition", "contains(input)", null],
    ["len(5)", "invalid-condition", "5", null],
    ["max(1, 2, 'a')", "invalid-condition", "'a'", null],
    ["input * 2", "invalid-condition", "input", null],
    ["1 - 'a'", "invalid-condition", "'a'", null],
    ["vars.limit + 'a'", "invalid-condition", "vars.limit + 'a'", null],
    ["true + 1", "invalid-condition", "true", null],
    ["-vars.tone", "invalid-condition", "vars.tone", null],
    ["vars.strict < 3", "invalid-condition", "vars.strict", null],
    ["3 > 'many'", "invalid-condition", "'many'", null],
    ["[1] < 2", "invalid-condition", "[1]", null],
    ["input.score", "invalid-condition", "input", null],
    ["input[0]", "invalid-condition", "input", null],
    ["[1]['a']", "invalid-condition", "'a'", null],
    ["1 in 5", "invalid-condition", "5", null],
    ["1 in input", "invalid-condition", "1", null],
    ["contains(input, 5)", "invalid-condition", "5", null],
    ["matches(input, '(')", "invalid-condition", "'('", null],
    [String.raw`matches(input, '(a)\1')`, "invalid-condition", String.raw`'(a)\1'`, null],
    ["true == 'true'", "invalid-condition", "true == 'true'", null],
  ])("finds what is wrong with %s", (text, code, place, mended) => {
    const problems = check(text);
    const [first] = problems;
    expect(first?.code).toBe(code);
    expect(text.slice(first?.range?.from, first?.range?.to)).toBe(place);
    expect(fixed(text, problems)).toBe(mended);
    if (mended !== null) expect(check(mended).map((problem) => problem.code)).toEqual([]);
  });

  it("knows item and round inside a loop only", () => {
    expect(check("item.id == round", { loop: false }).map(({ code }) => code)).toEqual([
      "invalid-condition",
      "invalid-condition",
    ]);
    expect(check("item.id == round")).toEqual([]);
  });

  it("warns about comparisons with a constant result, and lists every problem in the order of the text", () => {
    expect(check("true == 'true'").map(({ severity }) => severity)).toEqual(["warning"]);
    expect(check("nothing(outputs.a, vars.b)").map(({ range }) => range?.from)).toEqual([0, 15, 23]);
  });
});
