import "server-only";
import type { JsonObject } from "../../../json";
import { isObjectSchema, isSet, objectOf, placesIn, quote } from "../read-body";

/** The path of a place as OpenAI writes it: `('properties', 'title')`. */
const toContext = (path: string): string => {
  const steps = path === "" ? [] : path.split(".").map((step) => `'${step}'`);
  return `In context=(${steps.length === 1 ? `${steps[0]},` : steps.join(", ")})`;
};

const notPermitted = [
  "oneOf",
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "dependentRequired",
  "dependentSchemas",
  "uniqueItems",
  "patternProperties",
  "propertyNames",
  "contains",
  "default",
];
const formats: ReadonlySet<unknown> = new Set([
  ...["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
]);

/** Why OpenAI does not take a schema with `strict`; null: it does. https://platform.openai.com/docs/guides/structured-outputs */
export function findStrictFault(schema: JsonObject): string | null {
  if (schema.type !== "object")
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${quote(schema.type ?? "None")}"'.`;
  if (isSet(schema.anyOf)) return `${toContext("")}, 'anyOf' is not permitted.`;
  const places = placesIn(schema);
  for (const { path, schema: place, depth } of places) {
    const context = toContext(path);
    const refused = notPermitted.find((key) => isSet(place[key]));
    if (refused !== undefined) return `${context}, '${refused}' is not permitted.`;
    if (!isSet(place.type) && !isSet(place.$ref) && !isSet(place.anyOf))
      return `${context}, schema must have a 'type' key.`;
    if (isObjectSchema(place)) {
      if (place.additionalProperties !== false)
        return `${context}, 'additionalProperties' is required to be supplied and to be false.`;
      const required = Array.isArray(place.required) ? place.required : [];
      const missing = Object.keys(objectOf(place.properties)).find((name) => !required.includes(name));
      if (missing !== undefined || !Array.isArray(place.required))
        return `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing ?? ""}'.`;
    }
    if (place.type === "array" && !isSet(place.items)) return `${context}, array schema missing items.`;
    if (isSet(place.format) && !formats.has(place.format))
      return `${context}, '${quote(place.format)}' is not a valid format.`;
    if (depth > 20) return `${depth} levels of nesting exceeds limit of 10.`;
  }
  return null;
}

/** Why OpenAI does not take the parameters of a tool, also without `strict`; null: it does. */
export function findParametersFault(parameters: JsonObject): string | null {
  if (parameters.type !== "object")
    return `schema must be a JSON Schema of 'type: "object"', got 'type: "${quote(parameters.type ?? "None")}"'.`;
  for (const { path, schema } of placesIn(parameters)) {
    if (path === "" && !isSet(schema.properties)) return `${toContext(path)}, object schema missing properties.`;
    if (schema.type === "array" && !isSet(schema.items)) return `${toContext(path)}, array schema missing items.`;
  }
  return null;
}
