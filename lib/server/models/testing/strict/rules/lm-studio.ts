import "server-only";
import { isObject } from "../../../json";
import { hasTextBesideThinking, messagesOf } from "../chat-conversation";
import { isSet, objectOf } from "../read-body";
import type { StrictRule } from "../strict-rule";

const formats: ReadonlySet<unknown> = new Set(["text", "json_schema"]);

const fromTemplate = (message: string): string =>
  `Error rendering prompt with jinja template: "${message}". This is usually an issue with the model's prompt template.`;

export const lmStudioRules: readonly StrictRule[] = [
  {
    id: "lm-studio/tool-choice",
    refused: "`tool_choice` of one tool",
    source: "lmstudio-ai/lmstudio-bug-tracker#670",
    seen: "2026-07",
    find: ({ body }) =>
      isObject(body.tool_choice)
        ? "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"
        : null,
  },
  {
    id: "lm-studio/response-format",
    refused: "`response_format` of another type than `json_schema` and `text`, e.g. `json_object`",
    source: "LoadShine/tada#16",
    seen: "2026-01",
    find: ({ body }) => {
      const { type } = objectOf(body.response_format);
      return isSet(body.response_format) && !formats.has(type)
        ? "'response_format.type' must be 'json_schema' or 'text'"
        : null;
    },
  },
  {
    id: "lm-studio/text-beside-thinking",
    models: /gpt-oss/,
    refused: "a message with tool calls that has both text and thinking (template of gpt-oss)",
    source: "lmstudio-ai/lmstudio-bug-tracker#842",
    seen: "2025-08",
    find: ({ body }) =>
      hasTextBesideThinking(messagesOf(body))
        ? fromTemplate(
            "Cannot pass both content and thinking in an assistant message with tool calls! Put the analysis message in one or the other, but not both.",
          )
        : null,
  },
  {
    id: "lm-studio/user-message",
    models: /qwen3\.[5-9]/,
    refused: "a conversation without a message of the user (template of Qwen 3.5 and later)",
    source: "lmstudio-ai/lmstudio-bug-tracker#1586",
    seen: "2026-03",
    find: ({ body }) =>
      messagesOf(body).some(({ role }) => role === "user") ? null : fromTemplate("No user query found in messages."),
  },
  {
    id: "lm-studio/system-first",
    models: /qwen3\.[5-9]/,
    refused: "a system message that is not the first (template of Qwen 3.5 and later)",
    source: "ggml-org/llama.cpp#27367",
    seen: "2026-08",
    find: ({ body }) =>
      messagesOf(body).some(({ role }, index) => role === "system" && index > 0)
        ? fromTemplate("System message must be at the beginning.")
        : null,
  },
];
