import type { Json, JsonSchema } from "./flow";

export const fieldTypes = ["string", "number", "integer", "boolean", "object", "array"] as const;
export type FieldType = (typeof fieldTypes)[number];

/** One property of an object schema, as a row of a form shows it. */
export interface SchemaField {
  name: string;
  type: FieldType;
  required: boolean;
  description: string;
  /** The values that are allowed; empty: any. */
  choices: readonly string[];
  /** What a list holds. */
  item?: FieldType;
  /** The fields of an object, or of the objects in a list. */
  fields?: readonly SchemaField[];
  /** Keywords that a row does not show; they stay as they are. */
  more: readonly string[];
}

/** A change of one field. `add` and the others name the fields from the top down; items of a list need no name. */
export type FieldChange =
  | { type: "add"; name: string }
  | { type: "remove" }
  | { type: "rename"; to: string }
  | { type: "set-type"; to: FieldType }
  | { type: "set-item"; to: FieldType }
  | { type: "set-required"; to: boolean }
  | { type: "set-description"; to: string }
  | { type: "set-choices"; to: readonly string[] };

/** The fields of a schema; a sentence when it holds what rows cannot say, and has to stay text. */
export function readFields(schema: JsonSchema): SchemaField[] | string {
  if (schema.type !== "object") return `Rows show objects; the answer is ${describeType(schema.type)}.`;
  const odd = combining.find((key) => key in schema);
  if (odd !== undefined) return `Rows cannot say \`${odd}\`.`;
  const properties = toObject(schema.properties ?? {});
  const required = schema.required ?? [];
  if (!properties || !isList(required)) return "Rows cannot show these properties.";
  const found: SchemaField[] = [];
  for (const [name, value] of Object.entries(properties)) {
    const field = readField(name, value, required.includes(name));
    if (typeof field === "string") return field;
    found.push(field);
  }
  return found;
}

/** Keywords that make a schema more than a list of fields. */
const combining = ["$ref", "anyOf", "oneOf", "allOf", "not", "if", "patternProperties", "prefixItems"];
const shown = new Set(["type", "description", "enum", "items", "properties", "required"]);

