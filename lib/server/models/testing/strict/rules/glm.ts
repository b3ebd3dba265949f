import "server-only";
import { isObject } from "../../../json";
import { messagesOf } from "../chat-conversation";
import { isSet, objectOf } from "../read-body";
import type { Refusal, StrictRule } from "../strict-rule";

const efforts: ReadonlySet<unknown> = new Set(["low", "high", "max"]);

/** Most messages do not tell what is wrong. */
const refuse = (code: string, message = "Invalid API parameter, please check the documentation."): Refusal => ({
  code,
  message,
});

export const glmRules: readonly StrictRule[] = [
  {
    id: "glm/tool-choice",
    refused: "`tool_choice` of `required`, or of one tool",
    source: "vectorize-io/hindsight#4246",
    seen: "2026-09",
    find: ({ body }) =>
      body.tool_choice === "required" || isObject(body.tool_choice) ? refuse("1210", "Tool choice must be auto") : null,
  },
  {
    id: "glm/user-message",
    refused: "a conversation without a message of the user",
    source: "diegosouzapw/OmniRoute#11209",
    seen: "2026-09",
    find: ({ body }) =>
      messagesOf(body).some(({ role }) => role === "user")
        ? null
        : refuse("1214", "The messages parameter is illegal. Please check the documentation."),
  },
  {
    id: "glm/effort",
    models: /glm-5\.3/,
    refused: "`thinking.type: disabled`, and a `reasoning_effort` other than `low`, `high` and `max` (GLM-5.3)",
    source: "mnfst/modelparams.dev#327",
    seen: "2026-08",
    find: ({ body }) => {
      if (objectOf(body.thinking).type === "disabled") return refuse("1210", "This model always engages in thinking");
      return isSet(body.reasoning_effort) && !efforts.has(body.reasoning_effort) ? refuse("1210") : null;
    },
  },
  {
    id: "glm/sampling",
    refused: "`temperature` outside 0 to 1, `top_p` outside 0.01 to 1",
    source: "https://docs.z.ai/api-reference/llm/chat-completion",
    seen: "2026-08",
    find: ({ body: { temperature, top_p: top } }) => {
      if (typeof temperature === "number" && (temperature < 0 || temperature > 1))
        return refuse("1214", "temperature参数非法。请检查文档。");
      return typeof top === "number" && (top < 0.01 || top > 1) ? refuse("1214", "top_p参数非法。请检查文档。") : null;
    },
  },
  {
    id: "glm/max-tokens",
    refused: "`max_tokens` beyond 131,072, or 98,304 (GLM-4.5)",
    source: "mnfst/modelparams.dev#327",
    seen: "2026-08",
    find: ({ body, model }) => {
      const max = /glm-4\.5/.test(model) ? 98_304 : 131_072;
      return typeof body.max_tokens === "number" && body.max_tokens > max ? refuse("1210") : null;
    },
  },
];
