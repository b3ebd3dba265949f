import type { Json, JsonObject } from "./flow";

export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Accepts every value without a look at it: `JSON.parse` returns JSON values only, and texts may be large. */
const jsonReader = { parse: (value: Json): Json => value };

/** The value of a JSON text; undefined for a text that is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return jsonReader.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** The value of a JSON text that a schema accepts. Throws for a text that is not JSON, and as the schema does. */
export const parseJsonAs = <T>(text: string, schema: { parse(value: unknown): T }): T => schema.parse(JSON.parse(text));

/** The value of a JSON text that a schema accepts; null for any other text. */
export const findJsonAs = <T>(
  text: string,
  schema: { safeParse(value: unknown): { data?: T | undefined } },
): T | null => schema.safeParse(parseJson(text)).data ?? null;
