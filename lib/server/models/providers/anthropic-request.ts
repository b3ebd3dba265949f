import "server-only";
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
} from "@anthropic-ai/sdk/resources/messages";
import type { JsonSchema } from "@/lib/core/flow/flow";
import type { AssistantMessage, Message } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { isObject, parseJson } from "../json";
import { defaultMaxTokens } from "../pricing/catalogue";

/** The body of a Messages request: system text apart, results of parallel tool calls in one user turn. */
export function toMessagesRequest(request: ModelRequest): MessageCreateParamsStreaming {
  const system = request.messages.filter((message) => message.role === "system").map((message) => message.content);
  return {
    model: request.model,
    max_tokens: request.max_tokens ?? defaultMaxTokens(request.model),
    messages: toTurns(request.messages),
    stream: true,
    ...(system.some((text) => text.trim() !== "") && { system: system.join("\n\n") }),
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

/** User and assistant take turns, the user begins, and no text is blank: the service refuses anything else. */
function toTurns(messages: readonly Message[]): MessageParam[] {
  const turns: { role: "user" | "assistant"; content: ContentBlockParam[] }[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const role = message.role === "assistant" ? "assistant" : "user";
    const blocks = toBlocks(message);
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else if (blocks.length > 0) turns.push({ role, content: blocks });
  }
  if (turns[0]?.role !== "user") turns.unshift({ role: "user", content: [text("(no input)")] });
  return turns;
}

const text = (content: string) => ({ type: "text" as const, text: content });
const textBlocks = (content: string) => (content.trim() === "" ? [] : [text(content)]);

function toBlocks(message: Exclude<Message, { role: "system" }>): ContentBlockParam[] {
  switch (message.role) {
    case "user":
      return [text(message.content.trim() === "" ? "(no input)" : message.content)];
    case "assistant":
      return [...textBlocks(message.content), ...toolUses(message)];
    case "tool":
      return [
        {
          type: "tool_result",
          tool_use_id: message.toolCallId,
          ...(message.content.trim() !== "" && { content: message.content }),
          ...(message.isError && { is_error: true }),
        },
      ];
  }
}

/** Arguments that are no JSON object, as a model wrote them, are sent back as an empty one; the tool's error explains why. */
const toolUses = (message: AssistantMessage): ContentBlockParam[] =>
  (message.toolCalls ?? []).map(({ id, name, arguments: argumentText }) => {
    const input = parseJson(argumentText);
    return { type: "tool_use", id, name, input: isObject(input) ? input : {} };
  });
