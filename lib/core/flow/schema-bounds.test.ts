import { describe, expect, it } from "vitest";
import { findSchemaMistake } from "../check/check-schema";
import type { JsonSchema } from "./flow";
import { findSchemaHazard, schemaLimits } from "./schema-bounds";

/** Each level refers to the one below it twice: 1.3 KB of text for a million schemas. */
function doubling(levels: number): JsonSchema {
  const $defs: Record<string, JsonSchema> = { d0: { type: "string" } };
  for (let level = 1; level <= levels; level++) {
    const $ref = `#/$defs/d${level - 1}`;
    $defs[`d${level}`] = { type: "object", properties: { a: { $ref }, b: { $ref } } };
  }
  return { $ref: `#/$defs/d${levels}`, $defs };
}

function nest(depth: number): JsonSchema {
  let schema: JsonSchema = { type: "string" };
  for (let level = 1; level < depth; level++) schema = { type: "array", items: schema };
  return schema;
}

describe("findSchemaHazard", () => {
  it.each<[string, JsonSchema]>([
    ["nothing", {}],
    ["references, also to one that refers on", doubling(4)],
    ["a reference with escapes", { $ref: "#/$defs/a~1b%20c", $defs: { "a/b c": { type: "null" } } }],
    ["a reference into a list", { anyOf: [{ type: "null" }, { items: { $ref: "#/anyOf/0" } }] }],
    ["a name of its own", { $id: "https://example.com/a", $schema: "http://json-schema.org/draft-07/schema#" }],
    ["properties that are called like keywords", { properties: { $async: {}, $ref: { type: "string" }, $id: {} } }],
    ["data that looks like keywords", { enum: [{ $ref: "#" }], default: { $ref: "x", $async: true, $id: "y" } }],
    ["a switched off `$async`", { $async: false }],
    ["the greatest depth", nest(schemaLimits.depth)],
    ["a list of countries", { enum: Array.from({ length: 300 }, (_, nth) => ({ code: nth, name: `${nth}` })) }],
  ])("finds none in %s", (_, schema) => expect(findSchemaHazard(schema)).toBeNull());

  it.each<[string, JsonSchema, string]>([
    ["references that double 20 times", doubling(20), "it has more than 5000 schemas"],
    ["references that double 10,000 times", doubling(10_000), "it "],
    [
      "many references to a deep schema",
      { anyOf: Array.from({ length: 4000 }, () => ({ $ref: "#/$defs/a" })), $defs: { a: nest(90) } },
      "it has more than 5000 schemas",
    ],
    ["depth", nest(schemaLimits.depth + 1), "it nests more than 100 deep"],
    [
      "depth by references",
      { ...nest(60), $defs: { a: nest(60) }, allOf: [{ items: nestOnto(60) }] },
      "it nests more than",
    ],
    ["a reference to itself", { $ref: "#" }, "it contains itself"],
    ["a tree", { type: "array", items: { $ref: "#" } }, "it contains itself"],
    ["a cycle of two", { $ref: "#/a", a: { $ref: "#/b" }, b: { items: { $ref: "#/a" } } }, "it contains itself"],
    ["$async", { properties: { a: { $async: true } } }, "it uses `$async`"],
    ["$async that is not even true", { $async: {} }, "it uses `$async`"],
    ["$dynamicRef", { items: { $dynamicRef: "#x" } }, "it uses `$dynamicRef`"],
    ["$dynamicAnchor", { $dynamicAnchor: "x" }, "it uses `$dynamicAnchor`"],
    ["$recursiveRef", { $recursiveRef: "#" }, "it uses `$recursiveRef`"],
    ["a reference to another server", { $ref: "https://example.com/a.json" }, "https://example.com/a.json"],
    ["a reference to the meta schema", { $ref: "http://json-schema.org/draft-07/schema#" }, "it refers to"],
    ["a reference to a file", { $ref: "a.json#/x" }, 'it refers to "a.json#/x"; expected a location in the schema'],
    [
      "a reference to an anchor",
      { $ref: "#x", $defs: { a: { $anchor: "x" } } },
      'it refers to "#x"; expected a location',
    ],
    ["a reference to nothing", { $ref: "#/$defs/a" }, 'it refers to "#/$defs/a", where it has no schema'],
    ["a reference to what every object has", { $ref: "#/constructor" }, "where it has no schema"],
    ["a reference that cannot be decoded", { $ref: "#/%zz" }, "where it has no schema"],
    ["an inner base", { $defs: { a: { $id: "b" } } }, "with an `$id` of its own"],
    [
      "many values",
      { items: { enum: Array.from({ length: 2_600 }, (_, nth) => ({ nth })) } },
      "have more than 5000 values",
    ],
    ["a large value", { const: Array.from({ length: 5_001 }, () => 0) }, "have more than 5000 values"],
    [
      "many patterns",
      { patternProperties: Object.fromEntries(Array.from({ length: 101 }, (_, nth) => [`^a${nth}`, {}])) },
      "more than 100 patterns",
    ],
    ["a base in data", { $ref: "#/default/a", default: { $id: "b", a: {} } }, "where it has no schema"],
  ])("names %s", (_, schema, message) => {
    expect(findSchemaHazard(schema)).toContain(message);
    expect(findSchemaMistake(schema)).toBe(findSchemaHazard(schema));
  });
});

/** A chain of lists down to a reference to the definition `a`. */
function nestOnto(depth: number): JsonSchema {
  let schema: JsonSchema = { $ref: "#/$defs/a" };
  for (let level = 1; level < depth; level++) schema = { type: "array", items: schema };
  return schema;
}
