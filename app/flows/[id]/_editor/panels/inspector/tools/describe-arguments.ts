import type { Json, JsonSchema } from "@/lib/core/flow/flow";

/** One argument of a tool, as a table shows it. */
export interface Argument {
  /** Arguments inside another are named `outer.inner`. */
  name: string;
  type: string;
  required: boolean;
  description: string;
}

/** The arguments that a tool's schema says, those of objects below their own. */
export function describeArguments(schema: JsonSchema, prefix = ""): Argument[] {
  const required = isList(schema.required) ? schema.required : [];
  return Object.entries(toObject(schema.properties)).flatMap(([name, value]): Argument[] => {
    const field = toObject(value);
    const { description = "" } = field;
    const own: Argument = {
      name: prefix + name,
      type: describeType(field),
      required: required.includes(name),
      description: typeof description === "string" ? description : "",
    };
    const inner = field.type === "array" ? toObject(field.items) : field;
    return [own, ...describeArguments(inner, `${prefix}${name}.`)];
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
  if (isList(anyOf)) return [...new Set(anyOf.map((one) => describeType(toObject(one))))].join(" or ");
  if (type === "array") return `list of ${items === undefined ? "anything" : describeType(toObject(items))}`;
  if (isList(type)) return type.map((one) => words.get(one) ?? String(one)).join(" or ");
  return words.get(type) ?? (typeof type === "string" ? type : "anything");
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const toObject = (value: Json | undefined): JsonSchema => (isObject(value) ? value : {});
