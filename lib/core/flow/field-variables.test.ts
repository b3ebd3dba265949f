import { describe, expect, it } from "vitest";
import { asWritten, fillVariables, longestFilled, looksUpVariable } from "./field-variables";

describe("variables of fields", () => {
  const vars = new Map<string, string | number | boolean>([
    ["n", 3],
    ["on", true],
    ["text", `\${vars.n}`],
    ["long", "x".repeat(longestFilled)],
    ["empty", ""],
  ]);
  const look = (name: string): string => `\${vars.${name}}`;

  it.each<[text: string, filled: object]>([
    ["plain", { type: "value", value: "plain" }],
    ["", { type: "value", value: "" }],
    [look("n"), { type: "value", value: 3 }],
    [look("on"), { type: "value", value: true }],
    [` ${look("n")}`, { type: "value", value: " 3" }],
    [`${look("n")}-${look("on")}`, { type: "value", value: "3-true" }],
    [look("text"), { type: "value", value: look("n") }],
    [`${look("text")}!`, { type: "value", value: `${look("n")}!` }],
    [`a${look("empty")}b`, { type: "value", value: "ab" }],
    [look("long"), { type: "value", value: "x".repeat(longestFilled) }],
    [`${look("long")}${look("n")}`, { type: "too-long" }],
    [look("m"), { type: "unknown", places: [{ name: "m", from: 7, to: 8 }] }],
    [`${look("n")}${look("m")}`, { type: "unknown", places: [{ name: "m", from: 16, to: 17 }] }],
    [`\${HOME}`, { type: "value", value: `\${HOME}` }],
    [`\${outputs.n}`, { type: "value", value: `\${outputs.n}` }],
  ])("%s", (text, filled) => expect(fillVariables(text, vars)).toEqual(filled));

  it("are found only in the form of a look-up", () => {
    expect([look("n"), `a ${look("x y")}`, "$" + "{vars.}", "vars.n", `\${outputs.n}`].map(looksUpVariable)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("a field is shown as it is written", () => {
    expect(asWritten({ written: { model: look("m") } }, "model", undefined)).toBe(look("m"));
    expect(asWritten({ written: { model: look("m") } }, "description", "d")).toBe("d");
    expect(asWritten({}, "model", "demo:x")).toBe("demo:x");
  });
});
