import "server-only";
import type {
  EasyInputMessage,
  ResponseCreateParamsStreaming,
  ResponseInputItem,
  ResponseReasoningItem,
} from "openai/resources/responses/responses";
import { factsOf } from "@/lib/core/flow/model-support";
import type { DroppedParameter } from "@/lib/core/run/events/events";
import type { AssistantMessage, Message } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { withPlainCalls } from "../call/call-names";
import { type MessagePiece, toPieces, toWriter } from "../call/written-parts";
import type { JsonObject } from "../json";
import { toStrictSchema } from "../schema/strict-schema";
import { toToolParameters } from "../schema/tool-parameters";
import { isBlank, noInput, systemTextsOf } from "../turns";

/** An id of a call. https://platform.openai.com/docs/api-reference/responses/create */
const callId = /^[a-zA-Z0-9_-]{1,64}$/;

/** OpenAI refuses a lower limit of an answer. */
const leastMaxTokens = 16;

/**
 * The body of a Responses request. Nothing is stored there: the reasoning of earlier turns goes along, encrypted by OpenAI.
 * Models without reasoning refuse to be asked for it.
 */
export function toResponsesRequest(request: ModelRequest): ResponseCreateParamsStreaming {
  const { model, tools, temperature, max_tokens: maxTokens, output_schema: schema } = request;
  const instructions = systemTextsOf(request.messages).join("\n\n");
  return {
    model,
    input: toInput(request),
    stream: true,
    store: false,
    ...(!isBlank(instructions) && { instructions }),
    ...(factsOf("openai", model).supports.reasoning !== false && { include: ["reasoning.encrypted_content"] }),
    ...(tools.length > 0 && {
      // Left out it would be true here: optional parameters would become required ones.
      tools: tools.map(({ name, description, parameters }) => ({
        type: "function" as const,
        name,
        description,
        parameters: toToolParameters(parameters),
        strict: false,
      })),
    }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { max_output_tokens: Math.max(maxTokens, leastMaxTokens) }),
    ...(schema && {
      text: {
        format: { type: "json_schema" as const, name: "answer", schema: toStrictSchema(schema).schema, strict: true },
      },
    }),
  };
}

/** What the request changes of what was asked for. */
export const findRaised = ({ max_tokens: maxTokens }: ModelRequest): DroppedParameter[] =>
  maxTokens === undefined || maxTokens >= leastMaxTokens
    ? []
    : [
        {
          parameter: "max_output_tokens",
          reason: `OpenAI takes no limit below ${leastMaxTokens}, so ${leastMaxTokens} was sent in place of ${maxTokens}.`,
        },
      ];

function toInput({ messages, model }: ModelRequest): ResponseInputItem[] {
  const writer = toWriter("openai", model);
  const items = withPlainCalls(messages, callId).flatMap((message) => toItems(message, writer));
  return items.length > 0 ? items : [{ role: "user", content: noInput }];
}

function toItems(message: Message, writer: string): ResponseInputItem[] {
  switch (message.role) {
    case "system":
      return [];
    case "user":
      return [{ role: "user", content: isBlank(message.content) ? noInput : message.content }];
    case "tool":
      return [{ type: "function_call_output", call_id: message.toolCallId, output: message.content }];
    case "assistant":
      return toAssistantItems(message, writer);
  }
}

const toAssistantItems = (message: AssistantMessage, writer: string): ResponseInputItem[] =>
  toPieces(message, writer).flatMap(toItem);

function toItem(piece: MessagePiece): ResponseInputItem[] {
  if (piece.type === "own") return isReasoning(piece.value) ? [piece.value] : [];
  if (piece.type === "text") return isBlank(piece.text) ? [] : [toTextItem(piece.text, piece.phase)];
  const { id, name, arguments: text } = piece.call;
  return [{ type: "function_call", call_id: id, name, arguments: text }];
}

const toTextItem = (content: string, phase: string | undefined): EasyInputMessage => ({
  role: "assistant",
  content,
  ...(phase === "commentary" || phase === "final_answer" ? { phase } : {}),
});

const isReasoning = (value: JsonObject): value is JsonObject & ResponseReasoningItem => value.type === "reasoning";
