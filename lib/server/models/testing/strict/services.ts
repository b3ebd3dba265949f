import "server-only";
import { isObject, type JsonObject } from "../../json";
import { suggestModels } from "../../pricing/catalogue";
import { objectOf, objectsIn } from "./read-body";
import { anthropicRules } from "./rules/anthropic";
import { deepSeekRules } from "./rules/deepseek";
import { glmRules } from "./rules/glm";
import { googleRules } from "./rules/google";
import { groqRules } from "./rules/groq";
import { kimiRules } from "./rules/kimi";
import { llamaCppRules } from "./rules/llama-cpp";
import { lmStudioRules } from "./rules/lm-studio";
import { minimaxRules } from "./rules/minimax";
import { mistralRules } from "./rules/mistral";
import { ollamaRules } from "./rules/ollama";
import { openRouterRules } from "./rules/open-router";
import { openAiChatRules } from "./rules/openai-chat";
import { openAiResponsesRules } from "./rules/openai-responses";
import { qwenRules } from "./rules/qwen";
import { vllmRules } from "./rules/vllm";
import { xaiRules } from "./rules/xai";
import type { Refusal } from "./strict-rule";
import type { StrictService } from "./strict-server";

const schemaOrNull = (value: unknown): JsonObject | null => (isObject(value) ? value : null);

const toOpenAiError = ({ message, code, param }: Refusal): JsonObject => ({
  error: { message, type: "invalid_request_error", param: param ?? null, code: code ?? null },
});

const chat = {
  provider: "compatible",
  basePath: "/v1",
  endpoint: /^\/v1\/chat\/completions$/,
  toError: toOpenAiError,
  schemaIn: (body: JsonObject) => schemaOrNull(objectOf(objectOf(body.response_format).json_schema).schema),
} satisfies Partial<StrictService>;

/** Nine letters and digits, as Mistral makes them. */
const toMistralId = (nth: number): string => `m${nth.toString(36).padStart(8, "0")}`;

/** The signature that Gemini 3 puts on the first call of a step. */
function signFirstCall(event: JsonObject): JsonObject {
  const candidates = objectsIn(event.candidates).map((candidate) => {
    const content = objectOf(candidate.content);
    const parts = objectsIn(content.parts);
    const first = parts.findIndex(({ functionCall }) => isObject(functionCall));
    const signed = parts.map((part, index) =>
      index === first ? { ...part, thoughtSignature: `strict-signature-${index}` } : part,
    );
    return { ...candidate, content: { ...content, parts: signed } };
  });
  return { ...event, candidates };
}

