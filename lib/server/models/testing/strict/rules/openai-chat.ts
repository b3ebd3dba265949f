import "server-only";
import { textOf } from "../../../json";
import { findMisnamed, findOrphan, findUnanswered, findUnknown, messagesOf } from "../chat-conversation";
import { callsOf, isSet, objectOf, objectsIn, quote, toolsOf } from "../read-body";
import { type Refusal, type StrictRule, toRefusal } from "../strict-rule";
import { effortsOf, openAiFamilies } from "./openai-families";
import { findParametersFault, findStrictFault } from "./strict-schema";

/** https://platform.openai.com/docs/api-reference/chat/create */
const bodyFields = new Set([
  ...["audio", "frequency_penalty", "function_call", "functions", "logit_bias", "logprobs", "max_completion_tokens"],
  ...["max_tokens", "messages", "metadata", "modalities", "model", "n", "parallel_tool_calls", "prediction"],
  ...["presence_penalty", "prompt_cache_key", "prompt_cache_retention", "reasoning_effort", "response_format"],
  ...["safety_identifier", "seed", "service_tier", "stop", "store", "stream", "stream_options", "temperature"],
  ...["tool_choice", "tools", "top_logprobs", "top_p", "user", "verbosity", "web_search_options"],
]);

const unsupported = (name: string, hint = ""): Refusal =>
  toRefusal(`Unsupported parameter: '${name}' is not supported with this model.${hint}`, name, "unsupported_parameter");