function readField(name: string, value: Json, required: boolean): SchemaField | string {
  const schema = toObject(value);
  const odd = schema && combining.find((key) => key in schema);
  if (!schema || odd !== undefined) return `Rows cannot say the field "${name}"${odd ? `: it has \`${odd}\`` : ""}.`;
  const type = toType(schema.type);
  if (!type) return `Rows cannot say the field "${name}": its type is ${describeType(schema.type)}.`;
  const { description = "", enum: choices = [] } = schema;
  if (typeof description !== "string" || !isList(choices)) return `Rows cannot say the field "${name}".`;
  const texts = choices.filter((choice) => typeof choice === "string");
  if (texts.length < choices.length || (texts.length > 0 && type !== "string"))
    return `Rows cannot say the field "${name}": its choices are no texts.`;
  const field: SchemaField = {
    name,
    type,
    required,
    description,
    choices: texts,
    more: Object.keys(schema).filter((key) => !shown.has(key)),
  };
  if (type === "object") return withFields(field, schema);
  return type === "array" ? withItem(field, schema) : field;
}

function withItem(field: SchemaField, schema: JsonSchema): SchemaField | string {
  const items = toObject(schema.items ?? null);
  const item = items && toType(items.type);
  if (!items || !item || item === "array" || items.enum !== undefined || combining.some((key) => key in items))
    return `Rows cannot say the list "${field.name}".`;
  return item === "object" ? withFields({ ...field, item }, items) : { ...field, item };
}

function withFields(field: SchemaField, schema: JsonSchema): SchemaField | string {
  const fields = readFields(schema);
  return typeof fields === "string" ? fields : { ...field, fields };
}

/** The schema after a change of the field at `path`; everything that the change does not name stays, in its order. */
export function changeField(schema: JsonSchema, path: readonly string[], change: FieldChange): JsonSchema {
  if (change.type === "add")
    return within(schema, path, (holder) => withProperties(holder, { [change.name]: { type: "string" } }));
  const name = path.at(-1) ?? "";
  return within(schema, path.slice(0, -1), (holder) => changeIn(holder, name, change));
}

/** Applies `edit` to the object schema that `path` leads to. */
function within(schema: JsonSchema, path: readonly string[], edit: (holder: JsonSchema) => JsonSchema): JsonSchema {
  const [name, ...deeper] = path;
  if (name === undefined) return edit(schema);
  const field = toObject(propertiesOf(schema)[name] ?? null);
  if (!field) return schema;
  const items = field.type === "array" ? toObject(field.items ?? null) : null;
  const inner = items ? { ...field, items: within(items, deeper, edit) } : within(field, deeper, edit);
  return withProperties(schema, { [name]: inner });
}

function changeIn(holder: JsonSchema, name: string, change: Exclude<FieldChange, { type: "add" }>): JsonSchema {
  const properties = propertiesOf(holder);
  const field = toObject(properties[name] ?? null);
  const required = isList(holder.required) ? holder.required : [];
  if (!field) return holder;
  const withField = (next: JsonSchema): JsonSchema => withProperties(holder, { [name]: next });
  switch (change.type) {
    case "remove": {
      const { [name]: _, ...others } = properties;
      return withRequired({ ...holder, properties: others }, without(required, name));
    }
    case "rename": {
      const renamed = Object.entries(properties).map(([key, value]) => [key === name ? change.to : key, value]);
      const names = required.map((one) => (one === name ? change.to : one));
      return withRequired({ ...holder, properties: Object.fromEntries(renamed) }, names);
    }
    case "set-required":
      return withRequired(holder, change.to ? [...without(required, name), name] : without(required, name));
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

/** What a schema of another type still means: its description. */
function toTyped({ description }: JsonSchema, type: FieldType): JsonSchema {
  const said: JsonSchema = description === undefined ? {} : { description };
  if (type === "object") return { type, ...said, properties: {} };
  return type === "array" ? { type, ...said, items: { type: "string" } } : { type, ...said };
}

const withProperties = (holder: JsonSchema, fields: JsonSchema): JsonSchema => ({
  ...holder,
  properties: { ...propertiesOf(holder), ...fields },
});

const withRequired = (holder: JsonSchema, names: readonly Json[]): JsonSchema =>
  withKey(holder, "required", names.length === 0 ? undefined : names);

function withKey(schema: JsonSchema, key: string, value: Json | undefined): JsonSchema {
  if (value !== undefined) return { ...schema, [key]: value };
  const { [key]: _, ...others } = schema;
  return others;
}

const without = (names: readonly Json[], name: string): Json[] => names.filter((one) => one !== name);
const propertiesOf = (schema: JsonSchema): JsonSchema => toObject(schema.properties ?? {}) ?? {};
const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const isObject = (value: Json): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const toObject = (value: Json): JsonSchema | null => (isObject(value) ? value : null);

const toType = (type: Json | undefined): FieldType | undefined => fieldTypes.find((one) => one === type);
const describeType = (type: Json | undefined): string => (type === undefined ? "not said" : JSON.stringify(type));

/** A value that fits a schema as far as its types, choices and examples say; for people to look at. */
export function exampleOf(schema: JsonSchema, depth = 0): Json {
  const { enum: choices, examples, properties, items, type } = schema;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  for (const list of [examples, choices]) if (isList(list) && list[0] !== undefined) return list[0];
  if (depth > 10) return null;
  const inner = (value: Json): Json => exampleOf(toObject(value) ?? {}, depth + 1);
  switch (isList(type) ? type[0] : (type ?? (properties === undefined ? "null" : "object"))) {
    case "object":
      return Object.fromEntries(Object.entries(propertiesOf(schema)).map(([name, value]) => [name, inner(value)]));
    case "array":
      return items === undefined ? [] : [inner(items)];
    case "string":
      return "text";
    case "number":
      return 1.5;
    case "integer":
      return 1;
    case "boolean":
      return true;
    default:
      return null;
  }
}
