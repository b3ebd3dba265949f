import "server-only";
import type { Json, JsonSchema } from "@/lib/core/flow/flow";
import { isObject, type JsonObject } from "../json";
import { type ClosedSchema, closeSchema } from "./closed-schema";

/**
 * What OpenAI enforces, besides the form of objects. https://platform.openai.com/docs/guides/structured-outputs
 * What is missing here becomes a part of the description.
 */
const enforced: ReadonlySet<string> = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "enum",
  "const",
  "anyOf",
  "$ref",
  "$defs",
  "title",
  "description",
  "pattern",
  "format",
  "multipleOf",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minItems",
  "maxItems",
]);

const formats: ReadonlySet<Json> = new Set("date-time time date duration email hostname ipv4 ipv6 uuid".split(" "));

/** A schema as OpenAI enforces it. */
export function toStrictSchema(schema: JsonSchema): ClosedSchema {
  const closed = closeSchema(schema, { requiresAll: true });
  return { ...closed, schema: toEnforced(closed.schema) };
}

function toEnforced(schema: JsonObject): JsonObject {
  const { oneOf, allOf, ...own } = schema;
  const options = own.anyOf ?? oneOf;
  const kept: Record<string, Json> = {};
  const rest: Record<string, Json> = {};
  for (const [key, value] of Object.entries(own)) {
    const isKept = enforced.has(key) && !(key === "format" && !formats.has(value));
    if (isKept) kept[key] = value;
    else if (key !== "$schema") rest[key] = value;
  }
  if (Array.isArray(options)) kept.anyOf = options.filter(isObject).map(toEnforced);
  // Of several schemas that all hold there is no such form: the first one is enforced, and the others are told.
  if (Array.isArray(allOf)) {
    const [first, ...others] = allOf.filter(isObject);
    Object.assign(kept, first && toEnforced(first));
    if (others.length > 0) rest.allOf = others;
  }
  for (const key of ["properties", "$defs"]) {
    const named = kept[key];
    if (isObject(named))
      kept[key] = Object.fromEntries(
        Object.entries(named).map(([name, value]) => [name, isObject(value) ? toEnforced(value) : value]),
      );
  }
  if (isObject(kept.items)) kept.items = toEnforced(kept.items);
  const type = typeOfValues(kept);
  if (type !== null) kept.type = type;
  return Object.keys(rest).length > 0 ? { ...kept, description: describe(kept.description, rest) } : kept;
}

/** The type of the values that a schema lists without naming it; null: it names it, or lists none. */
function typeOfValues({ type, const: only, enum: listed }: Record<string, Json>): Json | null {
  const values = Array.isArray(listed) ? listed : [only];
  if (type !== undefined || values[0] === undefined) return null;
  const types = new Set(values.map(typeOf));
  return types.size === 1 ? typeOf(values[0]) : [...types];
}

function typeOf(value: Json | undefined): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "object" ? "object" : typeof value;
}

const describe = (description: Json | undefined, rest: JsonObject): string =>
  [...(typeof description === "string" ? [description] : []), JSON.stringify(rest)].join(" ");
