import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonSchema } from "./flow";
import { changeField, exampleOf, type FieldChange, fieldTypes, readFields, type SchemaField } from "./schema-fields";

const article: JsonSchema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    title: { type: "string", description: "Short", minLength: 3 },
    mood: { type: "string", enum: ["calm", "loud"] },
    author: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
    parts: { type: "array", items: { type: "object", properties: { text: { type: "string" } } } },
  },
  required: ["title", "mood"],
  additionalProperties: false,
};

const fieldsOf = (schema: JsonSchema): SchemaField[] => {
  const fields = readFields(schema);
  if (typeof fields === "string") throw new Error(fields);
  return fields;
};

describe("readFields", () => {
  it("shows fields, nested ones and those of lists, and lists the keywords that rows do not show", () => {
    expect(fieldsOf(article)).toEqual([
      { name: "title", type: "string", required: true, description: "Short", choices: [], more: ["minLength"] },
      { name: "mood", type: "string", required: true, description: "", choices: ["calm", "loud"], more: [] },
      {
        name: "author",
        type: "object",
        required: false,
        description: "",
        choices: [],
        more: [],
        fields: [{ name: "name", type: "string", required: true, description: "", choices: [], more: [] }],
      },
      {
        name: "parts",
        type: "array",
        item: "object",
        required: false,
        description: "",
        choices: [],
        more: [],
        fields: [{ name: "text", type: "string", required: false, description: "", choices: [], more: [] }],
      },
    ]);
  });

  it.each([
    [{ type: "array", items: { type: "string" } }, "objects"],
    [{ type: "object", anyOf: [{}] }, "anyOf"],
    [{ type: "object", properties: { a: true } }, '"a"'],
    [{ type: "object", properties: { a: { type: ["string", "null"] } } }, '"a"'],
    [{ type: "object", properties: { a: { $ref: "#/x" } } }, "$ref"],
    [{ type: "object", properties: { a: { type: "number", enum: [1] } } }, '"a"'],
    [{ type: "object", properties: { a: { type: "array", items: { type: "array" } } } }, '"a"'],
    [{ type: "object", properties: { a: { type: "array" } } }, '"a"'],
  ])("leaves %j to the text, with a reason", (schema, word) => {
    expect(readFields(schema)).toEqual(expect.stringContaining(word));
  });
});

describe("changeField", () => {
  const change = (path: string[], one: FieldChange, schema = article): JsonSchema => changeField(schema, path, one);

  it("renames a field at its position and in `required`", () => {
    const renamed = change(["title"], { type: "rename", to: "heading" });
    expect(Object.keys(Object(renamed.properties))).toEqual(["heading", "mood", "author", "parts"]);
    expect(renamed.required).toEqual(["heading", "mood"]);
  });

  it("reaches fields of objects and of the objects in a list", () => {
    expect(change(["author", "name"], { type: "set-description", to: "Full" })).toMatchObject({
      properties: { author: { properties: { name: { type: "string", description: "Full" } } } },
    });
    expect(change(["parts"], { type: "add", name: "note" })).toMatchObject({
      properties: { parts: { items: { properties: { text: { type: "string" }, note: { type: "string" } } } } },
    });
  });

  it("removes unset keywords", () => {
    const schema: JsonSchema = { type: "object", properties: { a: { type: "string", enum: ["x"] } }, required: ["a"] };
    expect(change(["a"], { type: "set-choices", to: [] }, schema).properties).toEqual({ a: { type: "string" } });
    expect(change(["a"], { type: "set-required", to: false }, schema)).not.toHaveProperty("required");
    expect(change(["a"], { type: "remove" }, schema)).toEqual({ type: "object", properties: {} });
  });

  const name = fc.string({ unit: fc.constantFrom("a", "b", "c", "_"), minLength: 1, maxLength: 4 });
  const leaf = fc.record(
    {
      type: fc.constantFrom("string", "number", "integer", "boolean"),
      description: fc.string({ maxLength: 5 }),
      minimum: fc.integer(),
    },
    { requiredKeys: ["type"] },
  );
  const object = fc
    .dictionary(name, leaf, { minKeys: 1, maxKeys: 4, noNullPrototype: true })
    .map((properties): JsonSchema => ({ type: "object", properties, additionalProperties: false }));

  it("is byte-identical after a rename and its reverse; no other field changes", () => {
    fc.assert(
      fc.property(object, fc.nat(), (schema, pick) => {
        const names = fieldsOf(schema).map((field) => field.name);
        const from = names[pick % names.length] ?? "";
        const there = change([from], { type: "rename", to: "zz" }, schema);
        expect(JSON.stringify(change(["zz"], { type: "rename", to: from }, there))).toBe(JSON.stringify(schema));
        expect(fieldsOf(there).filter((field) => field.name !== "zz")).toEqual(
          fieldsOf(schema).filter((field) => field.name !== from),
        );
      }),
    );
  });

  it("remains readable as rows after every change", () => {
    fc.assert(
      fc.property(object, fc.nat(), fc.constantFrom(...fieldTypes), (schema, pick, type) => {
        const names = fieldsOf(schema).map((field) => field.name);
        const changed = change([names[pick % names.length] ?? ""], { type: "set-type", to: type }, schema);
        expect(fieldsOf(changed).map((field) => field.name)).toEqual(names);
      }),
    );
  });
});

describe("exampleOf", () => {
  it("builds an example of the schema", () => {
    expect(exampleOf(article)).toEqual({
      title: "text",
      mood: "calm",
      author: { name: "text" },
      parts: [{ text: "text" }],
    });
    expect(exampleOf({ type: "integer", default: 7 })).toBe(7);
    expect(exampleOf({})).toBeNull();
  });
});
