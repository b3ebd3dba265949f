import "server-only";
import type { ModelNote, ToolSpec } from "@/lib/core/run/ports/model";
import { isCallJson } from "../text-calls/text-call-forms";

/** How calls begin that models write as text: Hermes, Qwen, Llama, Mistral, Phi, Granite, DeepSeek, Kimi, Claude. */
const beginPattern =
  /<tool_call>\s*[{<]|<function=[^<>\s]+>|\[TOOL_CALLS\](?:\s*[[{]|[\w.-]+[[{])|<\|python_tag\|>|<\|tool_calls?(?:_section)?(?:_begin)?\|>|<｜tool▁calls?▁begin｜>|<invoke name="/;

/** A warning for an answer that holds a tool call as text outside of code, or ends with the JSON of one. Null: it holds none. */
export function warnOfTextCall(answer: string, tools: readonly ToolSpec[]): ModelNote | null {
  const hasTag = beginPattern.test(answer) && beginPattern.test(withoutCode(answer));
  if (!hasTag && !endsWithJsonCall(answer, tools)) return null;
  return {
    code: "tool-call-in-text",
    message:
      "The answer holds a tool call written as text, which was not run. Use a model or a server that supports tool calls, or turn on tool calls in the server (its template or parser).",
  };
}

const withoutCode = (text: string): string =>
  text.replace(/^ {0,3}```[\s\S]*?(?:^ {0,3}```|(?![\s\S]))/gm, "").replace(/`[^`\n]*`/g, "");

/** Whether an answer ends with lines, maybe of a fenced block, that are the JSON of a call of an offered tool. */
function endsWithJsonCall(answer: string, tools: readonly ToolSpec[]): boolean {
  const text = `\n${answer.trimEnd().replace(/```$/, "").trimEnd()}`;
  if (tools.length === 0 || !/[}\]]$/.test(text)) return false;
  const start = Math.max(text.lastIndexOf("\n{"), text.lastIndexOf("\n["));
  return start >= 0 && isCallJson(text.slice(start), new Set(tools.map(({ name }) => name)));
}
