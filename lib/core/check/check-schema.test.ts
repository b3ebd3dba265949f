import { describe, expect, it } from "vitest";
import type { JsonSchema } from "../flow/flow";
import { findSchemaMistake } from "./check-schema";

describe("findSchemaMistake", () => {
  it.each<JsonSchema>([
    {},
    { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
    { type: ["string", "null"], enum: ["a", null] },
    { type: "array", items: { anyOf: [{ type: "integer" }, true] } },
    { $ref: "#/$defs/x", $defs: { x: { type: "number" } }, pattern: "^a" },
    { properties: { constructor: true }, required: ["__proto__"] },
  ])("finds nothing wrong with %j", (schema) => expect(findSchemaMistake(schema)).toBeNull());

  it.each<[JsonSchema, string]>([
    [{ type: "text" }, "at type "],
    [{ type: [] }, "at type "],
    [{ properties: { a: { type: "strin" } } }, "at properties.a.type "],
    [{ properties: { a: 3 } }, "at properties.a "],
    [{ properties: { "a b": { items: { type: "nmber" } } } }, "at properties.a b.items.type "],
    [{ properties: ["a"] }, "at properties "],
    [{ required: "a" }, "at required "],
    [{ enum: [] }, "at enum "],
    [{ anyOf: [] }, "at anyOf "],
    [{ anyOf: [{ type: "string" }, { type: "nope" }] }, "at anyOf.1.type "],
    [{ items: "string" }, "at items "],
    [{ additionalProperties: { type: 7 } }, "at additionalProperties.type "],
  ])("names the place in %j", (schema, place) => {
    const found = findSchemaMistake(schema);
    expect(found?.startsWith(place), String(found)).toBe(true);
    expect(found).toContain("Expected e.g. {");
  });

  it("checks deeply nested schemas", () => {
    let schema: JsonSchema = { type: "nope" };
    for (let depth = 0; depth < 30; depth++) schema = { items: schema };
    expect(findSchemaMistake(schema)).toContain(`at ${"items.".repeat(30)}type `);
  });
});
