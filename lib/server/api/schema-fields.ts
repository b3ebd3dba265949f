import "server-only";
import { z } from "zod";

/** A field of a body as the reference shows it. */
export interface SchemaField {
  /** The names of the fields that lead to it, joined by dots. */
  path: string;
  name: string;
  /** 0 for the fields of the body itself. */
  depth: number;
  isRequired: boolean;
  /** E.g. `string`, `Run[]`, `"read" | "run"`. */
  type: string;
}

const objectSchema = z.record(z.string(), z.unknown());
const schemaSchema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  /** `false`: a list has its `prefixItems` and no others. */
  items: z.union([z.boolean(), objectSchema]).optional(),
  prefixItems: z.array(objectSchema).optional(),
  anyOf: z.array(objectSchema).optional(),
  oneOf: z.array(objectSchema).optional(),
  properties: z.record(z.string(), objectSchema).optional(),
  required: z.array(z.string()).optional(),
});

/** The type of a JSON Schema in one line. */
export function describeType(schema: unknown): string {
  const { $ref, type, items, prefixItems, anyOf, oneOf, ...rest } = schemaSchema.parse(schema);
  if ($ref !== undefined) return $ref.split("/").at(-1) ?? "";
  if (rest.const !== undefined) return JSON.stringify(rest.const);
  if (rest.enum) return rest.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = anyOf ?? oneOf;
  if (choices) return [...new Set(choices.map(describeType))].join(" | ");
  if (prefixItems) return `[${prefixItems.map(describeType).join(", ")}]`;
  if (type === "array") {
    const item = typeof items === "object" ? describeType(items) : "any";
    return /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  if (type === undefined) return "any";
  return typeof type === "string" ? type : type.join(" | ");
}

/**
 * The fields of a JSON Schema, those of objects and lists within it below theirs; those of named schemas are left out. A field
 * of several choices is there once.
 */
export function listFields(schema: unknown): SchemaField[] {
  const fields = new Map<string, SchemaField>();
  for (const field of collectFields(schema, [])) {
    const known = fields.get(field.path);
    const type = known && known.type !== field.type ? `${known.type} | ${field.type}` : field.type;
    fields.set(field.path, { ...field, type, isRequired: field.isRequired && (known?.isRequired ?? true) });
  }
  return orderBelow([...fields.values()], "");
}

/** The fields below a path, each followed by those below it. */
const orderBelow = (fields: readonly SchemaField[], parent: string): SchemaField[] =>
  fields
    .filter(({ path, name }) => path === (parent === "" ? name : `${parent}.${name}`))
    .flatMap((field) => [field, ...orderBelow(fields, field.path)]);

function collectFields(schema: unknown, parents: readonly string[]): SchemaField[] {
  const { properties = {}, required = [], items, anyOf = [], oneOf = [] } = schemaSchema.parse(schema);
  if (typeof items === "object") return collectFields(items, parents);
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const path = [...parents, name];
    const field = { path: path.join("."), name, depth: parents.length, type: describeType(property) };
    return [{ ...field, isRequired: required.includes(name) }, ...collectFields(property, path)];
  });
  return [...own, ...[...anyOf, ...oneOf].flatMap((choice) => collectFields(choice, parents))];
}