/** Every service, by the name that its rules begin with. */
export const strictServices: ReadonlyMap<string, StrictService> = new Map<string, StrictService>(
  Object.entries({
    "openai-responses": {
      label: "OpenAI, Responses",
      provider: "openai",
      basePath: "/v1",
      endpoint: /^\/v1\/responses$/,
      models: { current: suggestModels("openai")[0] ?? "", older: "gpt-4.1-mini" },
      rules: openAiResponsesRules,
      thinks: /^(?:o\d|gpt-[5-9])/,
      toError: toOpenAiError,
      schemaIn: (body) => schemaOrNull(objectOf(objectOf(body.text).format).schema),
    },
    "openai-chat": {
      ...chat,
      label: "OpenAI, Chat Completions",
      provider: "openai",
      models: { current: "gpt-6-sol", older: "gpt-4o" },
      rules: openAiChatRules,
      learns: ["openai-chat/tools-with-reasoning"],
    },
    anthropic: {
      label: "Anthropic",
      provider: "anthropic",
      basePath: "",
      endpoint: /^\/v1\/messages/,
      models: { current: suggestModels("anthropic")[0] ?? "", older: "claude-haiku-4-5" },
      rules: anthropicRules,
      thinks: /-[4-9]/,
      toCallId: (nth) => `toolu_${String(nth).padStart(22, "0")}`,
      toError: ({ message }) => ({
        type: "error",
        error: { type: "invalid_request_error", message },
        request_id: "req_1",
      }),
      schemaIn: (body) => schemaOrNull(objectOf(objectOf(body.output_config).format).schema),
    },
    google: {
      label: "Google Gemini",
      provider: "google",
      basePath: "",
      endpoint: /^\/v1beta\/models\/[^/]+:streamGenerateContent/,
      models: { current: suggestModels("google")[0] ?? "", older: "gemini-2.5-flash-lite" },
      rules: googleRules,
      thinks: /gemini-(?:2\.5|[3-9])/,
      toError: ({ message, status }) => ({ error: { code: status, message, status: "INVALID_ARGUMENT" } }),
      alter: signFirstCall,
      schemaIn: (body) => schemaOrNull(objectOf(body.generationConfig).responseJsonSchema),
    },
    deepseek: {
      ...chat,
      label: "DeepSeek",
      models: { current: "deepseek-v4-pro", older: "deepseek-reasoner" },
      rules: deepSeekRules,
      learns: ["deepseek/json-schema", "deepseek/reasoning-content"],
      thinks: /deepseek-(?:v4|reasoner)/,
    },
    kimi: {
      ...chat,
      label: "Moonshot Kimi",
      models: { current: "kimi-k3", older: "moonshot-v1-32k" },
      rules: kimiRules,
      learns: ["kimi/reasoning-content"],
      thinks: /kimi-k/,
      toCallId: (nth, name) => `functions.${name}:${nth}`,
    },
    mistral: {
      ...chat,
      label: "Mistral",
      models: { current: "mistral-large-latest", older: "open-mistral-7b" },
      rules: mistralRules,
      learns: ["mistral/include-usage", "mistral/text-beside-calls"],
      toCallId: toMistralId,
      toError: ({ message, status, code }) => ({
        ...{ object: "error", message, type: "invalid_request_error", param: null },
        ...{ code: code ?? null, raw_status_code: status },
      }),
    },
    openrouter: {
      ...chat,
      label: "OpenRouter",
      models: { current: "google/gemini-3-flash-preview", older: "meta-llama/llama-3.3-70b-instruct" },
      rules: openRouterRules,
      thinks: /gemini-3/,
      toError: ({ message, status, param }) => ({
        error: { message, code: status, ...(param && { metadata: { raw: param } }) },
      }),
      alter: addReasoningDetails,
    },
    vllm: {
      ...chat,
      label: "vLLM",
      models: { current: "Qwen/Qwen3-32B", older: "google/gemma-2-9b-it" },
      rules: vllmRules,
      thinks: /Qwen3/,
      toCallId: (nth) => `chatcmpl-tool-${nth.toString(16).padStart(32, "0")}`,
      toError: ({ message, status, param }) => ({
        error: { message, type: "BadRequestError", param: param ?? null, code: status },
      }),
    },
    "llama-cpp": {
      ...chat,
      label: "llama.cpp",
      models: { current: "qwen3-8b", older: "gemma-2-9b" },
      rules: llamaCppRules,
      thinks: /qwen3|gpt-oss/,
      toError: ({ message, status }) => ({
        error: { code: status, message, type: status < 500 ? "invalid_request_error" : "server_error" },
      }),
    },
    groq: {
      ...chat,
      label: "Groq",
      models: { current: "openai/gpt-oss-120b", older: "llama-3.3-70b-versatile" },
      rules: groqRules,
      learns: ["groq/json-with-tools", "groq/json-schema"],
      thinks: /gpt-oss/,
      toError: ({ message }) => ({ error: { message, type: "invalid_request_error" } }),
      alter: nameReasoning,
    },
    xai: {
      ...chat,
      label: "xAI",
      models: { current: "grok-4.6", older: "grok-3" },
      rules: xaiRules,
      thinks: /grok-4/,
      toError: ({ message }) => ({ code: "Client specified an invalid argument", error: message }),
    },
    qwen: {
      ...chat,
      label: "Qwen (DashScope)",
      models: { current: "qwen3.7-plus", older: "qwen3-235b-a22b-thinking-2507" },
      rules: qwenRules,
      learns: ["qwen/json-while-thinking"],
      thinks: /qwen3/,
      toError: ({ message }) => ({
        error: { message, type: "invalid_request_error", param: null, code: "invalid_parameter_error" },
        ...{ id: "chatcmpl-1", request_id: "1" },
      }),
    },
    glm: {
      ...chat,
      label: "GLM (Z.ai)",
      models: { current: "glm-5.3", older: "glm-4.5-air" },
      rules: glmRules,
      thinks: /glm/,
      toError: ({ message, code }) => ({ error: { code: code ?? "1210", message } }),
    },
    minimax: {
      ...chat,
      label: "MiniMax",
      models: { current: "MiniMax-M3", older: "MiniMax-M2" },
      rules: minimaxRules,
      toCallId: (nth) => `call_function_${nth.toString(36).padStart(12, "0")}_1`,
      toError: ({ message, status }) => ({
        ...{ type: "error", error: { type: "bad_request_error", message, http_code: String(status) } },
        ...{ request_id: "1" },
      }),
    },
    ollama: {
      ...chat,
      label: "Ollama",
      models: { current: "qwen3:8b", older: "llama3.1:8b" },
      rules: ollamaRules,
      thinks: /qwen3/,
      toCallId: (nth) => `call_${nth.toString(36).padStart(8, "0")}`,
      toError: ({ message }) => ({ error: { message, type: "api_error", param: null, code: null } }),
      alter: nameReasoning,
    },
    "lm-studio": {
      ...chat,
      label: "LM Studio",
      models: { current: "qwen/qwen3.6-35b-a3b", older: "openai/gpt-oss-20b" },
      rules: lmStudioRules,
      thinks: /qwen3|gpt-oss/,
      toCallId: (nth) => String(nth).padStart(9, "0"),
      toError: ({ message }) => ({ error: message }),
    },
  } satisfies Record<string, StrictService>),
);

/** Groq and Ollama send thinking as `reasoning`. */
function nameReasoning(event: JsonObject): JsonObject {
  const choices = objectsIn(event.choices).map((choice) => {
    const { reasoning_content: text, ...delta } = objectOf(choice.delta);
    return typeof text === "string" ? { ...choice, delta: { ...delta, reasoning: text } } : choice;
  });
  return { ...event, choices };
}

/** OpenRouter gives a text of thinking as a list of details, too, which is what goes back. */
function addReasoningDetails(event: JsonObject): JsonObject {
  const choices = objectsIn(event.choices).map((choice) => {
    const { reasoning_content: text, ...delta } = objectOf(choice.delta);
    if (typeof text !== "string") return choice;
    const details = [{ type: "reasoning.text", text, format: "google-gemini-v1", index: 0 }];
    return { ...choice, delta: { ...delta, reasoning: text, reasoning_details: details } };
  });
  return { ...event, choices };
}
