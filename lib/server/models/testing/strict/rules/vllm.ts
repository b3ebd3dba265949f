import "server-only";
import { isObject, textOf } from "../../../json";
import { messagesOf } from "../chat-conversation";
import { isSet, objectOf, quote, toolsOf } from "../read-body";
import type { StrictRule } from "../strict-rule";

const source = "https://github.com/vllm-project/vllm/blob/main/vllm/entrypoints/openai/chat_completion/protocol.py";
const seen = "2026-08";
const choices: ReadonlySet<unknown> = new Set(["none", "auto", "required"]);
const efforts: ReadonlySet<unknown> = new Set(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);

export const vllmRules: readonly StrictRule[] = [
  {
    id: "vllm/tools-not-enabled",
    models: /llama-2|:no-tools/i,
    refused: "`tools`, where it was started without `--enable-auto-tool-choice`",
    source: "vllm-project/vllm#30613",
    seen: "2026-06",
    find: ({ body }) =>
      isSet(body.tools) && (!isSet(body.tool_choice) || body.tool_choice === "auto")
        ? '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'
        : null,
  },
  {
    id: "vllm/no-tools",
    refused: "an empty list as `tools`",
    source,
    seen,
    find: ({ body }) =>
      Array.isArray(body.tools) && body.tools.length === 0
        ? "`tools` must not be an empty array. Either provide at least one tool or omit the field entirely."
        : null,
  },
  {
    id: "vllm/tool-choice",
    refused:
      "`tool_choice` without `tools`, of another word than `none`, `auto` and `required`, or of a tool that is not declared",
    source,
    seen,
    find: ({ body }) => {
      const choice = body.tool_choice;
      if (!isSet(choice)) return null;
      const tools = toolsOf(body);
      if (tools.length === 0 && choice !== "none") return "When using `tool_choice`, `tools` must be set.";
      if (isObject(choice)) {
        const name = textOf(objectOf(choice.function).name);
        return tools.some((tool) => tool.name === name)
          ? null
          : "The tool specified in `tool_choice` does not match any of the specified `tools`";
      }
      return choices.has(choice)
        ? null
        : `Invalid value for \`tool_choice\`: ${quote(choice)}! Only named tools, "none", "auto" or "required" are supported.`;
    },
  },
  {
    id: "vllm/stream-options",
    refused: "`stream_options` without `stream`",
    source,
    seen,
    find: ({ body }) =>
      isSet(body.stream_options) && body.stream !== true
        ? "Stream options can only be defined when `stream=True`."
        : null,
  },
  {
    id: "vllm/json-schema",
    refused: "`response_format` of type `json_schema` without a schema",
    source,
    seen,
    find: ({ body }) => {
      const format = objectOf(body.response_format);
      return format.type === "json_schema" && !isSet(objectOf(format.json_schema).schema)
        ? "When response_format type is 'json_schema', the 'json_schema' field must be provided."
        : null;
    },
  },
  {
    id: "vllm/reasoning-effort",
    refused: "another `reasoning_effort` than `none` to `max`",
    source,
    seen,
    find: ({ body }) =>
      isSet(body.reasoning_effort) && !efforts.has(body.reasoning_effort)
        ? "Input should be 'none', 'minimal', 'low', 'medium', 'high', 'xhigh' or 'max'"
        : null,
  },
  {
    id: "vllm/roles-alternate",
    models: /gemma|llama-2|mistral-7b/i,
    refused:
      "roles that do not alternate between user and assistant, or a system message that is not the first (templates of Gemma, Llama 2, Mistral)",
    source: "vllm-project/vllm#6862",
    seen: "2025-04",
    find: ({ body }) => {
      const roles = messagesOf(body).map(({ role }) => role);
      const rest = roles[0] === "system" ? roles.slice(1) : roles;
      const isWrong = rest.some(
        (role, at) => (role === "user" || role === "system") && at > 0 && rest[at - 1] === "user",
      );
      return isWrong || rest.includes("system")
        ? "Conversation roles must alternate user/assistant/user/assistant/..."
        : null;
    },
  },
];
