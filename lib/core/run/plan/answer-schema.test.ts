import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../flow/flow";
import { compileAnswer, type ParseAnswer } from "./answer-schema";

const read = (schema: Parameters<typeof compileAnswer>[0]): ParseAnswer => {
  const compiled = compileAnswer(schema);
  if (!compiled.ok) throw new Error(compiled.message);
  return compiled.read;
};

describe("answers by a schema", () => {
  test.each([
    ["plain", '{"a":1}'],
    ["with white space", ' \n{"a": 1}\n'],
    ["in a fence", '```json\n{"a":1}\n```'],
    ["in a fence without a word", '```\n{"a":1}\n```'],
  ])("%s", (_, text) => expect(read({ type: "object" })(text)).toEqual({ ok: true, value: { a: 1 } }));

  test.each([
    ["no JSON", "hello", "not valid JSON"],
    ["nothing", "", "not valid JSON"],
    ["cut off", '{"a":', "not valid JSON"],
    ["another type", "[]", "the answer must be object"],
    ["a field of another type", '{"a":"x"}', "/a must be number"],
  ])("%s is described so that a model can correct it", (_, text, part) => {
    const answer = read({ type: "object", properties: { a: { type: "number" } } })(text);
    expect(answer).toMatchObject({ ok: false, message: expect.stringContaining(part) });
  });

  test("patterns take bounded time, and those that cannot promise it are refused with the schema", () => {
    const answer = read({ type: "string", pattern: "^(a+)+$" })(JSON.stringify(`${"a".repeat(50_000)}!`));
    expect(answer.ok).toBe(false);
    expect(read({ type: "string", pattern: "^(a+)+$" })('"aaa"').ok).toBe(true);
    expect(compileAnswer({ type: "string", pattern: "(a)\\1" })).toMatchObject({
      ok: false,
      message: expect.stringContaining("back references"),
    });
  });

  test("the first mistake is named, with the mistake of each alternative", () => {
    const number = { type: "number" };
    const answer = read({ type: "object", properties: { a: number, b: number } })('{"a":"x","b":"y"}');
    expect(answer).toEqual({ ok: false, message: "The answer does not fit the schema:\n- /a must be number" });
    expect(read({ anyOf: [number, { type: "null" }] })('"x"')).toMatchObject({
      message: expect.stringMatching(/must be number\n- the answer must be null\n- .* anyOf$/),
    });
  });

  test("references that double 20 times take no memory, an asynchronous schema checks nothing later", () => {
    const levels = Array.from({ length: 20 }, (_, level) => {
      const inner: JsonSchema = level === 0 ? { type: "string" } : { $ref: `#/$defs/d${level - 1}` };
      return [`d${level}`, { allOf: [inner, inner] }] as const;
    });
    const before = process.memoryUsage().rss;
    const doubling = compileAnswer({ $ref: "#/$defs/d19", $defs: Object.fromEntries(levels) });
    if (doubling.ok) doubling.read("5");
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
    expect(doubling).toMatchObject({ ok: false, message: expect.stringContaining("more than 5000 schemas") });
    const asynchronous = compileAnswer({ $async: true, type: "string" });
    expect(asynchronous).toMatchObject({ ok: false, message: expect.stringContaining("`$async`") });
  });

  test.each([
    ["a type that does not exist", { type: "objekt" }],
    ["a reference to nowhere", { $ref: "#/nowhere" }],
    ["a keyword of a wrong form", { required: "a" }],
  ])("%s is no schema", (_, schema) => expect(compileAnswer(schema).ok).toBe(false));
});
