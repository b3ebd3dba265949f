import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../flow/flow";
import { checkCondition } from "./check";
import { conditionLimits } from "./condition";
import { evaluate, known, parsed } from "./condition.arbitrary";
import { functions } from "./functions";
import { compilePattern } from "./pattern";
import { containsValue, isEqual, isOfType, order, plainNumber, toText, typeOf, valueTypes, WorkBudget } from "./values";

/** The value of a text whose variables are these values. */
const evaluated = (text: string, vars: Record<string, string | number | boolean> = {}): Json => {
  const result = evaluate(text, { vars: new Map(Object.entries(vars)) });
  if (!result.ok) throw new Error(result.message);
  return result.value;
};
const messageOf = (text: string): string => {
  const result = evaluate(text);
  return result.ok ? "" : result.message;
};

/** One value of each type, as a condition. */
const samples: Record<string, string> = {
  text: "'1'",
  number: "1",
  boolean: "true",
  list: "[1]",
  mapping: "json('{\"a\": 1}')",
  null: "null",
};

describe("arguments of functions", () => {
  const accepted: Record<string, readonly (readonly string[])[]> = {
    len: [["text", "list", "mapping"]],
    contains: [["text", "list", "mapping"], valueTypes],
    matches: [["text"], ["text"]],
    lower: [["text"]],
    upper: [["text"]],
    trim: [["text"]],
    starts_with: [["text"], ["text"]],
    ends_with: [["text"], ["text"]],
    number: [["text", "number"]],
    text: [valueTypes],
    json: [valueTypes],
    min: [["number"]],
    max: [["number"]],
    abs: [["number"]],
    round: [["number"]],
  };

  it("are listed here for every function", () => {
    expect(Object.keys(accepted).sort()).toEqual([...functions.keys()].sort());
  });

  it.each(Object.entries(accepted))(
    "%s refuses every other type, when checked and when evaluated",
    (name, parameters) => {
      const valid = parameters.map((types) => samples[types[0] ?? ""] ?? "");
      for (const [index, types] of parameters.entries())
        for (const [type, sample] of Object.entries(samples)) {
          const text = `${name}(${valid.with(index, sample).join(", ")})`;
          const isRefused = messageOf(text).includes(`${name} expects`);
          expect([text, isRefused]).toEqual([text, !types.includes(type)]);
          const isReported = checkCondition(parsed(text), known).some(({ message }) => /^Expected an? /.test(message));
          // `contains` also reports what a text or a mapping cannot contain.
          if (name !== "contains")
            expect([text, isReported && type !== "mapping"]).toEqual([text, isRefused && type !== "mapping"]);
        }
    },
  );

  it.each(Object.keys(accepted))("%s names the number of arguments that it expects", (name) => {
    const { parameters = [], most = 0 } = functions.get(name) ?? {};
    for (const count of [parameters.length - 1, most + 1]) {
      const text = `${name}(${Array.from({ length: count }, () => 1).join(", ")})`;
      expect(messageOf(text)).toMatch(
        new RegExp(`^${name} expects ${parameters.length}.* arguments?, found ${count}\\.$`),
      );
      expect(checkCondition(parsed(text), known)).toMatchObject([{ code: "invalid-condition", severity: "error" }]);
    }
  });
});

