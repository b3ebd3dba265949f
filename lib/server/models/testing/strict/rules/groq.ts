import "server-only";
import { textOf } from "../../../json";
import { findUnknown, messagesOf } from "../chat-conversation";
import { isSet, objectOf, toolsOf } from "../read-body";
import type { StrictRule } from "../strict-rule";

const reference = "https://console.groq.com/docs/api-reference";

/** https://console.groq.com/docs/api-reference */
const bodyFields = new Set([
  ...["citation_options", "compound_custom", "disable_tool_validation", "documents", "exclude_domains"],
  ...["frequency_penalty", "function_call", "functions", "include_domains", "include_reasoning", "logit_bias"],
  ...["logprobs", "max_completion_tokens", "max_tokens", "messages", "metadata", "model", "n", "parallel_tool_calls"],
  ...["presence_penalty", "reasoning_effort", "reasoning_format", "response_format", "search_settings", "seed"],
  ...["service_tier", "stop", "store", "stream", "stream_options", "temperature", "tool_choice", "tools"],
  ...["top_logprobs", "top_p", "user"],
]);

const messageFields = new Set([
  ...["role", "content", "name", "tool_calls", "tool_call_id", "function_call", "reasoning"],
]);

/** The efforts that a model takes; null: not known. */
const effortsOf = (model: string): readonly string[] | null => {
  if (/qwen/.test(model)) return ["none", "default"];
  return /gpt-oss/.test(model) ? ["low", "medium", "high"] : null;
};

export const groqRules: readonly StrictRule[] = [
  {
    id: "groq/unknown-fields",
    refused: "a field that it does not know, e.g. `reasoning`",
    source: "musistudio/llms#64",
    seen: "2026-02",
    find: ({ body }) => {
      const unknown = findUnknown(body, bodyFields);
      return unknown === null ? null : `property '${unknown}' is unsupported`;
    },
  },
  {
    id: "groq/message-fields",
    refused: "a field of a message that it does not know, e.g. `reasoning_content`",
    source: "janhq/jan#8136",
    seen: "2026-09",
    find: ({ body }) => {
      for (const [index, message] of messagesOf(body).entries()) {
        const unknown = findUnknown(message, messageFields);
        if (unknown !== null)
          return `'messages.${index}' : for 'role:${textOf(message.role) ?? ""}' the following must be satisfied[('messages.${index}' : property '${unknown}' is unsupported)]`;
      }
      return null;
    },
  },
  {
    id: "groq/reasoning",
    models: /llama|kimi-k2-instruct/,
    refused: "`reasoning` of a message, for a model that does not think",
    source: "vercel/ai#8057",
    seen: "2025-08",
    find: ({ body }) => {
      const index = messagesOf(body).findIndex(({ reasoning }) => isSet(reasoning));
      return index < 0 ? null : `messages[${index}].reasoning: reasoning is not supported with this model`;
    },
  },
  {
    id: "groq/effort",
    refused:
      "a `reasoning_effort` that the model does not have: Qwen has `none` and `default`, gpt-oss `low` to `high`",
    source: "earendil-works/pi#1745",
    seen: "2026-08",
    find: ({ body, model }) => {
      const [effort, known] = [textOf(body.reasoning_effort), effortsOf(model)];
      return effort !== undefined && known !== null && !known.includes(effort)
        ? `reasoning_effort must be one of ${known.join(" or ")}`
        : null;
    },
  },
  {
    id: "groq/json-with-tools",
    refused: "a `response_format` of JSON beside `tools`",
    source: "vercel/ai#16540",
    seen: "2026-07",
    find: ({ body }) => {
      const { type } = objectOf(body.response_format);
      return toolsOf(body).length > 0 && (type === "json_object" || type === "json_schema")
        ? "json mode cannot be combined with tool/function calling"
        : null;
    },
  },
  {
    id: "groq/json-schema",
    models: /llama-3/,
    refused: "`response_format` of type `json_schema`, for a model without structured outputs",
    source: "ItzCrazyKns/Vane#980",
    seen: "2026-01",
    find: ({ body }) =>
      objectOf(body.response_format).type === "json_schema"
        ? "This model does not support response format `json_schema`. See supported models at https://console.groq.com/docs/structured-outputs#supported-models"
        : null,
  },
  {
    id: "groq/tool-count",
    refused: "more than 128 tools",
    source: reference,
    seen: "2026-04",
    find: ({ body }) => (toolsOf(body).length > 128 ? "'tools' : maximum number of items is 128" : null),
  },
  {
    id: "groq/chosen-tool",
    refused: "`tool_choice` of a tool that is not declared",
    source: "BerriAI/litellm#11001",
    seen: "2025-05",
    find: ({ body }) => {
      const name = textOf(objectOf(objectOf(body.tool_choice).function).name);
      return name === undefined || toolsOf(body).some((tool) => tool.name === name)
        ? null
        : "requested tool does not exist";
    },
  },
];
