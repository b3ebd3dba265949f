import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkCondition } from "./check";
import { namesIn } from "./condition";
import { evaluate, known, parsed, scope } from "./condition.arbitrary";
import { evaluateCondition } from "./evaluate";

// What has no bound would take minutes: the time limit of each test is enough to notice it.
describe("no evaluation runs long", () => {
  const many = "a".repeat(50_000);
  // A linear congruential generator: without a period that an automaton could learn.
  let seed = 1;
  const mixed = Array.from({ length: 300_000 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return "abф "[(seed >> 20) & 3];
  }).join("");

  it.each([
    ["(a+)+$", `${many}!`, false],
    ["(a|a)*$", `${many}!`, true],
    ["^(a|aa)+$", `${many}!`, false],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", many, false],
    ["^(.*a){12}[0-9]", many, false],
    [".*a.{15}[0-9]", mixed, false],
    [String.raw`(\w+\s?)*\d`, mixed, false],
  ])("%s is decided at once", (pattern, input, found) => {
    expect(evaluate(`matches(input, '${pattern}')`, { input })).toEqual({ ok: true, value: found });
  });

  const item = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`k${index}`, index]));
  it.each([
    ["a pattern times a text beyond the limit", "matches(input, '(.*a){300}[0-9]')", mixed, /too much to do/],
    [
      "a pattern that compiles for long",
      `matches(input, '${String.raw`((\p{L}|\d){30}){30}`.repeat(20)}')`,
      many,
      /repeat too much/,
    ],
    [
      "many patterns",
      Array(50).fill("matches(input, '.*a.{15}[0-9]')").join(" or "),
      mixed.slice(0, 40_000),
      /too much to do/,
    ],
    ["many patterns that compile for long", Array(80).fill("matches('', vars.p)").join(" or "), "", /too much to do/],
    ["long sums of texts", "input + input + input", many, /at most 100000 characters, found 150000/],
    [
      "large JSON again and again",
      Array(90).fill("json(input) == 0").join(" or "),
      `[${"1,".repeat(500_000)}1]`,
      /too much to do/,
    ],
    ["large mappings again and again", Array(160).fill("not item").join(" or "), "", /too much to do/],
    [
      "large mappings compared",
      "[item, item, item, item, item, item] == [item, item, item, item, item, item]",
      "",
      /too much to do/,
    ],
    [
      "large mappings as text",
      "text([item, item, item, item, item, item, item, item, item, item])",
      "",
      /too much to do/,
    ],
    ["deep JSON", "text(json(input))", "[".repeat(100_000) + "]".repeat(100_000), /nested at most 100 deep/],
    [
      "deep JSON compared",
      "json(input) == json(input)",
      "[".repeat(100_000) + "]".repeat(100_000),
      /nested at most 100 deep/,
    ],
  ])("%s is refused", (_, text, input, message) => {
    const vars = new Map([["p", `(?i)${String.raw`\pL`.repeat(160)}`]]);
    expect(evaluate(text, { input, vars, item })).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });

  it("looks for a long text in a long one in linear time", () => {
    const part = `b${"a".repeat(99_999)}`;
    const outputs = new Map([["part", part]]);
    const result = evaluate("outputs.part in input", { input: "a".repeat(1_000_000), outputs });
    expect(result).toEqual({ ok: true, value: false });
  });

  it("finds every part of a text, and no other", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 200 });
    fc.assert(
      fc.property(
        text,
        text,
        fc.string({ unit: fc.constantFrom("a", "b"), minLength: 32, maxLength: 60 }),
        (a, b, part) => {
          for (const input of [a + part + b, a + part.slice(1) + b, a + part.slice(0, -1) + b])
            expect(evaluate("vars.part in input", { input, vars: new Map([["part", part]]) })).toEqual({
              ok: true,
              value: input.includes(part),
            });
        },
      ),
    );
  });

  it("reads the deepest tree that a text can express", () => {
    for (const text of [
      `1${"+1".repeat(999)}`,
      `item${".a".repeat(998)}`,
      `1${" or 1".repeat(332)}`,
      "[".repeat(50) + "]".repeat(50),
    ]) {
      const expression = parsed(text.startsWith("[") ? text.slice(1, -1) : text);
      evaluateCondition(expression, scope);
      checkCondition(expression, known);
      namesIn(expression);
    }
    expect(
      checkCondition(parsed(`${"contains(".repeat(48)}input${", 'a')".repeat(48)}`), known).length,
    ).toBeGreaterThan(0);
  });
});
