import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../flow/flow";
import { checkCondition } from "./check";
import { anyJson, conditionText, evaluate, known, parsed, scope } from "./condition.arbitrary";
import { evaluateCondition } from "./evaluate";
import { isTrue } from "./values";

describe("evaluateCondition", () => {
  it.each<[text: string, value: Json]>([
    // names
    ["input", "The answer is Yes."],
    ["outputs.number", "42"],
    ['outputs["my reviewer"].score', 8],
    ["outputs['my reviewer']['tags'][1]", "b"],
    ['outputs["my reviewer"].tags[-1]', "b"],
    ['outputs["my reviewer"].tags[2]', null],
    ['outputs["my reviewer"].nested.deep[1].x', null],
    ["outputs.not_yet", null],
    ["vars.limit", 3],
    ['vars["tone"]', "formal"],
    ["item.name", "seven"],
    ["round", 2],
    ["round(round)", 2],
    // values
    ["1.5e2", 150],
    ["true and True", true],
    ["False", false],
    ["None == null", true],
    [String.raw`'it\'s'`, "it's"],
    [String.raw`"a\tb\\c\d\n"`, "a\tb\\c\\d\n"],
    ["[1, 'b', [true],]", [1, "b", [true]]],
    // and, or, not
    ["1 or 0 and 0", 1],
    ["(1 or 0) and 0", 0],
    ["'' or 'other'", "other"],
    ["not 1 == 2", true],
    ["!false && !0", true],
    ["not not 'x'", true],
    ["false and outputs.number.missing", false],
    ["true || 1 / 0", true],
    ["vars.strict ? 'a' : 'b'", "a"],
    ["0 ? 1 : '' ? 2 : 3", 3],
    // comparisons
    ["outputs.number == 42", true],
    ['"5" > 3', true],
    ['3 < " 5 "', true],
    ['"10" < "9"', true],
    ['"a" < "b"', true],
    ["3 >= 3 and 3 <= 3", true],
    ["1 === 1 and 1 !== 2", true],
    ["true == 1", false],
    ["'' == null", false],
    ["'yes' == 5", false],
    ["[1, [2]] == [1, ['2']]", true],
    ["[1] != [1, 2]", true],
    ['json(\'{"a": 1, "b": 2}\') == json(\'{"b": 2, "a": 1}\')', true],
    ["json('{\"a\": 1}') == json('{\"b\": 1}')", false],
    // in
    ['"Yes" in input', true],
    ['"yes" not in input', true],
    ["3 in outputs.scores", true],
    ['"3" in [1, 2]', false],
    ['"score" in outputs["my reviewer"]', true],
    ['"toString" in outputs["my reviewer"]', false],
    ["not 'x' in 'xyz'", false],
    // sums
    ["1 + 2 * 3 - 4 / 2 % 3", 5],
    ["(1 + 2) * -3", -9],
    ["10 - 3 - 2", 5],
    ["--2", 2],
    ["-7 % 3", -1],
    ["'a' + 'b'", "ab"],
    // functions
    ["len(input)", 18],
    ["len('é😀')", 2],
    ['len(outputs["my reviewer"])', 4],
    ["len([])", 0],
    ["contains(input, 'Yes')", true],
    ["contains(outputs.scores, 2)", true],
    ["contains(lower(input), 'yes')", true],
    ["upper(trim('  a '))", "A"],
    ["starts_with(input, 'The')", true],
    ["ends_with(input, 'The')", false],
    ["number('1e3') + number(1)", 1001],
    ["number('8/10')", null],
    ["text(8) + text(true) + text(null) + text('x')", "8truenullx"],
    ["text([1, json('{\"a\": null}')])", '[1,{"a":null}]'],
    ["json(outputs.json).ok", true],
    ["json('none')", null],
    ['json(outputs["my reviewer"]).score', 8],
    ["min(3, 1, 2) + max(3, 1, 2) + abs(-5) + round(2.5) + round(-2.5)", 9],
    // patterns
    [String.raw`matches(outputs.writer, "score \d+$")`, true],
    [String.raw`matches(outputs.writer, "^\w+ \d: approved")`, false],
    [String.raw`matches(outputs.writer, "(?i)^\w+ \d: approved")`, true],
    ["matches('aaa', '^(a|b){3}$')", true],
    ["matches('aaaa', '^(a|b){2,3}$')", false],
    // nothing of the prototype
    ["item.constructor", null],
    ["item.__proto__", null],
    ["item['hasOwnProperty']", null],
    ["json(outputs.json).__proto__", 7],
    ["outputs.__proto__", null],
  ])("%s is %j", (text, value) => {
    expect(evaluate(text)).toEqual({ ok: true, value });
  });

  it.each<[text: string, message: RegExp, place: string]>([
    ["true < 3", /two numbers or two texts.*true and the number 3/, "true < 3"],
    ["'8/10' > 3", /"8\/10"/, "'8/10' > 3"],
    ["1 + (outputs.empty > 1 ? 1 : 2)", /""/, "outputs.empty > 1"],
    ["null >= null", /null and null/, "null >= null"],
    ["1 + 'a'", /two numbers or two texts to add/, "1 + 'a'"],
    ["2 * outputs.number", /a number, found the text "42". Use number/, "outputs.number"],
    ["1 / 0", /divisor/, "1 / 0"],
    ["1 and (5 % (1 - 1))", /divisor/, "(5 % (1 - 1))"],
    ["9e307 * 9", /larger/, "9e307 * 9"],
    ["-input", /a number/, "input"],
    ["outputs.writer.score", /If it is JSON, read it with json/, "outputs.writer.score"],
    ["null.x", /mapping before .x, found null/, "null.x"],
    ["outputs.scores.length", /mapping/, "outputs.scores.length"],
    ["outputs.scores['0']", /whole number/, "outputs.scores['0']"],
    ["item[0]", /text as the key/, "item[0]"],
    ["input[0]", /list or a mapping/, "input[0]"],
    ["1 in 5", /to look in/, "1 in 5"],
    ["1 in input", /text to look for/, "1 in input"],
    ["vars.nothing", /variable/, "vars.nothing"],
    ["nothing", /name/, "nothing"],
    ["constructor", /name/, "constructor"],
    ["nothing(1)", /function/, "nothing(1)"],
    ["constructor(1)", /function/, "constructor(1)"],
    ["len()", /len expects 1 argument, found 0/, "len()"],
    ["round(1, 2)", /round expects 1 argument, found 2/, "round(1, 2)"],
    ["1 + len(null)", /len expects a text or a list or a mapping, found null/, "null"],
    ["min(1, 'a')", /min expects a number/, "'a'"],
    ["lower(5)", /lower expects a text/, "5"],
    ["matches(input, '(')", /pattern/, "matches(input, '(')"],
    [String.raw`matches(input, "(a)\1")`, /back references/, String.raw`matches(input, "(a)\1")`],
    ["matches(input, '(?=a)')", /lookaround/, "matches(input, '(?=a)')"],
    ["matches(input, '(?<=a)b')", /lookaround/, "matches(input, '(?<=a)b')"],
    ["matches(input, '(a{1000}){1000}')", /repeat/, "matches(input, '(a{1000}){1000}')"],
  ])("%s has no value", (text, message, place) => {
    const result = evaluate(text);
    if (result.ok) throw new Error(`expected no value, found ${JSON.stringify(result.value)}`);
    expect(result.message).toMatch(message);
    expect(text.slice(result.range.from, result.range.to)).toBe(place);
  });

  it("takes an item that is null for a value, and a missing one for none", () => {
    expect(evaluate("item == null", { item: null })).toEqual({ ok: true, value: true });
    expect(evaluate("item", { item: undefined }).ok).toBe(false);
  });

  it("never throws, and neither does the check", () => {
    fc.assert(
      fc.property(conditionText, anyJson, fc.string(), (text, json, input) => {
        const expression = parsed(text);
        const result = evaluateCondition(expression, { ...scope, item: json, input });
        if (result.ok) expect(typeof isTrue(result.value)).toBe("boolean");
        else expect(result.range.to).toBeLessThanOrEqual(text.length);
        for (const { range } of checkCondition(expression, known)) expect(range?.to).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("isTrue", () => {
  it.each<[Json, boolean]>([
    [false, false],
    [null, false],
    [0, false],
    [-0, false],
    ["", false],
    [[], false],
    [{}, false],
    [true, true],
    [-1, true],
    [" ", true],
    ["false", true],
    [[null], true],
    [{ a: null }, true],
  ])("%j is %s", (value, truth) => {
    expect(isTrue(value)).toBe(truth);
  });
});
