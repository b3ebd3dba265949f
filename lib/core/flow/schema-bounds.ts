import type { Json, JsonSchema } from "./flow";

/** What a JSON Schema may come to when every reference in it is replaced by what it refers to. */
export const schemaLimits = { subschemas: 5000, depth: 100 } as const;

/** Keywords whose values hold schemas by name, and keywords whose values are data. */
const mapKeywords = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);
const dataKeywords = new Set(["const", "default", "enum", "examples"]);

/** Keywords that make a check asynchronous, or its references depend on how a schema was reached. */
const refusedKeywords = ["$async", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"];

/**
 * Why checking a value by this schema could take unbounded time, memory or stack, or look up other schemas, in a
 * sentence; null when it cannot. Takes time in proportion to the length of the schema. Never throws.
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

/** Leaves the measure; never leaves this file. */
class Hazard extends Error {}

/** Of an expanded schema: how many schemas it consists of, and how deep they nest. */
interface Extent {
  size: number;
  height: number;
}

class SchemaMeasure {
  /** Of each schema that was reached; null while it is measured. */
  readonly #extents = new Map<JsonSchema, Extent | null>();
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** A schema that is used many times is measured once. */
  measure(schema: JsonSchema, depth: number): Extent {
    const known = this.#extents.get(schema);
    if (known === null) throw new Hazard("it contains itself; expected a schema without recursion.");
    const { size, height } = known ?? this.#expand(schema, depth);
    if (depth + height - 1 > schemaLimits.depth) throw tooDeep();
    if (size > schemaLimits.subschemas)
      throw new Hazard(
        `it comes to more than ${schemaLimits.subschemas} schemas with its references expanded; expected fewer uses of \`$ref\`.`,
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
    for (const inner of this.#innerOf(schema)) {
      const extent = this.measure(inner, depth + 1);
      size += extent.size;
      height = Math.max(height, extent.height + 1);
    }
    return { size, height };
  }

  #checkKeywords(schema: JsonSchema): void {
    const refused = refusedKeywords.find((keyword) => schema[keyword] !== undefined && schema[keyword] !== false);
    if (refused !== undefined) throw new Hazard(`it uses \`${refused}\`, which is not supported; remove it.`);
    if (schema !== this.#root && typeof schema.$id === "string")
      throw new Hazard("it holds a schema with an `$id` of its own, which is not supported; remove that `$id`.");
  }

  *#innerOf(schema: JsonSchema): Generator<JsonSchema> {
    if (typeof schema.$ref === "string") yield this.#lookUp(schema.$ref);
    for (const [keyword, value] of Object.entries(schema)) {
      if (dataKeywords.has(keyword)) continue;
      if (isList(value)) yield* value.filter(isObject);
      else if (isObject(value) && mapKeywords.has(keyword)) yield* Object.values(value).filter(isObject);
      else if (isObject(value)) yield value;
    }
  }

  /** What a reference such as `#/$defs/person` refers to. */
  #lookUp(reference: string): JsonSchema {
    const shown = JSON.stringify(reference.slice(0, 200));
    if (!/^#(?:\/|$)/.test(reference))
      throw new Hazard(`it refers to ${shown}; expected a place in the schema itself, such as "#/$defs/person".`);
    const target = followPointer(this.#root, reference.slice(1));
    if (!target) throw new Hazard(`it refers to ${shown}, where it has no schema.`);
    return target;
  }
}

const tooDeep = (): Hazard =>
  new Hazard(`it nests more than ${schemaLimits.depth} deep with its references expanded; expected a flatter schema.`);

/** Where a JSON pointer (RFC 6901), as a fragment of a URL, leads to. */
function followPointer(root: JsonSchema, pointer: string): JsonSchema | null {
  let target: Json = root;
  for (const segment of pointer.split("/").slice(1)) {
    const key = toKey(segment);
    if (typeof target !== "object" || target === null || !Object.hasOwn(target, key)) return null;
    target = (isList(target) ? target[Number(key)] : target[key]) ?? null;
    // Below an `$id` references count from there.
    if (isObject(target) && typeof target.$id === "string") return null;
  }
  return isObject(target) ? target : null;
}

function toKey(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return segment;
  }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
const isObject = (value: Json): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
