import "server-only";
import type { Json, JsonSchema } from "@/lib/core/flow/flow";
import { isObject, type JsonObject, parseJson } from "../json";
import { findRecursive } from "./recursive-definitions";

/**
 * A schema in the form that providers enforce: an object at its root, every object closed. What has no such form (objects with
 * any keys, any value, a schema that contains itself) is a JSON text in the answer.
 */
export interface ClosedSchema {
  schema: JsonObject;
  /** The answer as the original schema means it; a text that is no JSON stays as it is. */
  decode(text: string): string;
}

interface ClosingOptions {
  /** Whether all properties have to be required, so that one that may be missing is null in the answer. */
  requiresAll: boolean;
}

/** The name of what is at the root and no object. */
const wrapper = "answer";
const lists = ["anyOf", "oneOf", "allOf"] as const;

export function closeSchema(schema: JsonSchema, options: ClosingOptions): ClosedSchema {
  const closing = new Closing(schema, options);
  const isWrapped = !closing.isClosedObject(schema);
  const closed = closing.close(schema);
  const { $defs, ...inner } = closed;
  return {
    schema: isWrapped
      ? {
          type: "object",
          properties: { [wrapper]: inner },
          required: [wrapper],
          additionalProperties: false,
          ...($defs !== undefined && { $defs }),
        }
      : closed,
    decode(text) {
      const answer = parseJson(text);
      if (answer === undefined || (isWrapped && !isObject(answer))) return text;
      const value = isWrapped && isObject(answer) ? (answer[wrapper] ?? null) : answer;
      const decoded = closing.decode(schema, value);
      return isWrapped || decoded !== answer ? JSON.stringify(decoded) : text;
    },
  };
}

class Closing {
  readonly #definitions: JsonObject;
  readonly #recursive: ReadonlySet<string>;

  constructor(
    root: JsonSchema,
    private readonly options: ClosingOptions,
  ) {
    this.#definitions = isObject(root.$defs) ? root.$defs : isObject(root.definitions) ? root.definitions : {};
    this.#recursive = findRecursive(root, this.#definitions);
  }

  isClosedObject(schema: Json): boolean {
    return isObject(schema) && schema.type === "object" && !this.#isText(schema);
  }

  /** Whether it is a JSON text in the answer. */
  #isText(given: Json): boolean {
    const schema = toPlain(given);
    if (!isObject(schema)) return true;
    if (typeof schema.$ref === "string") return this.#recursive.has(schema.$ref) || !this.#find(schema.$ref);
    if (schema.enum !== undefined || schema.const !== undefined) return false;
    if (lists.some((key) => Array.isArray(schema[key]))) return false;
    if (schema.type === "object") return !isObject(schema.properties) || isOpen(schema.additionalProperties);
    if (schema.type === "array") return schema.items === undefined;
    return schema.type === undefined;
  }

  #find(ref: string): JsonObject | null {
    const name = /^#\/(?:\$defs|definitions)\/(.+)$/.exec(ref)?.[1];
    const found = name === undefined ? undefined : this.#definitions[name];
    return isObject(found) ? found : null;
  }

  close(given: Json): JsonObject {
    const schema = toPlain(given);
    if (this.#isText(schema) || !isObject(schema)) return toTextSchema(schema);
    const { $defs, definitions, ...own } = schema;
    const closed: Record<string, Json> = { ...own };
    if (typeof own.$ref === "string") closed.$ref = own.$ref.replace("#/definitions/", "#/$defs/");
    for (const key of lists) {
      const options = own[key];
      if (Array.isArray(options)) closed[key] = options.map((option) => this.close(option));
    }
    if (own.items !== undefined && own.items !== null) closed.items = this.close(own.items);
    if (own.type === "object") Object.assign(closed, this.#closeObject(own));
    const shared = isObject($defs) ? $defs : definitions;
    if (isObject(shared)) closed.$defs = this.#closeAll(shared);
    return closed;
  }

  #closeAll = (schemas: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, this.close(schema)]));

  #closeObject({ properties, required }: JsonObject): JsonObject {
    const named = isObject(properties) ? properties : {};
    const closed = this.#closeAll(named);
    if (!this.options.requiresAll) return { properties: closed, additionalProperties: false };
    const isRequired = (name: string): boolean => Array.isArray(required) && required.includes(name);
    const all = Object.entries(closed).map(([name, schema]): [string, Json] => [
      name,
      isRequired(name) ? schema : { anyOf: [schema, { type: "null" }] },
    ]);
    return { properties: Object.fromEntries(all), required: Object.keys(closed), additionalProperties: false };
  }

  /** What an answer by the closed schema means; the same value where nothing is changed. */
  decode(given: Json, value: Json): Json {
    const schema = toPlain(given);
    if (this.#isText(schema)) return typeof value === "string" ? (parseJson(value) ?? value) : value;
    if (!isObject(schema)) return value;
    if (typeof schema.$ref === "string") return this.decode(this.#find(schema.$ref) ?? true, value);
    for (const key of lists) {
      const options = schema[key];
      if (Array.isArray(options)) return this.#decodeFirst(options, value);
    }
    const { items } = schema;
    if (Array.isArray(value) && items !== undefined)
      return keep(
        value,
        value.map((item) => this.decode(items, item)),
      );
    return isObject(value) && isObject(schema.properties)
      ? this.#decodeObject(schema, schema.properties, value)
      : value;
  }

  #decodeFirst(options: readonly Json[], value: Json): Json {
    for (const option of options) {
      const decoded = this.decode(option, value);
      if (decoded !== value) return decoded;
    }
    return value;
  }

  #decodeObject(schema: JsonObject, properties: JsonObject, value: JsonObject): JsonObject {
    const { required } = schema;
    const isMissing = (name: string, item: Json): boolean =>
      this.options.requiresAll && item === null && !(Array.isArray(required) && required.includes(name));
    const entries = Object.entries(value).filter(([name, item]) => !isMissing(name, item));
    const decoded = entries.map(([name, item]): [string, Json] => [name, this.decode(properties[name] ?? true, item)]);
    const isSame =
      entries.length === Object.keys(value).length && decoded.every(([name, item]) => item === value[name]);
    return isSame ? value : Object.fromEntries(decoded);
  }
}

const isOpen = (additional: Json | undefined): boolean => additional !== undefined && additional !== false;

const keep = (before: Json[], after: Json[]): Json[] =>
  after.every((item, index) => item === before[index]) ? before : after;

/** A list of types as the schemas that it stands for. */
function toPlain(schema: Json): Json {
  if (!isObject(schema) || !Array.isArray(schema.type)) return schema;
  const { type: types, title, description, $defs, definitions, ...own } = schema;
  const anyOf = types.map((type): Json => (type === "null" ? { type } : { ...own, type }));
  const told = Object.entries({ title, description, $defs, definitions }).filter(([, value]) => value !== undefined);
  return { anyOf, ...Object.fromEntries(told) };
}

function toTextSchema(schema: Json): JsonObject {
  const description = isObject(schema) && typeof schema.description === "string" ? `${schema.description} ` : "";
  const form =
    isObject(schema) && Object.keys(schema).length > 0 ? ` by this JSON Schema: ${JSON.stringify(schema)}` : "";
  return { type: "string", description: `${description}A JSON text, not the value itself${form}` };
}
