import "server-only";
import { textOf } from "../../../json";
import {
  findEmptyAnswer,
  findMisnamed,
  findOrphan,
  findUnanswered,
  findUnknown,
  findWrongId,
  messagesOf,
} from "../chat-conversation";
import { callsOf, isEmptyContent, isSet, objectOf, toolsOf } from "../read-body";
import type { Refusal, StrictRule } from "../strict-rule";

/** https://docs.mistral.ai/api */
const bodyFields = new Set([
  ...["model", "messages", "temperature", "top_p", "max_tokens", "stream", "stream_options", "stop", "random_seed"],
  ...["response_format", "tools", "tool_choice", "presence_penalty", "frequency_penalty", "n", "prediction"],
  ...["parallel_tool_calls", "prompt_mode", "reasoning_effort", "safe_prompt", "metadata", "guardrails"],
]);

const messageFields = new Map([
  ["system", new Set(["role", "content"])],
  ["user", new Set(["role", "content"])],
  ["assistant", new Set(["role", "content", "tool_calls", "prefix"])],
  ["tool", new Set(["role", "content", "tool_call_id", "name"])],
]);

/** Which roles may follow one; as in the checks of mistral-common. */
const followers = new Map([
  ["system", new Set(["user", "assistant", "system"])],
  ["user", new Set(["assistant", "system", "user"])],
  ["assistant", new Set(["assistant", "user", "tool"])],
  ["tool", new Set(["assistant", "tool"])],
]);

const toExtra = (location: string): Refusal => ({
  status: 422,
  message: `${location}: Extra inputs are not permitted`,
  code: "extra_forbidden",
  param: location,
});

export const mistralRules: readonly StrictRule[] = [
  {
    id: "mistral/unknown-fields",
    refused: "a field that it does not know, e.g. `max_completion_tokens`, `seed`",
    source: "editor-code-assistant/eca#231",
    seen: "2026-07",
    find: ({ body }) => {
      const unknown = findUnknown(body, bodyFields);
      return unknown === null ? null : toExtra(`body.${unknown}`);
    },
  },
  {
    id: "mistral/include-usage",
    refused: "`stream_options.include_usage`; the usage comes without it",
    source: "yetone/avante.nvim#2347",
    seen: "2025-06",
    find: ({ body }) =>
      isSet(objectOf(body.stream_options).include_usage) ? toExtra("body.stream_options.include_usage") : null,
  },
  {
    id: "mistral/unknown-message-fields",
    refused: "a field of a message that it does not know, e.g. `reasoning_content`",
    source: "charmbracelet/crush#1590",
    seen: "2026-06",
    find: ({ body }) => {
      for (const [index, message] of messagesOf(body).entries()) {
        const role = textOf(message.role) ?? "";
        const unknown = findUnknown(message, messageFields.get(role) ?? new Set());
        if (unknown !== null) return toExtra(`body.messages.${index}.${role}.${unknown}`);
      }
      return null;
    },
  },
  {
    id: "mistral/call-ids",
    refused: "an id of a tool call that is not nine letters and digits",
    source: "editor-code-assistant/eca#233",
    seen: "2026-03",
    find: ({ body }) => {
      const id = findWrongId(messagesOf(body), /^[a-zA-Z0-9]{9}$/);
      if (id === null) return null;
      return { message: `Tool call id was ${id} but must be a-z, A-Z, 0-9, with a length of 9.`, code: "3280" };
    },
  },
  {
    id: "mistral/role-order",
    refused: "a user or system message right after a tool message; a tool message right after a user message",
    source: "BerriAI/litellm#17761",
    seen: "2026-08",
    find: ({ body }) => {
      const roles = messagesOf(body).map(({ role }) => textOf(role) ?? "");
      const index = roles.findIndex((role, at) => at > 0 && !followers.get(roles[at - 1] ?? "")?.has(role));
      return index < 0
        ? null
        : { message: `Unexpected role '${roles[index]}' after role '${roles[index - 1]}'`, code: "3230" };
    },
  },
  {
    id: "mistral/last-role",
    refused: "a conversation that ends with the assistant, without `prefix`",
    source: "NEKOparapa/AiNiee#641",
    seen: "2025-06",
    find: ({ body }) => {
      const last = messagesOf(body).at(-1);
      return last?.role === "assistant" && last.prefix !== true
        ? "Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant"
        : null;
    },
  },
  {
    id: "mistral/unanswered-calls",
    refused: "another number of tool messages than of tool calls, or one with an id that no call has",
    source: "mistralai/client-ts#106",
    seen: "2026-01",
    find: ({ body }) =>
      findUnanswered(messagesOf(body)) || findOrphan(messagesOf(body))
        ? "Not the same number of function calls and responses"
        : null,
  },
  {
    id: "mistral/repeated-ids",
    models: /mistral-(?:medium|large)|magistral|devstral/,
    refused: "an id that two calls of one message have",
    source: "https://github.com/mistralai/mistral-common",
    seen: "2026-06",
    find: ({ body }) => {
      for (const message of messagesOf(body)) {
        const ids = callsOf(message).map(({ id }) => id);
        const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
        if (repeated !== undefined) return `Duplicate tool call id ${repeated} in assistant message`;
      }
      return null;
    },
  },
  {
    id: "mistral/empty-messages",
    refused: "a message of the assistant without text and without tool calls",
    source: "All-Hands-AI/OpenHands#8685",
    seen: "2025-06",
    find: ({ body }) =>
      findEmptyAnswer(messagesOf(body)) >= 0
        ? "Assistant message must have either content or tool_calls, but not none."
        : null,
  },
  {
    id: "mistral/text-beside-calls",
    models: /open-mistral-7b|open-mixtral|mistral-(?:small|medium|large)-24/,
    refused: "a message of the assistant with both text and tool calls (models of 2024)",
    source: "langchain-ai/langchain#21196",
    seen: "2024-05",
    find: ({ body }) =>
      messagesOf(body).some((message) => callsOf(message).length > 0 && !isEmptyContent(message.content))
        ? "Assistant message must have either content or tool_calls, but not both."
        : null,
  },
  {
    id: "mistral/tool-names",
    refused: "a name of a tool that does not match `^[a-zA-Z0-9_-]{1,64}$`, also in past calls",
    source: "nbonamy/witsy#164",
    seen: "2025-04",
    find: ({ body }) => {
      const misnamed = findMisnamed(body, /^[a-zA-Z0-9_-]{1,64}$/);
      return misnamed
        ? `Function name was ${misnamed.name} but must be a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum length of 64.`
        : null;
    },
  },
  {
    id: "mistral/boolean-limits",
    refused: "`exclusiveMinimum: true` and other forms of before Draft 7 in the parameters of a tool",
    source: "ayunis-core/ayunis-core#975",
    seen: "2026-07",
    find: ({ body }) =>
      /"exclusiveM(?:in|ax)imum":(?:true|false)/.test(JSON.stringify(toolsOf(body)))
        ? "Invalid tool schema: it is not valid under any of the given schemas"
        : null,
  },
];
