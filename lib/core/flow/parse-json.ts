import type { Json } from "./flow";

/** The value of a JSON text; undefined for a text that is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
