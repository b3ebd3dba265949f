import * as z from "zod/mini";
import { findJsonAs } from "../../flow/parse-json";
import { type Message, messageSchema, type ToolCall } from "../../run/events/messages";
import { callsOf } from "../conversation/call-messages";
import type { RunNode } from "../model/run-state";
import type { AttributeInput } from "./otlp";

/** One part of a message, as the conventions write it (gen-ai-input-messages.json). */
type MessagePart =
  | { type: "text" | "reasoning"; content: string }
  | { type: "tool_call"; id: string; name: string; arguments: string }
  | { type: "tool_call_response"; id: string; response: string };

const sentSchema = z.array(messageSchema);

const toText = (content: string): MessagePart[] => (content === "" ? [] : [{ type: "text", content }]);

const toCallPart = ({ id, name, arguments: text }: ToolCall): MessagePart => ({
  type: "tool_call",
  id,
  name,
  arguments: text,
});

function toParts(message: Message): MessagePart[] {
  if (message.role === "tool")
    return [{ type: "tool_call_response", id: message.toolCallId, response: message.content }];
  const calls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  return [...toText(message.content), ...calls.map(toCallPart)];
}

/** What a model was sent, and what it answered. Messages that cannot be read as such go as the text that they are. */
export function toModelContent(node: RunNode): Record<string, AttributeInput> {
  const messages: readonly Message[] = findJsonAs(node.input.text, sentSchema) ?? [
    { role: "user", content: node.input.text },
  ];
  const instructions = messages.filter(({ role }) => role === "system").flatMap(toParts);
  const input = messages
    .filter(({ role }) => role !== "system")
    .map((message) => ({ role: message.role, parts: toParts(message) }));
  const reasoning: MessagePart[] = node.reasoning === "" ? [] : [{ type: "reasoning", content: node.reasoning }];
  const messageParts = [...reasoning, ...toText(node.output.text), ...callsOf(node).map(toCallPart)];
  const { finishReason } = node.metadata;
  const output = [
    {
      role: "assistant",
      parts: messageParts,
      ...(typeof finishReason === "string" && { finish_reason: finishReason }),
    },
  ];
  return {
    "gen_ai.system_instructions": instructions.length > 0 ? JSON.stringify(instructions) : undefined,
    "gen_ai.input.messages": JSON.stringify(input),
    "gen_ai.output.messages": messageParts.length > 0 ? JSON.stringify(output) : undefined,
  };
}

/** What an agent was given, and what it came to. */
export const toAgentContent = ({ input, output }: RunNode): Record<string, AttributeInput> => ({
  "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: toText(input.text) }]),
  "gen_ai.output.messages":
    output.text === "" ? undefined : JSON.stringify([{ role: "assistant", parts: toText(output.text) }]),
});
