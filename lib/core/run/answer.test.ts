import { describe, expect, test } from "vitest";
import { compileAnswer, type ReadAnswer } from "./answer";

const read = (schema: Parameters<typeof compileAnswer>[0]): ReadAnswer => {
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
  ])("%s is said in words that a model can act on", (_, text, part) => {
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

  test.each([
    ["a type that does not exist", { type: "objekt" }],
    ["a reference to nowhere", { $ref: "#/nowhere" }],
    ["a keyword of a wrong form", { required: "a" }],
  ])("%s is no schema", (_, schema) => expect(compileAnswer(schema).ok).toBe(false));
});
