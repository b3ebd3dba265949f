import type { ToolCall } from "../events/messages";

/** The tool calls of one turn as one text: sorted `name:canonical JSON`, joined with `|`. Equal for equal requests. */
export function toSignature(calls: readonly ToolCall[]): string {
  return calls
    .map((call) => `${call.name}:${canonicalJson(call.arguments)}`)
    .sort()
    .join("|");
}

/** JSON without spaces and with sorted keys; blank is `{}`, and what is no JSON stays as it is written, trimmed. */
export function canonicalJson(text: string): string {
  const trimmed = text.trim();
  if (trimmed === "") return "{}";
  try {
    return JSON.stringify(JSON.parse(trimmed), sortKeys);
  } catch {
    return trimmed;
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
