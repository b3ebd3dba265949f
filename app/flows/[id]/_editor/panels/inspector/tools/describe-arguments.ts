import type { Json, JsonSchema } from "@/lib/core/flow/flow";
import { isJsonObject } from "@/lib/core/flow/parse-json";

export interface ToolArgument {
  /** Nested arguments are named `outer.inner`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

export function describeArguments(schema: JsonSchema, prefix = ""): ToolArgument[] {
  const required = isList(schema.required) ? schema.required : [];
  return Object.entries(toObject(schema.properties)).flatMap(([name, value]): ToolArgument[] => {
    const field = toObject(value);
    const { description = "" } = field;
    const argument: ToolArgument = {
      name: prefix + name,
      type: describeType(field),
      required: required.includes(name),
      description: typeof description === "string" ? description : "",
    };
    const nestedSchema = field.type === "array" ? toObject(field.items) : field;
    return [argument, ...describeArguments(nestedSchema, `${prefix}${name}.`)];
  });
}

const words = new Map<Json | undefined, string>([
  ["string", "text"],
  ["integer", "whole number"],
  ["boolean", "yes or no"],
]);

function describeType(schema: JsonSchema): string {
  const { type, enum: choices, items, anyOf } = schema;
  if (isList(choices)) return choices.map((choice) => JSON.stringify(choice)).join(" or ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (isList(anyOf)) return [...new Set(anyOf.map((option) => describeType(toObject(option))))].join(" or ");
  if (type === "array") return `list of ${items === undefined ? "anything" : describeType(toObject(items))}`;
  if (isList(type)) return type.map((typeName) => words.get(typeName) ?? String(typeName)).join(" or ");
  return words.get(type) ?? (typeof type === "string" ? type : "anything");
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const toObject = (value: Json | undefined): JsonSchema => (isJsonObject(value) ? value : {});
