import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import { isObject, type JsonObject, textOf } from "../../json";

/** The objects of a list; none of anything else. */
export const objectsIn = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

export const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

export const isSet = (value: Json | undefined): boolean => value !== undefined && value !== null;

/** A value as a message quotes it. Odd values are no reason to fail: an object may have a field named `toString`. */
export const quote = (value: Json | undefined): string =>
  typeof value === "string" ? value : JSON.stringify(value ?? null);

/** A tool as a body declares it, whatever the wire. */
export interface DeclaredTool {
  name: string;
  description: string;
  parameters: JsonObject;
  strict: Json | undefined;
  /** False: a tool of another kind, e.g. one that the provider runs itself, which has neither name nor parameters. */
  isFunction: boolean;
}

/** The tools of a Chat Completions request, or of a Responses request, which has no `function` around them. */
export const toolsOf = (body: JsonObject): DeclaredTool[] =>
  objectsIn(body.tools)
    .map((tool) => ({ type: tool.type, declared: isObject(tool.function) ? tool.function : tool }))
    .map(({ type, declared: { name, description, parameters, strict } }) => ({
      name: textOf(name) ?? "",
      description: textOf(description) ?? "",
      parameters: objectOf(parameters),
      strict,
      isFunction: !isSet(type) || type === "function",
    }));

/** The calls of a message of Chat Completions. */
export const callsOf = (message: JsonObject): { id: string; name: string; arguments: Json | undefined }[] =>
  objectsIn(message.tool_calls).map((call) => {
    const called = objectOf(call.function);
    return { id: textOf(call.id) ?? "", name: textOf(called.name) ?? "", arguments: called.arguments };
  });

/** Whether a message of Chat Completions says nothing: no text, and no part of a list with any. */
export function isEmptyContent(content: Json | undefined): boolean {
  if (Array.isArray(content)) return content.length === 0;
  return !isSet(content) || content === "";
}

/** A place in a schema with its path, e.g. `properties.title`. */
export interface SchemaPlace {
  path: string;
  schema: JsonObject;
  /** How many objects it lies in. */
  depth: number;
}

const named = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const listed = ["anyOf", "oneOf", "allOf", "prefixItems"];
const single = ["items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames"];

/** Every schema in a schema, the outer one first. */
export function placesIn(schema: JsonObject, path = "", depth = 0): SchemaPlace[] {
  const at = (key: string): string => (path === "" ? key : `${path}.${key}`);
  const inner = [
    ...named.flatMap((key) =>
      Object.entries(objectOf(schema[key])).map(([name, value]) => [`${at(key)}.${name}`, value] as const),
    ),
    ...listed.flatMap((key) => objectsIn(schema[key]).map((value, index) => [`${at(key)}.${index}`, value] as const)),
    ...single.map((key) => [at(key), schema[key]] as const),
  ];
  return [
    { path, schema, depth },
    ...inner.flatMap(([place, value]) => (isObject(value) ? placesIn(value, place, depth + 1) : [])),
  ];
}

export const isObjectSchema = ({ type, properties }: JsonObject): boolean =>
  type === "object" || (Array.isArray(type) && type.includes("object")) || (type === undefined && isObject(properties));
