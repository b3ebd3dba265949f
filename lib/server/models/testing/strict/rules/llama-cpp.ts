import "server-only";
import { parseJson, textOf } from "../../../json";
import { hasTextBesideThinking, messagesOf } from "../chat-conversation";
import { callsOf, isSet, objectOf, objectsIn } from "../read-body";
import type { StrictRule } from "../strict-rule";

const source = "https://github.com/ggml-org/llama.cpp/blob/master/tools/server/server-common.cpp";
const seen = "2026-03";
const formats: ReadonlySet<unknown> = new Set(["text", "json_object", "json_schema"]);
const parts: ReadonlySet<unknown> = new Set(["text", "image_url", "input_audio"]);

export const llamaCppRules: readonly StrictRule[] = [
  {
    id: "llama-cpp/tools-without-jinja",
    models: /:no-tools/,
    refused: "`tools`, where it was started without `--jinja`: 500",
    source,
    seen,
    find: ({ body }) => (isSet(body.tools) ? { status: 500, message: "tools param requires --jinja flag" } : null),
  },
  {
    id: "llama-cpp/prefill",
    models: /qwen3|gpt-oss|deepseek/,
    refused: "a conversation that ends with the assistant, where the template thinks",
    source,
    seen,
    find: ({ body }) =>
      messagesOf(body).at(-1)?.role === "assistant"
        ? "Assistant response prefill is incompatible with enable_thinking."
        : null,
  },
  {
    id: "llama-cpp/two-answers-last",
    refused: "two messages of the assistant at the end",
    source,
    seen,
    find: ({ body }) =>
      messagesOf(body)
        .slice(-2)
        .filter(({ role }) => role === "assistant").length === 2
        ? "Cannot have 2 or more assistant messages at the end of the list."
        : null,
  },
  {
    id: "llama-cpp/content",
    refused: "a message without `content`, of the assistant without `tool_calls`, too; `null` is taken",
    source,
    seen,
    find: ({ body }) => {
      for (const message of messagesOf(body)) {
        if ("content" in message) continue;
        if (message.role !== "assistant") return "All non-assistant messages must contain 'content'";
        if (callsOf(message).length === 0) return "Assistant message must contain either 'content' or 'tool_calls'!";
      }
      return null;
    },
  },
  {
    id: "llama-cpp/parts",
    refused: "a part of a message that is neither text nor an image nor sound",
    source,
    seen,
    find: ({ body }) =>
      messagesOf(body).some(({ content }) => objectsIn(content).some(({ type }) => !parts.has(type)))
        ? "unsupported content[].type"
        : null,
  },
  {
    id: "llama-cpp/response-format",
    refused: "a `response_format` of another type than `text`, `json_object` and `json_schema`",
    source,
    seen,
    find: ({ body }) => {
      const { type } = objectOf(body.response_format);
      return isSet(type) && !formats.has(type)
        ? `response_format type must be one of "text" or "json_object", but got: ${textOf(type) ?? ""}`
        : null;
    },
  },
  {
    id: "llama-cpp/text-beside-thinking",
    models: /gpt-oss/,
    refused: "a message with tool calls that has both text and thinking (template of gpt-oss): 500",
    source: "ggml-org/llama.cpp#17040",
    seen: "2025-11",
    find: ({ body }) =>
      hasTextBesideThinking(messagesOf(body))
        ? {
            status: 500,
            message:
              "Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one or the other, but not both.",
          }
        : null,
  },
  {
    id: "llama-cpp/system-first",
    models: /qwen3/,
    refused: "a system message that is not the first (templates of Qwen and others): 500",
    source: "ggml-org/llama.cpp#19851",
    seen: "2026-02",
    find: ({ body }) =>
      messagesOf(body).some(({ role }, index) => role === "system" && index > 0)
        ? { status: 500, message: "System message must be at the beginning." }
        : null,
  },
  {
    id: "llama-cpp/roles-alternate",
    models: /gemma/,
    refused: "two messages of the user in a row (templates of Gemma and others): 500",
    source: "ggml-org/llama.cpp#11402",
    seen: "2025-01",
    find: ({ body }) => {
      const roles = messagesOf(body)
        .map(({ role }) => role)
        .filter((role) => role !== "system");
      return roles.some((role, at) => role === "user" && roles[at - 1] === "user")
        ? { status: 500, message: "Conversation roles must alternate user/assistant/user/assistant/..." }
        : null;
    },
  },
  {
    id: "llama-cpp/arguments",
    refused: "arguments of a past call that are no JSON: 500",
    source,
    seen,
    find: ({ body }) => {
      const broken = messagesOf(body)
        .flatMap(callsOf)
        .find((call) => parseJson(textOf(call.arguments) ?? "") === undefined);
      return broken ? { status: 500, message: "Failed to parse tool call arguments as JSON" } : null;
    },
  },
];
