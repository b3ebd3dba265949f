import "server-only";
import type { ContentBlockParam, MessageCreateParamsStreaming } from "@anthropic-ai/sdk/resources/messages";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { Message } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { defaultMaxTokens } from "../pricing/catalogue";
import { isBlank, systemTextsOf, toArguments, toTurns } from "../turns";

/** The body of a Messages request: system text apart, results of parallel tool calls in one user turn. */
export function toMessagesRequest(request: ModelRequest): MessageCreateParamsStreaming {
  const system = systemTextsOf(request.messages).join("\n\n");
  const turns = toTurns(request.messages, ({ role }) => (role === "assistant" ? "assistant" : "user"), toBlocks);
  return {
    model: request.model,
    max_tokens: request.max_tokens ?? defaultMaxTokens(request.model),
    messages: turns.map(({ role, blocks }) => ({ role: role === "assistant" ? role : "user", content: blocks })),
    stream: true,
    ...(!isBlank(system) && { system }),
    ...toTools(request),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.output_schema && {
      output_config: { format: { type: "json_schema" as const, schema: request.output_schema } },
    }),
  };
}

/** A conversation that holds tool calls is refused without their tools, so the past ones are named, and forbidden. */
function toTools({ tools, messages }: ModelRequest): Pick<MessageCreateParamsStreaming, "tools" | "tool_choice"> {
  if (tools.length > 0)
    return {
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        input_schema: toInputSchema(parameters),
      })),
    };
  const past = new Set(messages.flatMap(namesOfTools));
  if (past.size === 0) return {};
  return {
    tools: [...past].map((name) => ({ name, description: "", input_schema: toInputSchema({}) })),
    tool_choice: { type: "none" },
  };
}

function namesOfTools(message: Message): string[] {
  if (message.role === "tool") return [message.name];
  return message.role === "assistant" ? (message.toolCalls ?? []).map(({ name }) => name) : [];
}

const toInputSchema = (parameters: JsonSchema) => ({ ...parameters, type: "object" as const });

function toBlocks(message: Exclude<Message, { role: "system" }>): ContentBlockParam[] {
  const { content } = message;
  if (message.role === "tool")
    return [
      {
        type: "tool_result",
        tool_use_id: message.toolCallId,
        ...(!isBlank(content) && { content }),
        ...(message.isError && { is_error: true }),
      },
    ];
  const toolCalls = message.role === "assistant" ? (message.toolCalls ?? []) : [];
  return [
    ...(isBlank(content) ? [] : [{ type: "text" as const, text: content }]),
    ...toolCalls.map(({ id, name, arguments: argumentText }) => ({
      type: "tool_use" as const,
      id,
      name,
      input: toArguments(argumentText),
    })),
  ];
}
