import { describe, expect, it } from "vitest";
import { convertVar } from "./var-types";

describe("convertVar", () => {
  it.each([
    ["12.5", "number", 12.5],
    ["many", "number", 0],
    ["Infinity", "number", 0],
    [true, "number", 1],
    [" Yes", "boolean", true],
    ["no", "boolean", false],
    [0, "boolean", false],
    [3, "string", "3"],
    [false, "string", "false"],
  ] as const)("%j as %s is %j", (value, type, converted) => {
    expect(convertVar(value, type)).toBe(converted);
  });
});
