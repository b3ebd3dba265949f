import "server-only";
import type { Content, GenerateContentConfig, GenerateContentParameters, Part } from "@google/genai";
import type { DroppedParameter } from "@/lib/core/run/events/events";
import type { AssistantMessage, Message } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { isObject, parseJson } from "../json";

/** The request of a `generateContent` call: system text apart, results of parallel tool calls in one user content. */
export function toGenerateRequest(request: ModelRequest): GenerateContentParameters {
  const isOld = isBeforeGemini3(request.model);
  const asksForFormat = isFormatAskedFor(request);
  const system = request.messages.filter((message) => message.role === "system").map((message) => message.content);
  if (asksForFormat) system.push(askForFormat(JSON.stringify(request.output_schema)));
  const config: GenerateContentConfig = {
    ...(system.some((text) => text.trim() !== "") && { systemInstruction: { parts: [{ text: system.join("\n\n") }] } }),
    ...(request.tools.length > 0 && {
      tools: [
        {
          functionDeclarations: request.tools.map(({ name, description, parameters }) => ({
            name,
            description,
            parametersJsonSchema: parameters,
          })),
        },
      ],
    }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.max_tokens !== undefined && { maxOutputTokens: request.max_tokens }),
    ...(request.output_schema &&
      !asksForFormat && { responseMimeType: "application/json", responseJsonSchema: request.output_schema }),
  };
  return { model: request.model, contents: toContents(request.messages, isOld), config };
}

/** What the request leaves out although it was asked for. */
export const findDropped = (request: ModelRequest): DroppedParameter[] =>
  isFormatAskedFor(request)
    ? [
        {
          parameter: "responseJsonSchema",
          reason: `${request.model} takes no schema for its answer beside tools, so its instructions ask for it in words.`,
        },
      ]
    : [];

/** Gemini 2 and older answer 400 to a response format beside tools: there the instructions ask for it. */
const isFormatAskedFor = ({ output_schema, model, tools }: ModelRequest): boolean =>
  output_schema !== undefined && isBeforeGemini3(model) && tools.length > 0;

const isBeforeGemini3 = (model: string): boolean => /gemini-(?:[12](?![0-9])|(?:pro|flash)-1)/.test(model);

const askForFormat = (schema: string): string =>
  `Your last answer is JSON and nothing else, without a code fence, valid by this JSON Schema: ${schema}`;

/** A conversation begins with the user, results follow their calls, and no content is empty: Gemini refuses anything else. */
function toContents(messages: readonly Message[], isOld: boolean): Content[] {
  const turns: { role: Message["role"]; parts: Part[] }[] = [];
  for (const message of messages) {
    if (message.role === "system") continue;
    const contentParts = toParts(message, isOld);
    const last = turns.at(-1);
    if (last?.role === message.role) last.parts.push(...contentParts);
    else if (contentParts.length > 0) turns.push({ role: message.role, parts: contentParts });
  }
  if (turns[0]?.role !== "user") turns.unshift({ role: "user", parts: [noInput] });
  return turns.map(({ role, parts: contentParts }) => ({
    role: role === "assistant" ? "model" : "user",
    parts: contentParts,
  }));
}

const noInput: Part = { text: "(no input)" };

function toParts(message: Exclude<Message, { role: "system" }>, isOld: boolean): Part[] {
  switch (message.role) {
    case "user":
      return [message.content.trim() === "" ? noInput : { text: message.content }];
    case "assistant":
      return [...(message.content.trim() === "" ? [] : [{ text: message.content }]), ...toCallParts(message, isOld)];
    case "tool": {
      const { toolCallId: id, name, content, isError } = message;
      return [{ functionResponse: { id, name, response: isError ? { error: content } : { output: content } } }];
    }
  }
}

/**
 * The substitute for the signature of calls that Gemini did not make, or that were kept without it: since Gemini 3 the
 * first call of a turn without any is refused. https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const noSignature = "skip_thought_signature_validator";

/** Arguments that are no JSON object, as a model wrote them, are sent back as an empty one; the tool's error explains why. */
function toCallParts({ toolCalls = [] }: AssistantMessage, isOld: boolean): Part[] {
  const isSigned = isOld || toolCalls.some((call) => call.providerData?.thoughtSignature !== undefined);
  return toolCalls.map(({ id, name, arguments: argumentText, providerData }, position) => {
    const args = parseJson(argumentText);
    const thoughtSignature = providerData?.thoughtSignature ?? (position === 0 && !isSigned ? noSignature : undefined);
    return {
      functionCall: { id, name, args: isObject(args) ? args : {} },
      ...(thoughtSignature !== undefined && { thoughtSignature }),
    };
  });
}
