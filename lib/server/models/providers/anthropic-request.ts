import "server-only";
import { transformJSONSchema } from "@anthropic-ai/sdk/lib/transform-json-schema";
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  RedactedThinkingBlockParam,
  ThinkingBlockParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { Message } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { withPlainCalls } from "../call/call-names";
import { type MessagePiece, toPieces, toWriter, withoutWritten } from "../call/written-parts";
import type { JsonObject } from "../json";
import { defaultMaxTokens } from "../pricing/catalogue";
import { type ClosedSchema, closeSchema } from "../schema/closed-schema";
import { toToolParameters } from "../schema/tool-parameters";
import { isBlank, systemTextsOf, toArguments, toTurns } from "../turns";

/** An id of a call. https://docs.anthropic.com/en/api/messages */
const callId = /^[a-zA-Z0-9_-]{1,64}$/;

/** The body of a Messages request: system text apart, results of parallel tool calls in one user turn. */
export function toMessagesRequest(request: ModelRequest): MessageCreateParamsStreaming {
  const system = systemTextsOf(request.messages).join("\n\n");
  const writer = toWriter("anthropic", request.model);
  const turns = toTurns(
    withPlainCalls(withCurrentThinking(request.messages), callId),
    ({ role }) => (role === "assistant" ? "assistant" : "user"),
    (message) => toBlocks(message, writer),
  );
  return {
    model: request.model,
    max_tokens: request.max_tokens ?? defaultMaxTokens(request.model),
    messages: turns.map(({ role, blocks }) => ({ role: role === "assistant" ? role : "user", content: blocks })),
    stream: true,
    ...(!isBlank(system) && { system }),
    ...toTools(request),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.output_schema && {
      output_config: { format: { type: "json_schema" as const, schema: closeForClaude(request.output_schema).schema } },
    }),
  };
}

/**
 * Thinking belongs to the turn that is being answered. That of earlier turns may have been written under other instructions or
 * with other tools, after a handoff for instance, to which Claude binds it, and may be left out.
 */
function withCurrentThinking(messages: readonly Message[]): Message[] {
  const start = messages.findLastIndex(({ role }) => role === "user");
  return messages.map((message, index) => (index > start ? message : withoutWritten(message)));
}

/** A schema as Claude enforces it; keywords that it refuses become a part of the descriptions. */
export function closeForClaude(schema: JsonSchema): ClosedSchema {
  const closed = closeSchema(schema, { requiresAll: false });
  return { ...closed, schema: transformJSONSchema(closed.schema) };
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
  const past = new Set(withPlainCalls(messages, callId).flatMap(namesOfTools));
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

const toInputSchema = (parameters: JsonSchema) => ({ ...toToolParameters(parameters), type: "object" as const });

function toBlocks(message: Exclude<Message, { role: "system" }>, writer: string): ContentBlockParam[] {
  const { content } = message;
  if (message.role === "assistant") return toPieces(message, writer).flatMap(toBlock);
  if (message.role === "user") return isBlank(content) ? [] : [{ type: "text", text: content }];
  return [
    {
      type: "tool_result",
      tool_use_id: message.toolCallId,
      ...(!isBlank(content) && { content }),
      ...(message.isError && { is_error: true }),
    },
  ];
}

function toBlock(piece: MessagePiece): ContentBlockParam[] {
  if (piece.type === "own") return isThinking(piece.value) ? [piece.value] : [];
  if (piece.type === "text") return isBlank(piece.text) ? [] : [{ type: "text", text: piece.text }];
  const { id, name, arguments: text } = piece.call;
  return [{ type: "tool_use", id, name, input: toArguments(text) }];
}

const isThinking = (value: JsonObject): value is JsonObject & (ThinkingBlockParam | RedactedThinkingBlockParam) =>
  value.type === "thinking" || value.type === "redacted_thinking";
