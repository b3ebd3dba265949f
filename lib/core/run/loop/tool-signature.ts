import { parseJson } from "../../flow/parse-json";
import type { ToolCall } from "../events/messages";
import { toCanonicalJson } from "../plan/canonical-json";

/** The tool calls of one turn as one text: sorted `name:canonical JSON`, joined with `|`. Equal for equal requests. */
export function toSignature(calls: readonly ToolCall[]): string {
  return calls
    .map((call) => `${call.name}:${canonicalJson(call.arguments)}`)
    .sort()
    .join("|");
}

/** JSON without spaces and with sorted keys; blank is `{}`, and what cannot be read or written as JSON is only trimmed. */
export function canonicalJson(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "{}";
  try {
    const value = parseJson(trimmed);
    return value === undefined ? trimmed : toCanonicalJson(value);
  } catch {
    return trimmed; // nested too deeply to be written
  }
}
