import type { Json, JsonSchema } from "./flow";

export const isJsonObject = (value: Json | undefined): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a JSON text; undefined for a text that is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The value of a JSON text that a schema accepts. Throws for a text that is not JSON, and as the schema does. */
export const parseJsonAs = <T>(text: string, schema: { parse(value: unknown): T }): T => schema.parse(JSON.parse(text));
