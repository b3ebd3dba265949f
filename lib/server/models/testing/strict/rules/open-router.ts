import "server-only";
import { messagesOf } from "../chat-conversation";
import { callsOf, isSet, objectOf, objectsIn } from "../read-body";
import type { Refusal, StrictRule } from "../strict-rule";

const fromProvider = (raw: string): Refusal => ({ message: "Provider returned error", code: "400", param: raw });

export const openRouterRules: readonly StrictRule[] = [
  {
    id: "openrouter/tools",
    models: /gemma-2|:no-tools/,
    refused: "`tools`, where no provider of the model takes them: 404",
    source: "Kilo-Org/kilocode#9006",
    seen: "2026-06",
    find: ({ body }) =>
      isSet(body.tools)
        ? {
            status: 404,
            message:
              "No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/guides/routing/provider-selection",
          }
        : null,
  },
  {
    id: "openrouter/two-efforts",
    refused: "`reasoning` beside `reasoning_effort`",
    source: "danny-avila/LibreChat#6076",
    seen: "2025-02",
    find: ({ body }) =>
      isSet(body.reasoning) && isSet(body.reasoning_effort)
        ? 'Only one of "reasoning" and "reasoning_effort" may be provided'
        : null,
  },
  {
    id: "openrouter/effort-and-tokens",
    refused: "`reasoning.effort` beside `reasoning.max_tokens`",
    source: "https://openrouter.ai/docs/use-cases/reasoning-tokens",
    seen: "2026-05",
    find: ({ body }) => {
      const reasoning = objectOf(body.reasoning);
      return isSet(reasoning.effort) && isSet(reasoning.max_tokens)
        ? 'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified'
        : null;
    },
  },
  {
    id: "openrouter/gemini-details",
    models: /^google\/gemini-[3-9]/,
    refused: "a tool call of Gemini 3 after the user's last message that comes back without its `reasoning_details`",
    source: "LibreChat-AI/agents#37",
    seen: "2025-12",
    find: ({ body }) => {
      const messages = messagesOf(body);
      const turn = messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
      return turn.some((message) => callsOf(message).length > 0 && objectsIn(message.reasoning_details).length === 0)
        ? fromProvider("Function call is missing a thought_signature in functionCall parts.")
        : null;
    },
  },
  {
    id: "openrouter/reasoning-content",
    models: /^(?:deepseek\/deepseek-v4|moonshotai\/kimi-k(?:2-thinking|2\.[5-9]|[3-9]))/,
    refused: "a message with tool calls of DeepSeek V4 or Kimi that comes back without its reasoning",
    source: "https://openrouter.ai/docs/use-cases/reasoning-tokens",
    seen: "2026-04",
    find: ({ body }) => {
      const names = ["reasoning_content", "reasoning", "reasoning_details"];
      return messagesOf(body).some(
        (message) => callsOf(message).length > 0 && !names.some((name) => isSet(message[name])),
      )
        ? fromProvider("The `reasoning_content` in the thinking mode must be passed back to the API.")
        : null;
    },
  },
];
