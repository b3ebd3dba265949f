import { parseJson } from "@/lib/core/flow/parse-json";

/** An indented copy of a JSON text; null for any other text. */
export function prettyJson(text: string): string | null {
  const value = parseJson(text);
  return value === undefined ? null : JSON.stringify(value, null, 2);
}
