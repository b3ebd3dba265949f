import "server-only";
import type {
  ChatCompletionCreateParamsStreaming,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { AssistantMessage, Message, ToolCall } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import type { JsonObject } from "../json";
import { toToolParameters } from "../schema/tool-parameters";
import { isBlank, noInput, systemTextsOf } from "../turns";

interface ChatRequestOptions {
  messages?: readonly Message[];
  /** The schema of the answer as it is sent, and whether its server is asked to enforce it. */
  format?: { schema: JsonSchema; strict: boolean } | undefined;
  /** Further fields of a message of the assistant. */
  toFields?(message: AssistantMessage): JsonObject;
}

/** The body of a Chat Completions request, without a limit of output tokens: its name differs between servers. */
export function toChatRequest(
  request: ModelRequest,
  { messages = request.messages, format, toFields = () => ({}) }: ChatRequestOptions = {},
): ChatCompletionCreateParamsStreaming {
  const { schema = request.output_schema, strict = false } = format ?? {};
  return {
    model: request.model,
    messages: messages.map((message) =>
      message.role === "assistant" ? { ...toChatMessage(message), ...toFields(message) } : toChatMessage(message),
    ),
    stream: true,
    stream_options: { include_usage: true },
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        function: { name, description, parameters: toToolParameters(parameters) },
      })),
    }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(schema && {
      response_format: {
        type: "json_schema" as const,
        json_schema: { name: "answer", schema, ...(strict && { strict }) },
      },
    }),
  };
}

function toChatMessage(message: Message): ChatCompletionMessageParam {
  switch (message.role) {
    case "system":
    case "user":
      return { role: message.role, content: message.content };
    case "tool":
      return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
    case "assistant":
      if (!message.toolCalls?.length) return { role: "assistant", content: message.content };
      return {
        role: "assistant",
        content: message.content === "" ? null : message.content,
        tool_calls: message.toolCalls.map(toChatToolCall),
      };
  }
}

export const toChatToolCall = ({ id, name, arguments: text }: ToolCall) => ({
  id,
  type: "function" as const,
  function: { name, arguments: text },
});

/** Of a tool that returned nothing: xAI takes no message without content. */
const noOutput = "(no output)";

const isEmptyAnswer = (message: Message): boolean =>
  message.role === "assistant" && message.content === "" && !message.toolCalls?.length;

/**
 * The same conversation for servers and templates that are strict: one system message, first; neighbours of one role merged; a
 * message of the user; no message of the user or a tool without a word. `separator`: what the assistant says between the result
 * of a tool and the user.
 */
export function toStrictMessages(messages: readonly Message[], separator?: string): Message[] {
  const system = systemTextsOf(messages);
  const strict: Message[] = system.length > 0 ? [{ role: "system", content: system.join("\n\n") }] : [];
  for (const message of messages) {
    const before = strict.at(-1);
    if (message.role === "system" || isEmptyAnswer(message)) continue;
    if (message.role === "user" && before?.role === "tool" && separator !== undefined)
      strict.push({ role: "assistant", content: separator });
    if (message.role === "user" && before?.role === "user") {
      strict[strict.length - 1] = { role: "user", content: join(before.content, message.content) };
    } else if (message.role === "assistant" && before?.role === "assistant" && !before.toolCalls?.length) {
      strict[strict.length - 1] = { ...message, content: join(before.content, message.content) };
    } else strict.push(message);
  }
  if (!strict.some(({ role }) => role === "user"))
    strict.splice(system.length > 0 ? 1 : 0, 0, { role: "user", content: "" });
  return strict.map(fillContent);
}

function fillContent(message: Message): Message {
  if (message.role === "user" && isBlank(message.content)) return { role: "user", content: noInput };
  return message.role === "tool" && message.content === "" ? { ...message, content: noOutput } : message;
}

const join = (a: string, b: string): string => [a, b].filter((text) => text !== "").join("\n\n");
