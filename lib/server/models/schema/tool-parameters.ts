import "server-only";
import type { Json, JsonSchema } from "@/lib/core/flow/flow";
import { isObject, type JsonObject } from "../json";

const combining = ["oneOf", "anyOf", "allOf"] as const;
const named = ["properties", "$defs", "definitions", "patternProperties"];
const listed = ["oneOf", "anyOf", "allOf", "prefixItems"];
const bounds = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;
const single = ["items", "additionalProperties", "not", "contains"];

/** Read once: an agent's tools are the same objects in each of its calls. */
const plain = new WeakMap<JsonSchema, JsonObject>();

/**
 * The parameters of a tool in the form that every provider takes, of the same meaning or a wider one: an object with properties
 * at the root, one schema as the `items` of every list, nothing beside a reference, no `type` beside alternatives, and numbers as
 * bounds. One schema that a provider does not take fails the whole request.
 */
export function toToolParameters(schema: JsonSchema): JsonObject {
  const known = plain.get(schema);
  if (known) return known;
  const { $schema: _, ...root } = toPlain(schema);
  const combined = combining.filter((key) => root[key] !== undefined);
  const told = combined.map((key) => `${key}: ${JSON.stringify(root[key])}`);
  for (const key of combined) delete root[key];
  const parameters: JsonObject = {
    ...root,
    ...(told.length > 0 && { description: [root.description, ...told].filter(Boolean).join(" ") }),
    type: "object",
    properties: isObject(root.properties) ? root.properties : {},
  };
  plain.set(schema, parameters);
  return parameters;
}

function toPlain(schema: JsonObject): Record<string, Json> {
  if (typeof schema.$ref === "string") return { $ref: schema.$ref.replace(/^#\/definitions\//, "#/$defs/") };
  const { definitions, ...plainSchema }: Record<string, Json> = { ...schema };
  if (isObject(definitions)) plainSchema.$defs = { ...definitions, ...(isObject(schema.$defs) ? schema.$defs : {}) };
  if (plainSchema.anyOf !== undefined) delete plainSchema.type;
  if (Array.isArray(plainSchema.items)) plainSchema.items = { anyOf: plainSchema.items };
  for (const [bound, limit] of bounds) if (typeof plainSchema[bound] === "boolean") setBound(plainSchema, bound, limit);
  for (const key of named) {
    const schemas = plainSchema[key];
    if (isObject(schemas)) plainSchema[key] = mapNamed(schemas);
  }
  for (const key of listed) {
    const list = plainSchema[key];
    if (Array.isArray(list)) plainSchema[key] = list.map(toPlainValue);
  }
  for (const key of single) {
    const inner = plainSchema[key];
    if (isObject(inner)) plainSchema[key] = toPlain(inner);
  }
  if (plainSchema.type === "array" && !isObject(plainSchema.items)) plainSchema.items = {};
  return plainSchema;
}

/** Before Draft 6 a bound was exclusive when it was said to be. */
function setBound(schema: Record<string, Json>, bound: string, limit: string): void {
  const value = schema[limit];
  if (schema[bound] === true && value !== undefined) {
    schema[bound] = value;
    delete schema[limit];
  } else delete schema[bound];
}

const toPlainValue = (value: Json): Json => (isObject(value) ? toPlain(value) : value);

const mapNamed = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toPlainValue(schema)]));