describe("functions", () => {
  it.each<[text: string, value: Json]>([
    ["len('👩‍👩‍👧')", 5],
    ["len('\\r\\n')", 2],
    ['len(json(\'{"a": {}, "b": []}\'))', 2],
    ["contains('', '')", true],
    ["contains([], null)", false],
    ["contains([null], null)", true],
    ["contains(['5'], 5)", true],
    ["contains(json('{\"5\": 1}'), '5')", true],
    ["starts_with('', '')", true],
    ["starts_with('ab', 'b')", false],
    ["ends_with('ab', 'b')", true],
    ["ends_with('ab', 'ab ')", false],
    ["trim('\\t a b \\n')", "a b"],
    ["upper('straße')", "STRASSE"],
    ["lower('ÀÉ')", "àé"],
    ["number(' +1.50 ')", 1.5],
    ["number('1.')", null],
    ["number('.5')", null],
    ["number('0x10')", null],
    ["number('1e400')", null],
    ["number('١')", null],
    ["number('')", null],
    ["number('Infinity')", null],
    ["text(1e21)", "1e+21"],
    ["text(0 - 0.5)", "-0.5"],
    ["text([])", "[]"],
    ["json('[1, {\"a\": null}]')", [1, { a: null }]],
    ["json('\"x\"')", "x"],
    ["json('')", null],
    ["json('{a: 1}')", null],
    ["json([1])", [1]],
    ["min(2)", 2],
    ["min(2, -1, 5)", -1],
    ["max(2, -1, 5)", 5],
    ["abs(-0.5)", 0.5],
    ["round(0.5)", 1],
    ["round(-0.5)", -1],
    ["round(1.4)", 1],
    ["round(-1.6)", -2],
    ["matches('', '')", true],
    ["matches('a\\nb', '^b$')", false],
    ["matches('a\\nb', '(?m)^b$')", true],
    ["matches('a\\nb', 'a.b')", false],
    ["matches('a\\nb', '(?s)a.b')", true],
    ["matches('é', '^.$')", true],
    ["matches('😀', '^.$')", true],
    ["matches('Ünder', '(?i)üNDER')", true],
  ])("%s is %j", (text, value) => expect(evaluated(text)).toEqual(value));

  it("compare long texts as the platform does, whatever is looked for", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 80 });
    fc.assert(
      fc.property(word, word, word, (start, searched, end) => {
        const text = `${start}${searched.slice(1)}${end}${start}`;
        expect(containsValue(text, searched, new WorkBudget())).toBe(text.includes(searched));
        expect(containsValue(start + searched + end, searched, new WorkBudget())).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe("values", () => {
  const json: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));

  it("property: a value equals itself and its copy, and equality has no direction", () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        const copy: Json = structuredClone(a);
        expect(isEqual(a, copy, new WorkBudget())).toBe(true);
        expect(isEqual(a, b, new WorkBudget())).toBe(isEqual(b, a, new WorkBudget()));
      }),
    );
  });

  it("property: order is total for numbers and for texts, and turns round with its operands", () => {
    const pairs = fc.oneof(
      fc.tuple(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.double({ noNaN: true, min: -1e9, max: 1e9 })),
      fc.tuple(fc.string(), fc.string()),
    );
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const sign = (x: Json, y: Json) => Math.sign(order(x, y, new WorkBudget()));
        expect(sign(a, b) + sign(b, a)).toBe(0);
        expect(sign(a, b)).toBe(a < b ? -1 : Number(a > b));
      }),
    );
  });

  it("property: a finite number is read back from its text, with blanks round it", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(plainNumber(` ${value}\n`)).toBe(value + 0);
      }),
    );
    expect(plainNumber("1".repeat(41))).toBeNull();
  });

  it("property: every value has one type, and its text is read as JSON again", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(valueTypes.filter((type) => isOfType(value, [type]))).toEqual([typeOf(value)]);
        expect(isOfType(value, valueTypes)).toBe(true);
        expect(isOfType(value, [])).toBe(false);
        if (typeof value === "object") expect(JSON.parse(toText(value, new WorkBudget()))).toEqual(value);
      }),
    );
  });

  it("refuses values that nest too deeply, wherever the depth is", () => {
    const nest = (levels: number): Json => Array.from({ length: levels }).reduce<Json>((value) => [value], 1);
    const [deepest, tooDeep] = [nest(conditionLimits.valueDepth), nest(conditionLimits.valueDepth + 1)];
    expect(isEqual(deepest, structuredClone(deepest), new WorkBudget())).toBe(true);
    expect(() => isEqual(tooDeep, structuredClone(tooDeep), new WorkBudget())).toThrow("nested at most 100 deep");
    expect(toText(deepest, new WorkBudget())).toHaveLength(201);
    expect(() => toText(tooDeep, new WorkBudget())).toThrow("nested at most 100 deep");
  });

  it("does a bounded amount of work, then refuses", () => {
    const work = new WorkBudget();
    work.spend(conditionLimits.work);
    expect(() => work.spend(1)).toThrow("found too much to do");
    const almostSpent = new WorkBudget();
    almostSpent.spend(conditionLimits.work - 15);
    expect(almostSpent.keysOf({ a: 1 })).toEqual(["a"]);
    expect(() => almostSpent.keysOf({ a: 1 })).toThrow("found too much to do");
  });
});

describe("limits", () => {
  it.each<[title: string, text: string, isAccepted: boolean]>([
    ["50 levels of parentheses", `${"(".repeat(49)}1${")".repeat(49)}`, true],
    ["a text of 100,000 characters", "vars.half + vars.half == 1", true],
    ["a text of 100,001 characters", "vars.half + vars.half + 'x'", false],
    ["50 arguments", `min(${Array.from({ length: 50 }, () => 1).join()})`, true],
    ["51 arguments", `min(${Array.from({ length: 51 }, () => 1).join()})`, false],
    ["a pattern of 500 characters", "matches('', vars.pattern)", true],
    ["a pattern of 501 characters", "matches('', vars.pattern + 'a')", false],
    ["2^53 as a number", "9007199254740992 > 0", true],
    ["the largest number", "1.7e308 > 0", true],
    ["a sum beyond the largest number", "1.7e308 + 1.7e308", false],
  ])("%s", (_, text, isAccepted) => {
    const vars = new Map([
      ["half", "x".repeat(conditionLimits.textLength / 2)],
      ["pattern", "a".repeat(conditionLimits.patternLength)],
    ]);
    expect(evaluate(text, { vars }).ok).toBe(isAccepted);
  });

  it.each([
    ["a{1000}", true],
    ["a{1001}", false],
    ["(a{20}){40}", true],
    ["(a{60}){60}", false],
    ["((a{30}){30}){30}", false],
    ["a{500}b{500}", true],
    ["(?:a?){20}a{20}", true],
    ["\\p{L}+", true],
    ["\\pL{9}", true],
    ["(?P<name>a)", true],
    ["(a)\\1", false],
    ["a(?!b)", false],
    ["(?<!a)b", false],
    ["[z-a]", false],
    ["a**", false],
    ["(", false],
    ["\\", false],
    ["", true],
  ])("the pattern %s is accepted: %s", (pattern, isAccepted) => {
    const compiled = compilePattern(pattern);
    expect(compiled.ok).toBe(isAccepted);
    if (!compiled.ok) expect(compiled.message).toMatch(/^Expected a pattern that can be read, found ".*": .*\.$/s);
  });

  it("finds the ranges of matches in order, without empty ones", () => {
    const compiled = compilePattern("a*");
    expect(compiled.ok && compiled.placesIn("aabacaaa")).toEqual([
      { from: 0, to: 2 },
      { from: 3, to: 4 },
      { from: 5, to: 8 },
    ]);
  });

  it("matches a hostile pattern in linear time: twenty thousand characters in one evaluation", () => {
    const input = `${"a".repeat(20_000)}!`;
    expect(evaluate("matches(input, '^(a+)+$')", { input })).toEqual({ ok: true, value: false });
    expect(evaluate("matches(input, '^(a|a|aa)*$')", { input })).toEqual({ ok: true, value: false });
  });
});
