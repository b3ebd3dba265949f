import type { Json, JsonSchema } from "./flow";
import { isJsonList, isJsonObject } from "./parse-json";

export const fieldTypes = ["string", "number", "integer", "boolean", "object", "array"] as const;
export type FieldType = (typeof fieldTypes)[number];

/** One property of an object schema, as a form shows it. */
export interface SchemaField {
  name: string;
  type: FieldType;
  required: boolean;
  description: string;
  /** The allowed values; empty: any. */
  choices: readonly string[];
  /** The type of the items of a list. */
  item?: FieldType;
  /** The fields of an object, or of the objects in a list. */
  fields?: readonly SchemaField[];
  /** Keywords that the form does not show and does not change. */
  more: readonly string[];
}

/** A change of the field at a path of field names from the top down; the items of a list have no name in it. */
export type FieldChange =
  | { type: "add"; name: string }
  | { type: "remove" }
  | { type: "rename"; to: string }
  | { type: "set-type"; to: FieldType }
  | { type: "set-item"; to: FieldType }
  | { type: "set-required"; to: boolean }
  | { type: "set-description"; to: string }
  | { type: "set-choices"; to: readonly string[] };

/** The fields of a schema; a sentence with the reason when only text can express it. */
export function readFields(schema: JsonSchema): SchemaField[] | string {
  if (schema.type !== "object") return `Rows show objects; the answer is ${describeType(schema.type)}.`;
  const unsupportedKey = combiningKeywords.find((key) => key in schema);
  if (unsupportedKey !== undefined) return `Rows cannot show \`${unsupportedKey}\`.`;
  const properties = toObject(schema.properties ?? {});
  const required = schema.required ?? [];
  if (!properties || !isJsonList(required)) return "Rows cannot show these properties.";
  const fields: SchemaField[] = [];
  for (const [name, value] of Object.entries(properties)) {
    const field = readField(name, value, required.includes(name));
    if (typeof field === "string") return field;
    fields.push(field);
  }
  return fields;
}

/** Keywords that make a schema more than a list of fields. */
const combiningKeywords = ["$ref", "anyOf", "oneOf", "allOf", "not", "if", "patternProperties", "prefixItems"];
const shownKeywords = new Set(["type", "description", "enum", "items", "properties", "required"]);