export const openAiChatRules: readonly StrictRule[] = [
  {
    id: "openai-chat/responses-only",
    models: openAiFamilies.responsesOnly,
    refused: "models of the Responses API alone (`*-pro`, `*-codex`): 404",
    source: "docker/docker-agent#313",
    seen: "2026-08",
    find: () => ({
      status: 404,
      message: "This model is only supported in v1/responses and not in v1/chat/completions.",
      param: "model",
    }),
  },
  {
    id: "openai-chat/unknown-fields",
    refused: "a field that it does not know",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    seen: "2026-08",
    find: ({ body }) => {
      const unknown = findUnknown(body, bodyFields);
      return unknown === null ? null : toRefusal(`Unknown parameter: '${unknown}'.`, unknown, "unknown_parameter");
    },
  },
  {
    id: "openai-chat/tools-with-reasoning",
    models: openAiFamilies.toolsAtRest,
    refused:
      "`tools` without `reasoning_effort: none`, also where no effort is sent (from GPT-5.5 on); of GPT-6 Astra and GPT-6.1 `tools` at all",
    source: "BerriAI/litellm#34569",
    seen: "2026-09",
    find: ({ body, model }) =>
      toolsOf(body).length > 0 && (body.reasoning_effort !== "none" || openAiFamilies.toolsNever.test(model))
        ? toRefusal(
            `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
            "reasoning_effort",
          )
        : null,
  },
  {
    id: "openai-chat/effort",
    refused: "a `reasoning_effort` that the model does not have; models that do not think have none",
    source: "egoist/chatwise-releases#1257",
    seen: "2026-09",
    find: ({ body, model }) => {
      const effort = textOf(body.reasoning_effort);
      if (effort === undefined) return null;
      if (openAiFamilies.plain.test(model))
        return { message: "Unrecognized request argument supplied: reasoning_effort" };
      const known = effortsOf(model)?.filter((value) => value !== "max");
      return known && !known.includes(effort)
        ? toRefusal(
            `Unsupported value: 'reasoning_effort' does not support '${effort}' with this model. Supported values are: ${known.map((value) => `'${value}'`).join(", ")}.`,
            "reasoning_effort",
            "unsupported_value",
          )
        : null;
    },
  },
  {
    id: "openai-chat/temperature",
    models: openAiFamilies.thinking,
    refused: "`temperature` other than 1 while the model thinks",
    source: "khoj-ai/khoj#1377",
    seen: "2026-07",
    find: ({ body, model }) => {
      const rests = openAiFamilies.mayRest.test(model) && body.reasoning_effort === "none";
      return isSet(body.temperature) && body.temperature !== 1 && !rests
        ? toRefusal(
            `Unsupported value: 'temperature' does not support ${quote(body.temperature)} with this model. Only the default (1) value is supported.`,
            "temperature",
            "unsupported_value",
          )
        : null;
    },
  },
  {
    id: "openai-chat/max-tokens",
    models: openAiFamilies.thinking,
    refused: "`max_tokens`; its name is `max_completion_tokens`",
    source: "langgenius/dify#24307",
    seen: "2026-08",
    find: ({ body }) =>
      isSet(body.max_tokens) ? unsupported("max_tokens", " Use 'max_completion_tokens' instead.") : null,
  },
  {
    id: "openai-chat/parallel-tool-calls",
    models: /^o\d/,
    refused: "`parallel_tool_calls`, of either value",
    source: "run-llama/llama_index#20865",
    seen: "2026-03",
    find: ({ body }) => (isSet(body.parallel_tool_calls) ? unsupported("parallel_tool_calls") : null),
  },
  {
    id: "openai-chat/stop",
    models: /^(?:o\d|gpt-5(?:\.[1-4])?(?:-|$))/,
    refused: "`stop`",
    source: "huggingface/smolagents#1671",
    seen: "2025-08",
    find: ({ body }) => (isSet(body.stop) ? unsupported("stop") : null),
  },
  {
    id: "openai-chat/system-role",
    models: openAiFamilies.withoutSystem,
    refused: "the roles `system` and `developer`",
    source: "pydantic/pydantic-ai#974",
    seen: "2025-10",
    find: ({ body }) => {
      const index = messagesOf(body).findIndex(({ role }) => role === "system" || role === "developer");
      return index < 0
        ? null
        : toRefusal(
            `Unsupported value: 'messages[${index}].role' does not support '${textOf(messagesOf(body)[index]?.role) ?? ""}' with this model.`,
            `messages[${index}].role`,
            "unsupported_value",
          );
    },
  },
  {
    id: "openai-chat/no-messages",
    refused: "no message",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    seen: "2026-08",
    find: ({ body }) =>
      messagesOf(body).length === 0
        ? toRefusal(
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
            "messages",
            "empty_array",
          )
        : null,
  },
  {
    id: "openai-chat/content",
    refused: "a message without content, but for one of the assistant with tool calls; an empty text is taken",
    source: "docker/docker-agent#63",
    seen: "2026-08",
    find: ({ body }) => {
      const index = messagesOf(body).findIndex((message) => !isSet(message.content) && callsOf(message).length === 0);
      return index < 0
        ? null
        : toRefusal("Invalid value for 'content': expected a string, got null.", `messages.[${index}].content`);
    },
  },
  {
    id: "openai-chat/unanswered-calls",
    refused: "tool calls that the tool messages right after them do not all answer",
    source: "router-for-me/CLIProxyAPI#2798",
    seen: "2026-08",
    find: ({ body }) => {
      const open = findUnanswered(messagesOf(body));
      return open
        ? toRefusal(
            `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.id}`,
            `messages.[${open.index + 1}].role`,
          )
        : null;
    },
  },
  {
    id: "openai-chat/orphans",
    refused: "a tool message that answers no call of the message before it",
    source: "miurla/morphic#136",
    seen: "2026-08",
    find: ({ body }) => {
      const orphan = findOrphan(messagesOf(body));
      return orphan
        ? toRefusal(
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
            `messages.[${orphan.index}].role`,
          )
        : null;
    },
  },
  {
    id: "openai-chat/tool-names",
    refused: "a name of a tool, also of a past call, that does not match `^[a-zA-Z0-9_-]{1,64}$`",
    source: "mcp-use/mcp-use#90",
    seen: "2026-05",
    find: ({ body }) => {
      const misnamed = findMisnamed(body, /^[a-zA-Z0-9_-]{1,64}$/);
      const place =
        misnamed && misnamed.index >= 0
          ? `tools[${misnamed.index}].function.name`
          : "messages[9].tool_calls[0].function.name";
      return misnamed
        ? toRefusal(
            `Invalid '${place}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
            place,
            "invalid_value",
          )
        : null;
    },
  },
  {
    id: "openai-chat/tools",
    refused: "an empty list as `tools`, or more than 128",
    source: "musistudio/claude-code-router#686",
    seen: "2025-08",
    find: ({ body }) => {
      if (!Array.isArray(body.tools)) return null;
      if (body.tools.length === 0)
        return toRefusal(
          "Invalid 'tools': empty array. Expected an array with minimum length 1, but got an empty array instead.",
          "tools",
          "empty_array",
        );
      return body.tools.length > 128
        ? toRefusal(
            `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${body.tools.length} instead.`,
            "tools",
            "array_above_max_length",
          )
        : null;
    },
  },
  {
    id: "openai-chat/choice-without-tools",
    refused: "`tool_choice` or `parallel_tool_calls` without tools",
    source: "dapr/dapr-agents#248",
    seen: "2026-01",
    find: ({ body }) => {
      const name = ["tool_choice", "parallel_tool_calls"].find((parameter) => isSet(body[parameter]));
      return name !== undefined && toolsOf(body).length === 0
        ? toRefusal(`Invalid value for '${name}': '${name}' is only allowed when 'tools' are specified.`, name)
        : null;
    },
  },
  {
    id: "openai-chat/tool-parameters",
    refused:
      "parameters of a tool that are no object with `properties`, or have a list without `items`; with `strict` also those that structured outputs refuse",
    source: "spring-projects/spring-ai#4776",
    seen: "2026-08",
    find: ({ body }) => {
      for (const [index, { name, parameters, strict, isFunction }] of toolsOf(body).entries()) {
        if (!isFunction) continue;
        const fault = findParametersFault(parameters) ?? (strict === true ? findStrictFault(parameters) : null);
        if (fault !== null)
          return toRefusal(
            `Invalid schema for function '${name}': ${fault}`,
            `tools[${index}].function.parameters`,
            "invalid_function_parameters",
          );
      }
      return null;
    },
  },
  {
    id: "openai-chat/schema",
    refused: "a schema with `strict` that structured outputs refuse",
    source: "https://platform.openai.com/docs/guides/structured-outputs",
    seen: "2026-08",
    find: ({ body }) => {
      const format = objectOf(objectOf(body.response_format).json_schema);
      const fault = format.strict === true ? findStrictFault(objectOf(format.schema)) : null;
      return fault === null
        ? null
        : toRefusal(`Invalid schema for response_format '${textOf(format.name) ?? ""}': ${fault}`, "response_format");
    },
  },
  {
    id: "openai-chat/json-word",
    refused: '`response_format` of type `json_object`, where no message has the word "json"',
    source: "https://platform.openai.com/docs/guides/structured-outputs",
    seen: "2026-05",
    find: ({ body }) =>
      objectOf(body.response_format).type === "json_object" && !/json/i.test(JSON.stringify(body.messages))
        ? toRefusal(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
            "messages",
          )
        : null,
  },
  {
    id: "openai-chat/stream-options",
    refused: "`stream_options` without `stream`",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    seen: "2026-08",
    find: ({ body }) =>
      isSet(body.stream_options) && body.stream !== true
        ? toRefusal("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options")
        : null,
  },
  {
    id: "openai-chat/images",
    refused: "an image in a message that is not the user's",
    source: "https://platform.openai.com/docs/api-reference/chat/create",
    seen: "2026-05",
    find: ({ body }) => {
      const index = messagesOf(body).findIndex(
        ({ role, content }) => role !== "user" && objectsIn(content).some(({ type }) => type === "image_url"),
      );
      return index < 0
        ? null
        : toRefusal(
            `Invalid 'messages[${index}]'. Image URLs are only allowed for messages with role 'user', but this message with role '${textOf(messagesOf(body)[index]?.role) ?? ""}' contains an image URL.`,
            `messages[${index}]`,
          );
    },
  },
];
