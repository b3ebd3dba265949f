import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { Json } from "@/lib/core/flow/flow";
import { isObject, type JsonObject } from "../json";
import { closeForClaude } from "../providers/anthropic-request";
import { toStrictSchema } from "./strict-schema";

const list: JsonObject = { type: "array", items: { type: "string", minLength: 2 } };
const free: JsonObject = { type: "object", description: "Settings." };
const tree: JsonObject = {
  type: "object",
  properties: { children: { type: "array", items: { $ref: "#/$defs/node" } } },
  required: ["children"],
  $defs: {
    node: { type: "object", properties: { name: { type: "string" }, next: { $ref: "#/$defs/node" } } },
  },
};
const optional: JsonObject = {
  type: "object",
  properties: { title: { type: "string" }, count: { type: ["integer", "null"], minimum: 1 } },
  required: ["title"],
};

/** A schema, an answer in its closed form (for Claude, and for OpenAI), and what it means. */
const cases: [name: string, schema: JsonObject, claude: Json, openAi: Json, meant: Json][] = [
  ["an object", optional, { title: "x", count: 2 }, { title: "x", count: 2 }, { title: "x", count: 2 }],
  ["an optional property that is missing", optional, { title: "x" }, { title: "x", count: null }, { title: "x" }],
  ["a list at the root", list, { answer: ["ab"] }, { answer: ["ab"] }, ["ab"]],
  ["an object with any keys at the root", free, { answer: '{"a":1}' }, { answer: '{"a":1}' }, { a: 1 }],
  [
    "an object with any keys inside",
    { type: "object", properties: { extra: free, rows: { type: "array", items: {} } }, required: ["extra", "rows"] },
    { extra: '{"a":[1]}', rows: ["1", '"x"'] },
    { extra: '{"a":[1]}', rows: ["1", '"x"'] },
    { extra: { a: [1] }, rows: [1, "x"] },
  ],
  [
    "a schema that contains itself",
    tree,
    { children: ['{"name":"a","next":{"name":"b"}}'] },
    { children: ['{"name":"a","next":{"name":"b"}}'] },
    { children: [{ name: "a", next: { name: "b" } }] },
  ],
  [
    "one of two forms",
    {
      oneOf: [
        { type: "object", properties: { a: free }, required: ["a"] },
        { type: "number", multipleOf: 2 },
      ],
    },
    { answer: { a: "{}" } },
    { answer: { a: "{}" } },
    { a: {} },
  ],
];

const forms = [
  ["Claude", closeForClaude, 2],
  ["OpenAI", toStrictSchema, 3],
] as const;

describe.each(forms)("a schema for %s", (provider, close, place) => {
  it.each(cases)("%s", (...given) => {
    const [, schema, , , meant] = given;
    const answer = given[place];
    const closed = close(schema);
    expect(findOpen(closed.schema, provider === "OpenAI")).toEqual([]);
    const ajv = new Ajv({ strict: false });
    expect(ajv.validate(closed.schema, answer), ajv.errorsText()).toBe(true);
    expect(JSON.parse(closed.decode(JSON.stringify(answer)))).toEqual(meant);
    expect(ajv.validate(schema, meant), ajv.errorsText()).toBe(true);
  });

  it("leaves an answer alone that is no JSON, or has its form already", () => {
    expect(close(optional).decode("I cannot say.")).toBe("I cannot say.");
    expect(close(list).decode("[1]")).toBe("[1]");
    const text = '{ "title": "x",  "count": 1 }';
    expect(close(optional).decode(text)).toBe(text);
  });

  it("tells the model what is not enforced", () => {
    expect(JSON.stringify(close(list).schema)).toContain("minLength");
    expect(JSON.stringify(close(list).schema)).not.toMatch(/"minLength":2[^"]*\}/);
  });
});

const refused = ["minLength", "maxLength", "default", "uniqueItems", "oneOf", "patternProperties", "definitions"];

/** What neither provider takes: open objects, and for OpenAI properties that are not required. */
function findOpen(schema: Json, requiresAll: boolean): string[] {
  if (Array.isArray(schema)) return schema.flatMap((item) => findOpen(item, requiresAll));
  if (!isObject(schema)) return [];
  const { properties, required = [], additionalProperties } = schema;
  const names = isObject(properties) ? Object.keys(properties) : [];
  const isOpen = schema.type === "object" && (additionalProperties !== false || !isObject(properties));
  const missing = requiresAll && Array.isArray(required) ? names.filter((name) => !required.includes(name)) : [];
  const inner = Object.entries(schema).flatMap(([key, value]) =>
    key === "properties" || key === "$defs"
      ? Object.values(isObject(value) ? value : {}).flatMap((item) => findOpen(item, requiresAll))
      : [...(refused.includes(key) ? [key] : []), ...findOpen(value, requiresAll)],
  );
  return [...(isOpen ? ["an open object"] : []), ...missing, ...inner];
}