function readField(name: string, value: Json, required: boolean): SchemaField | string {
  const schema = toObject(value);
  const unsupportedKey = schema && combiningKeywords.find((key) => key in schema);
  if (!schema || unsupportedKey !== undefined)
    return `Rows cannot show the field "${name}"${unsupportedKey ? `: it has \`${unsupportedKey}\`` : ""}.`;
  const type = toType(schema.type);
  if (!type) return `Rows cannot show the field "${name}": its type is ${describeType(schema.type)}.`;
  const { description = "", enum: choices = [] } = schema;
  if (typeof description !== "string" || !isJsonList(choices)) return `Rows cannot show the field "${name}".`;
  const texts = choices.filter((choice) => typeof choice === "string");
  if (texts.length < choices.length || (texts.length > 0 && type !== "string"))
    return `Rows cannot show the field "${name}": its choices are not all strings.`;
  const field: SchemaField = {
    name,
    type,
    required,
    description,
    choices: texts,
    more: Object.keys(schema).filter((key) => !shownKeywords.has(key)),
  };
  if (type === "object") return withFields(field, schema);
  return type === "array" ? withItem(field, schema) : field;
}

function withItem(field: SchemaField, schema: JsonSchema): SchemaField | string {
  const items = toObject(schema.items ?? null);
  const item = items && toType(items.type);
  if (!items || !item || item === "array" || items.enum !== undefined || combiningKeywords.some((key) => key in items))
    return `Rows cannot show the list "${field.name}".`;
  return item === "object" ? withFields({ ...field, item }, items) : { ...field, item };
}

function withFields(field: SchemaField, schema: JsonSchema): SchemaField | string {
  const fields = readFields(schema);
  return typeof fields === "string" ? fields : { ...field, fields };
}

/** The schema after a change of the field at `path`; everything else keeps its value and order. */
export function changeField(schema: JsonSchema, path: readonly string[], change: FieldChange): JsonSchema {
  if (change.type === "add")
    return editAtPath(schema, path, (parent) => withProperties(parent, { [change.name]: { type: "string" } }));
  const name = path.at(-1) ?? "";
  return editAtPath(schema, path.slice(0, -1), (parent) => changeIn(parent, name, change));
}

/** Applies `edit` to the object schema at `path`. */
function editAtPath(schema: JsonSchema, path: readonly string[], edit: (parent: JsonSchema) => JsonSchema): JsonSchema {
  const [name, ...subPath] = path;
  if (name === undefined) return edit(schema);
  const field = toObject(propertiesOf(schema)[name] ?? null);
  if (!field) return schema;
  const items = field.type === "array" ? toObject(field.items ?? null) : null;
  const editedField = items ? { ...field, items: editAtPath(items, subPath, edit) } : editAtPath(field, subPath, edit);
  return withProperties(schema, { [name]: editedField });
}

function changeIn(parent: JsonSchema, name: string, change: Exclude<FieldChange, { type: "add" }>): JsonSchema {
  const properties = propertiesOf(parent);
  const field = toObject(properties[name] ?? null);
  const required = isJsonList(parent.required) ? parent.required : [];
  if (!field) return parent;
  const withField = (next: JsonSchema): JsonSchema => withProperties(parent, { [name]: next });
  switch (change.type) {
    case "remove": {
      const { [name]: _, ...otherProperties } = properties;
      return withRequired({ ...parent, properties: otherProperties }, without(required, name));
    }
    case "rename": {
      const renamed = Object.entries(properties).map(([key, value]) => [key === name ? change.to : key, value]);
      const names = required.map((requiredName) => (requiredName === name ? change.to : requiredName));
      return withRequired({ ...parent, properties: Object.fromEntries(renamed) }, names);
    }
    case "set-required":
      return withRequired(parent, change.to ? [...without(required, name), name] : without(required, name));
    case "set-type":
      return withField(toTyped(field, change.to));
    case "set-item":
      return withField({ ...field, items: toTyped({}, change.to) });
    case "set-description":
      return withField(withKey(field, "description", change.to === "" ? undefined : change.to));
    case "set-choices":
      return withField(withKey(field, "enum", change.to.length === 0 ? undefined : [...change.to]));
  }
}

/** The schema after a change of its type: only the description remains. */
function toTyped({ description }: JsonSchema, type: FieldType): JsonSchema {
  const descriptionEntry: JsonSchema = description === undefined ? {} : { description };
  if (type === "object") return { type, ...descriptionEntry, properties: {} };
  return type === "array" ? { type, ...descriptionEntry, items: { type: "string" } } : { type, ...descriptionEntry };
}

const withProperties = (parent: JsonSchema, fields: JsonSchema): JsonSchema => ({
  ...parent,
  properties: { ...propertiesOf(parent), ...fields },
});

const withRequired = (parent: JsonSchema, names: readonly Json[]): JsonSchema =>
  withKey(parent, "required", names.length === 0 ? undefined : names);

function withKey(schema: JsonSchema, key: string, value: Json | undefined): JsonSchema {
  if (value !== undefined) return { ...schema, [key]: value };
  const { [key]: _, ...otherKeywords } = schema;
  return otherKeywords;
}

const without = (names: readonly Json[], name: string): Json[] => names.filter((listedName) => listedName !== name);
const propertiesOf = (schema: JsonSchema): JsonSchema => toObject(schema.properties ?? {}) ?? {};
const toObject = (value: Json): JsonSchema | null => (isJsonObject(value) ? value : null);

const toType = (type: Json | undefined): FieldType | undefined => fieldTypes.find((fieldType) => fieldType === type);
const describeType = (type: Json | undefined): string => (type === undefined ? "missing" : JSON.stringify(type));

/** An example value of a schema, from its types, choices and examples. For display only. */
export function exampleOf(schema: JsonSchema, depth = 0): Json {
  const { enum: choices, examples, properties, items, type } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  for (const list of [examples, choices]) if (isJsonList(list) && list[0] !== undefined) return list[0];
  if (depth > 10) return null;
  const exampleOfValue = (value: Json): Json => exampleOf(toObject(value) ?? {}, depth + 1);
  const usedType = isJsonList(type) ? type[0] : (type ?? (properties === undefined ? "null" : "object"));
  if (usedType === "array") return items === undefined ? [] : [exampleOfValue(items)];
  if (usedType !== "object") return exampleValues.get(usedType) ?? null;
  return Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, value]) => [name, exampleOfValue(value)]));
}

const exampleValues = new Map<Json | undefined, Json>([
  ["string", "text"],
  ["number", 1.5],
  ["integer", 1],
  ["boolean", true],
]);
