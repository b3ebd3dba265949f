import { expect, test } from "vitest";
import { getOpenApi } from "./openapi";
import { describeType, listFields } from "./schema-fields";

const text = { type: "string" };

test.each<[schema: object, type: string]>([
  [text, "string"],
  [{ type: ["number", "null"] }, "number | null"],
  [{ enum: ["a", "b"] }, '"a" | "b"'],
  [{ const: 1 }, "1"],
  [{ $ref: "#/components/schemas/Run" }, "Run"],
  [{ type: "array", items: { $ref: "#/components/schemas/Run" } }, "Run[]"],
  [{ type: "array", items: { enum: ["a", "b"] } }, '("a" | "b")[]'],
  [{ anyOf: [text, { type: "null" }] }, "string | null"],
  [{ prefixItems: [text, { type: "number" }], items: false }, "[string, number]"],
  [{}, "any"],
])("%o is %s", (schema, type) => {
  expect(describeType(schema)).toBe(type);
});

test("fields of objects, lists and choices are listed below theirs", () => {
  const inner = { type: "object", properties: { id: text }, required: ["id"] };
  const schema = {
    type: "object",
    properties: { runs: { type: "array", items: inner }, last: { anyOf: [inner, { type: "null" }] } },
    required: ["runs"],
  };
  expect(listFields(schema).map(({ name, depth, isRequired, type }) => [name, depth, isRequired, type])).toEqual([
    ["runs", 0, true, "object[]"],
    ["id", 1, true, "string"],
    ["last", 0, false, "object | null"],
    ["id", 1, true, "string"],
  ]);
});

test("a field of several choices is listed once, and required where all of them require it", () => {
  const choice = (type: string, required: string[]) => ({
    properties: { type: { const: type }, at: { type: "number" } },
    required,
  });
  expect(listFields({ oneOf: [choice("a", ["type", "at"]), choice("b", ["type"])] })).toEqual([
    { path: "type", name: "type", depth: 0, isRequired: true, type: '"a" | "b"' },
    { path: "at", name: "at", depth: 0, isRequired: false, type: "number" },
  ]);
});

test("fields that a later choice adds are below theirs, too", () => {
  const list = (name: string) => ({
    properties: { list: { items: { properties: { [name]: text } } }, [`z${name}`]: text },
  });
  expect(listFields({ anyOf: [list("a"), list("b")] }).map(({ path }) => path)).toEqual([
    "list",
    "list.a",
    "list.b",
    "za",
    "zb",
  ]);
});

test("every schema of the document can be described", () => {
  const described: string[] = [];
  const describe = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("schema" in value)
      described.push(describeType(value.schema), ...listFields(value.schema).map(({ type }) => type));
    for (const member of Object.values(value)) describe(member);
  };
  const { paths, components } = getOpenApi();
  describe(paths);
  for (const schema of Object.values(components.schemas)) describe({ schema });
  expect(described.length).toBeGreaterThan(300);
  expect(described).not.toContain("");
});
