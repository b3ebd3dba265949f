import { describe, expect, it } from "vitest";
import { findJsonAs, isJsonList, isJsonObject, parseJson, parseJsonAs } from "./parse-json";

describe("JSON texts", () => {
  const positive = {
    parse: (value: unknown) => Number(value),
    safeParse: (value: unknown) => (Number(value) > 0 ? { data: Number(value) } : {}),
  };

  it.each([
    ["1", 1],
    [' {"a": [null]} ', { a: [null] }],
    ["null", null],
    ["", undefined],
    ["{a: 1}", undefined],
    ["[1,]", undefined],
    ["NaN", undefined],
    ["\ufeff1", undefined],
  ])("%j is %j", (text, value) => expect(parseJson(text)).toEqual(value));

  it("keeps the key __proto__ as an ordinary key", () => {
    const value = parseJson('{"__proto__": {"admin": true}}');
    expect(isJsonObject(value) && Object.keys(value)).toEqual(["__proto__"]);
  });

  it("are accepted by a schema, or are not", () => {
    expect([findJsonAs("2", positive), findJsonAs("-2", positive), findJsonAs("two", positive)]).toEqual([
      2,
      null,
      null,
    ]);
    expect(parseJsonAs("2", positive)).toBe(2);
    expect(() => parseJsonAs("two", positive)).toThrow(SyntaxError);
  });

  it("are told apart by form", () => {
    const values = [null, undefined, 1, "{}", [], {}];
    expect(values.map(isJsonObject)).toEqual([false, false, false, false, false, true]);
    expect(values.map(isJsonList)).toEqual([false, false, false, false, true, false]);
  });
});
