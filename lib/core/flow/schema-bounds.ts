import type { Json, JsonSchema } from "./flow";
import { isJsonList, isJsonObject } from "./parse-json";

/**
 * Limits of a JSON Schema: schemas and depth with every reference replaced by its target, values that `enum` and `const` list
 * (parts of values included), and patterns.
 */
export const schemaLimits = { subschemas: 5000, depth: 100, values: 5000, patterns: 100 } as const;

/** Keywords whose values contain schemas by name, and keywords whose values are data. */
const mapKeywords = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);
const dataKeywords = new Set(["const", "default", "enum", "examples"]);

/** Keywords whose values are by the names of properties: Ajv passes over `__proto__` in some of them. */
const propertyKeywords = ["properties", "dependencies", "dependentSchemas", "dependentRequired"];

/** Keywords that make a check asynchronous, or its references depend on how a schema was reached. */
const refusedKeywords = ["$async", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"];

/**
 * A sentence that explains why validating a value by this schema could take unbounded time, memory or stack, or load other
 * schemas; null when it cannot. Linear in the length of the schema. Never throws.
 */
export function findSchemaHazard(schema: JsonSchema): string | null {
  try {
    new SchemaMeasure(schema).measure(schema, 1);
    return null;
  } catch (error) {
    if (error instanceof Hazard) return error.message;
    throw error;
  }
}

/** Ends the measurement; never leaves this file. */
class Hazard extends Error {}

/** The number of schemas in an expanded schema, and their depth. */
interface Extent {
  size: number;
  height: number;
}

class SchemaMeasure {
  /** By reached schema; null while it is measured. */
  readonly #extents = new Map<JsonSchema, Extent | null>();
  readonly #root: JsonSchema;
  #values = 0;
  #patterns = 0;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** Measures each schema once, however often it is used. */
  measure(schema: JsonSchema, depth: number): Extent {
    const knownExtent = this.#extents.get(schema);
    if (knownExtent === null) throw new Hazard("it contains itself; expected a schema without recursion.");
    const { size, height } = knownExtent ?? this.#expand(schema, depth);
    if (depth + height - 1 > schemaLimits.depth) throw tooDeep();
    if (size > schemaLimits.subschemas)
      throw new Hazard(
        `it has more than ${schemaLimits.subschemas} schemas with its references expanded; expected fewer uses of \`$ref\`.`,
      );
    const extent = { size, height };
    this.#extents.set(schema, extent);
    return extent;
  }

  #expand(schema: JsonSchema, depth: number): Extent {
    if (depth > schemaLimits.depth) throw tooDeep();
    this.#checkKeywords(schema);
    this.#extents.set(schema, null);
    let [size, height] = [1, 1];
    for (const subschema of this.#subschemasOf(schema)) {
      const extent = this.measure(subschema, depth + 1);
      size += extent.size;
      height = Math.max(height, extent.height + 1);
    }
    return { size, height };
  }

  #checkKeywords(schema: JsonSchema): void {
    const refused = refusedKeywords.find((keyword) => schema[keyword] !== undefined && schema[keyword] !== false);
    if (refused !== undefined) throw new Hazard(`it uses \`${refused}\`, which is not supported; remove it.`);
    if (schema !== this.#root && typeof schema.$id === "string")
      throw new Hazard("it contains a schema with an `$id` of its own, which is not supported; remove that `$id`.");
    for (const keyword of propertyKeywords)
      if (isJsonObject(schema[keyword]) && Object.hasOwn(schema[keyword], "__proto__"))
        throw new Hazard(
          `its \`${keyword}\` have the name \`__proto__\`, which is not supported; choose another name.`,
        );
    this.#countValues([schema.enum, schema.const]);
    this.#countPatterns(schema);
  }

  #countValues(values: readonly (Json | undefined)[]): void {
    for (const value of values) {
      if (typeof value !== "object" || value === null) continue;
      const parts = Object.values(value);
      this.#values += parts.length;
      if (this.#values > schemaLimits.values)
        throw new Hazard(
          `its \`enum\` and \`const\` have more than ${schemaLimits.values} values; expected fewer, or a \`pattern\`.`,
        );
      this.#countValues(parts);
    }
  }

  #countPatterns({ pattern, patternProperties }: JsonSchema): void {
    this.#patterns += typeof pattern === "string" ? 1 : 0;
    this.#patterns += isJsonObject(patternProperties) ? Object.keys(patternProperties).length : 0;
    if (this.#patterns > schemaLimits.patterns)
      throw new Hazard(`it has more than ${schemaLimits.patterns} patterns; expected fewer, or named \`properties\`.`);
  }

  *#subschemasOf(schema: JsonSchema): Generator<JsonSchema> {
    if (typeof schema.$ref === "string") yield this.#lookUp(schema.$ref);
    for (const [keyword, value] of Object.entries(schema)) {
      if (dataKeywords.has(keyword)) continue;
      if (isJsonList(value)) yield* value.filter(isJsonObject);
      else if (isJsonObject(value) && mapKeywords.has(keyword)) yield* Object.values(value).filter(isJsonObject);
      else if (isJsonObject(value)) yield value;
    }
  }

  /** The target of a reference such as `#/$defs/person`. */
  #lookUp(reference: string): JsonSchema {
    const quotedReference = JSON.stringify(reference.slice(0, 200));
    if (!/^#(?:\/|$)/.test(reference))
      throw new Hazard(
        `it refers to ${quotedReference}; expected a location in the schema itself, such as "#/$defs/person".`,
      );
    const target = followPointer(this.#root, reference.slice(1));
    if (!target) throw new Hazard(`it refers to ${quotedReference}, where it has no schema.`);
    return target;
  }
}

const tooDeep = (): Hazard =>
  new Hazard(`it nests more than ${schemaLimits.depth} deep with its references expanded; expected a flatter schema.`);

/** The target of a JSON pointer (RFC 6901) in the form of a URL fragment; null when it is no schema. */
function followPointer(root: JsonSchema, pointer: string): JsonSchema | null {
  let target: Json = root;
  for (const segment of pointer.split("/").slice(1)) {
    const key = toKey(segment);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return null;
    target = (isJsonList(target) ? target[Number(key)] : target[key]) ?? null;
    // Below an `$id`, references are relative to it.
    if (isJsonObject(target) && typeof target.$id === "string") return null;
  }
  return isJsonObject(target) ? target : null;
}

function toKey(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return segment;
  }
}
