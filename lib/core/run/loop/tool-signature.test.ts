import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, toSignature } from "./tool-signature";

const call = (name: string, text: string) => ({ id: "x", name, arguments: text });

describe("161: signature", () => {
  test("name and arguments of each call, sorted, joined", () => {
    expect(toSignature([call("b", '{"y":2, "x":[1, {"d":1,"c":2}]}'), call("a", " ")])).toBe(
      'a:{}|b:{"x":[1,{"c":2,"d":1}],"y":2}',
    );
    expect(toSignature([])).toBe("");
  });

  test("the order of calls, keys and white space do not count; values do", () => {
    const one = toSignature([call("a", '{"x":1,"y":2}'), call("b", "{}")]);
    expect(toSignature([call("b", ""), call("a", '{ "y": 2, "x": 1 }')])).toBe(one);
    expect(toSignature([call("b", ""), call("a", '{"y":2,"x":"1"}')])).not.toBe(one);
  });

  test("what is no JSON, or nests too deep, stays as it is written", () => {
    expect(canonicalJson(' {"x": ')).toBe('{"x":');
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    expect(canonicalJson(deep).length).toBe(deep.length);
  });

  test("keys of every object are keys like any other", () => {
    expect(canonicalJson('{"toString":1,"__proto__":{"x":1},"a":2}')).toBe('{"__proto__":{"x":1},"a":2,"toString":1}');
  });

  test("property: the meaning stays, and once canonical is canonical for ever", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const canonical = canonicalJson(text);
        expect(JSON.parse(canonical)).toEqual(JSON.parse(text));
        expect(canonicalJson(canonical)).toBe(canonical);
      }),
    );
  });
});
