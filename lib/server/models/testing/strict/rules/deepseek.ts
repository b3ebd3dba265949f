import "server-only";
import { isObject } from "../../../json";
import { findMisnamed, findThoughtless, findUnanswered, messagesOf } from "../chat-conversation";
import { isSet, objectOf, objectsIn } from "../read-body";
import type { StrictRule } from "../strict-rule";

/** V4 thinks unless it is told not to; so did R1. */
const thinking = /deepseek-(?:v4|flash|pro|reasoner)/;

export const deepSeekRules: readonly StrictRule[] = [
  {
    id: "deepseek/reasoning-content",
    models: thinking,
    refused: "a message with tool calls that comes back without its `reasoning_content`; an empty one is taken",
    source: "earendil-works/pi#3636",
    seen: "2026-04",
    find: ({ body }) =>
      objectOf(body.thinking).type !== "disabled" && findThoughtless(messagesOf(body), "reasoning_content") >= 0
        ? "The `reasoning_content` in the thinking mode must be passed back to the API."
        : null,
  },
  {
    id: "deepseek/tool-choice",
    models: thinking,
    refused: "`tool_choice` of `required`, or of one tool, while it thinks",
    source: "BerriAI/litellm#37470",
    seen: "2026-08",
    find: ({ body }) =>
      objectOf(body.thinking).type !== "disabled" && (body.tool_choice === "required" || isObject(body.tool_choice))
        ? "Thinking mode does not support this tool_choice"
        : null,
  },
  {
    id: "deepseek/json-schema",
    refused: "`response_format` of type `json_schema`",
    source: "ItzCrazyKns/Vane#969",
    seen: "2026-07",
    find: ({ body }) =>
      objectOf(body.response_format).type === "json_schema" ? "This response_format type is unavailable now" : null,
  },
  {
    id: "deepseek/json-word",
    refused: '`response_format` of type `json_object`, where no message has the word "json"',
    source: "Canner/WrenAI#1581",
    seen: "2026-04",
    find: ({ body }) =>
      objectOf(body.response_format).type === "json_object" && !/json/i.test(JSON.stringify(body.messages))
        ? "Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'."
        : null,
  },
  {
    id: "deepseek/images",
    refused: "an image in a message",
    source: "nesquena/hermes-webui#2297",
    seen: "2026-08",
    find: ({ body }) => {
      const index = messagesOf(body).findIndex(({ content }) => objectsIn(content).some(({ type }) => type !== "text"));
      return index < 0
        ? null
        : `Failed to deserialize the JSON body into the target type: messages[${index}]: unknown variant \`image_url\`, expected \`text\` at line 1 column 460`;
    },
  },
  {
    id: "deepseek/unanswered-calls",
    refused: "tool calls that the tool messages right after them do not all answer",
    source: "langgenius/dify#32222",
    seen: "2026-08",
    find: ({ body }) =>
      findUnanswered(messagesOf(body))
        ? "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. (insufficient tool messages following tool_calls message)"
        : null,
  },
  {
    id: "deepseek/tool-names",
    refused: "a name of a tool that does not match `^[a-zA-Z0-9_-]{1,64}$`",
    source: "zed-industries/zed#57531",
    seen: "2026-05",
    find: ({ body }) => {
      const misnamed = findMisnamed(body, /^[a-zA-Z0-9_-]{1,64}$/);
      return misnamed
        ? `Invalid 'tools[${misnamed.index}].function.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`
        : null;
    },
  },
  {
    id: "deepseek/max-tokens",
    refused: "`max_tokens` beyond what the model writes: 8,192 (V3), 65,536 (R1), 393,216 (V4)",
    source: "MoonshotAI/kimi-code#509",
    seen: "2026-08",
    find: ({ body, model }) => {
      const most = /v4|flash|pro/.test(model) ? 393_216 : /reasoner/.test(model) ? 65_536 : 8192;
      const isWithin = typeof body.max_tokens !== "number" || (body.max_tokens >= 1 && body.max_tokens <= most);
      return isWithin ? null : `Invalid max_tokens value, the valid range of max_tokens is [1, ${most}]`;
    },
  },
  {
    id: "deepseek/successive-messages",
    models: /deepseek-reasoner/,
    refused: "two messages of the user, or two of the assistant, in a row (R1)",
    source: "deepseek-ai/DeepSeek-R1#21",
    seen: "2025-01",
    find: ({ body }) => {
      const index = messagesOf(body).findIndex(
        ({ role }, at, all) => at > 0 && (role === "user" || role === "assistant") && all[at - 1]?.role === role,
      );
      return index < 0
        ? null
        : `deepseek-reasoner does not support successive user or assistant messages (messages[${index - 1}] and messages[${index}] in your input). You should interleave the user/assistant messages in the message sequence.`;
    },
  },
  {
    id: "deepseek/last-message",
    models: /deepseek-reasoner/,
    refused: "a conversation that ends with the assistant (R1)",
    source: "BerriAI/litellm#8090",
    seen: "2025-01",
    find: ({ body }) => {
      const last = messagesOf(body).at(-1);
      return last?.role === "assistant" && !isSet(last.prefix)
        ? "The last message of deepseek-reasoner must be a user message, or an assistant message with prefix mode on (refer to https://api-docs.deepseek.com/guides/chat_prefix_completion)."
        : null;
    },
  },
];
