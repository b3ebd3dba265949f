import "server-only";
import type { GenerateContentConfig, GenerateContentParameters, Part } from "@google/genai";
import type { DroppedParameter } from "@/lib/core/run/events/events";
import type { AssistantMessage, Message } from "@/lib/core/run/events/messages";
import type { ModelRequest, ToolSpec } from "@/lib/core/run/ports/model";
import { withPlainCalls } from "../call/call-names";
import { toToolParameters } from "../schema/tool-parameters";
import { isBlank, systemTextsOf, toArguments, toTurns } from "../turns";

/** Of a call whose id another one has the id is made anew. */
const anyId = /^./s;

/** The request of a `generateContent` call: system text apart, results of parallel tool calls in one user content. */
export function toGenerateRequest(request: ModelRequest): GenerateContentParameters {
  const isOld = isBeforeGemini3(request.model);
  const asksForFormat = isFormatAskedFor(request);
  const texts = systemTextsOf(request.messages);
  if (asksForFormat) texts.push(askForFormat(JSON.stringify(request.output_schema)));
  const system = texts.join("\n\n");
  const config: GenerateContentConfig = {
    ...(!isBlank(system) && { systemInstruction: { parts: [{ text: system }] } }),
    ...(request.tools.length > 0 && { tools: [{ functionDeclarations: request.tools.map(toDeclaration) }] }),
    ...(request.temperature !== undefined && { temperature: request.temperature }),
    ...(request.max_tokens !== undefined && { maxOutputTokens: request.max_tokens }),
    ...(request.output_schema &&
      !asksForFormat && { responseMimeType: "application/json", responseJsonSchema: request.output_schema }),
  };
  const turns = toTurns(
    withPlainCalls(request.messages, anyId),
    ({ role }) => role,
    (message) => toParts(message, isOld),
  );
  const contents = turns.map(({ role, blocks }) => ({ role: role === "assistant" ? "model" : "user", parts: blocks }));
  return { model: request.model, contents, config };
}

const toDeclaration = ({ name, description, parameters }: ToolSpec) => ({
  name,
  description,
  parametersJsonSchema: toToolParameters(parameters),
});

/** What the request leaves out although it was asked for. */
export function findDropped(request: ModelRequest): DroppedParameter[] {
  if (!isFormatAskedFor(request)) return [];
  const reason = `${request.model} takes no schema for its answer beside tools, so its instructions ask for it in words.`;
  return [{ parameter: "responseJsonSchema", reason }];
}

/** Gemini 2 and older answer 400 to a response format beside tools: there the instructions ask for it. */
const isFormatAskedFor = ({ output_schema, model, tools }: ModelRequest): boolean =>
  output_schema !== undefined && isBeforeGemini3(model) && tools.length > 0;

const isBeforeGemini3 = (model: string): boolean => /gemini-(?:[12](?![0-9])|(?:pro|flash)-1)/.test(model);

const askForFormat = (schema: string): string =>
  `Your last answer is JSON and nothing else, without a code fence, valid by this JSON Schema: ${schema}`;

function toParts(message: Exclude<Message, { role: "system" }>, isOld: boolean): Part[] {
  const { content } = message;
  if (message.role === "tool") {
    const { toolCallId: id, name, isError } = message;
    return [{ functionResponse: { id, name, response: isError ? { error: content } : { output: content } } }];
  }
  const callParts = message.role === "assistant" ? toCallParts(message, isOld) : [];
  return [...(isBlank(content) ? [] : [{ text: content }]), ...callParts];
}

/**
 * The substitute for the signature of calls that Gemini did not make, or that were kept without it: since Gemini 3 the
 * first call of a turn without any is refused. https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const noSignature = "skip_thought_signature_validator";

function toCallParts({ toolCalls = [] }: AssistantMessage, isOld: boolean): Part[] {
  const isSigned = isOld || toolCalls.some((call) => call.providerData?.thoughtSignature !== undefined);
  return toolCalls.map(({ id, name, arguments: argumentText, providerData }, position) => {
    const thoughtSignature = providerData?.thoughtSignature ?? (position === 0 && !isSigned ? noSignature : undefined);
    return {
      functionCall: { id, name, args: toArguments(argumentText) },
      ...(thoughtSignature !== undefined && { thoughtSignature }),
    };
  });
}
