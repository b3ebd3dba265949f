import { describe, expect, test } from "vitest";
import type { JsonSchema } from "../../flow/flow";
import type { ParsedAnswer } from "../ports/answers";
import { compileAnswer } from "./answer-schema";

const read = (schema: Parameters<typeof compileAnswer>[0]): ((text: string) => ParsedAnswer) => {
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

  test("names that every object inherits are not there", () => {
    const schema = { type: "object", properties: { constructor: { type: "number" } } } as const;
    expect(read(schema)("{}")).toEqual({ ok: true, value: {} });
    expect(read({ ...schema, required: ["constructor"] })("{}").ok).toBe(false);
    expect(read({ ...schema, required: ["toString"] })("{}").ok).toBe(false);
  });

  test.each(["properties", "dependencies", "dependentSchemas", "dependentRequired"])(
    "a schema whose %s name __proto__, which would not be checked, is refused",
    (keyword) => {
      const value: JsonSchema = JSON.parse(`{ "__proto__": ${keyword === "dependentRequired" ? "[]" : "{}"} }`);
      for (const schema of [{ [keyword]: value }, { items: { [keyword]: value } }])
        expect(compileAnswer(schema)).toMatchObject({ ok: false, message: expect.stringContaining("__proto__") });
      expect(read({ type: "object", required: ["__proto__"] })('{ "__proto__": 1 }').ok).toBe(true);
    },
  );

  test("each pattern is checked by itself", () => {
    const answer = read({ patternProperties: { "^a": { pattern: "^x" } }, properties: { b: { pattern: "^y" } } });
    expect([answer('{"a":"x","b":"y"}').ok, answer('{"a":"y"}').ok, answer('{"b":"x"}').ok]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each<[string, JsonSchema, string, string]>([
    ["prefixItems", { prefixItems: [{ type: "number" }], items: false }, "[1]", '["x"]'],
    ["items after prefixItems", { prefixItems: [{}], items: { type: "number" } }, '["x",1]', '["x","y"]'],
    ["a list of items", { items: [{ type: "number" }], additionalItems: false }, "[1]", "[1,2]"],
    ["minContains", { contains: { type: "number" }, minContains: 2 }, "[1,2]", "[1]"],
    ["dependentRequired", { dependentRequired: { a: ["b"] } }, '{"a":1,"b":1}', '{"a":1}'],
    ["dependencies", { dependencies: { a: ["b"] } }, '{"a":1,"b":1}', '{"a":1}'],
    [
      "unevaluatedProperties",
      { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      '{"a":1}',
      '{"b":1}',
    ],
  ])("%s is checked, whichever draft the schema names", (_, schema, right, wrong) => {
    for (const draft of ["http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema"]) {
      const parse = read({ $schema: draft, ...schema });
      expect([parse(right).ok, parse(wrong).ok]).toEqual([true, false]);
    }
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

  test.each<[string, JsonSchema, string]>([
    ["uniqueItems", { uniqueItems: true }, "must NOT have duplicate items"],
    ["enum", { items: { enum: Array.from({ length: 2_000 }, (_, nth) => ({ nth })) } }, "one of the allowed values"],
  ])("%s takes time in proportion to the answer", (keyword, schema, message) => {
    const items = Array.from({ length: 60_000 }, (_, nth) => `{"nth":${keyword === "enum" ? 1_999 : nth}}`);
    const answer = `[${['{"nth":0}', ...items, '{"nth":-1}'].join()}]`;
    const started = performance.now();
    expect(read(schema)(answer)).toMatchObject({ ok: false, message: expect.stringContaining(message) });
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test("equal items and values are equal whatever the order of their fields", () => {
    expect(read({ uniqueItems: true })('[{"a":1,"b":2},{"b":2,"a":1}]')).toMatchObject({
      message: expect.stringContaining("must NOT have duplicate items (items ## 0 and 1 are identical)"),
    });
    expect(read({ uniqueItems: true })('[1,"1",[1],{"a":1},null,1.5]').ok).toBe(true);
    expect(read({ uniqueItems: false })("[1,1]").ok).toBe(true);
    expect(read({ enum: [{ a: 1, b: [2] }, null] })('{"b":[2],"a":1}').ok).toBe(true);
    expect(read({ enum: ["1", null] })("1")).toMatchObject({ message: expect.stringContaining("the answer must be") });
    expect(compileAnswer({ enum: [] }).ok).toBe(false);
  });

  test("an answer that nests too deeply, or is too long, does not fit", () => {
    const deep = `[${"[".repeat(20_000)}1${"]".repeat(20_000)},2]`;
    expect(read({ uniqueItems: true })(deep)).toMatchObject({ ok: false });
    expect(read({})(`"${"x".repeat(1_000_001)}"`)).toMatchObject({
      message: expect.stringContaining("at most 1000000"),
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
