import "server-only";
import { isObject, textOf } from "../../../json";
import { findEmptyAnswer, findThoughtless, findUnanswered, messagesOf } from "../chat-conversation";
import { isSet, objectOf, objectsIn, placesIn, type SchemaPlace, toolsOf } from "../read-body";
import type { ReceivedRequest, StrictRule } from "../strict-rule";

const thinking = /kimi-(?:k2-thinking|k2\.[5-9]|k[3-9]|for-coding)/;
/** They take one temperature and one `top_p` only. */
const withoutSampling = /kimi-(?:k2\.[5-9]|k[3-9]|for-coding)/;
const isThinking = ({ body }: ReceivedRequest): boolean => objectOf(body.thinking).type !== "disabled";

/** A rule of the dialect of JSON Schema in which Kimi reads the parameters of tools. */
const defineSchemaRule = (
  rule: Pick<StrictRule, "id" | "refused" | "source" | "seen">,
  describe: (place: SchemaPlace) => string | null,
): StrictRule => ({
  ...rule,
  find: ({ body }) => {
    for (const { parameters } of toolsOf(body))
      for (const place of placesIn(parameters)) {
        const detail = describe(place);
        if (detail !== null)
          return `tools.function.parameters is not a valid moonshot flavored json schema, details: <At path '${place.path || "root"}': ${detail}>`;
      }
    return null;
  },
});

export const kimiRules: readonly StrictRule[] = [
  {
    id: "kimi/reasoning-content",
    models: thinking,
    refused: "a message with tool calls that comes back without its `reasoning_content`; an empty one is taken",
    source: "continuedev/continue#11711",
    seen: "2026-06",
    find: (request) => {
      const index = findThoughtless(messagesOf(request.body), "reasoning_content");
      return index >= 0 && isThinking(request)
        ? `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${index}`
        : null;
    },
  },
  {
    id: "kimi/tool-choice",
    models: thinking,
    refused: "`tool_choice` of `required`, or of one tool, while it thinks",
    source: "AstrBotDevs/AstrBot#7805",
    seen: "2026-05",
    find: (request) => {
      const choice = request.body.tool_choice;
      if (!isThinking(request) || (choice !== "required" && !isObject(choice))) return null;
      return `tool_choice '${isObject(choice) ? "specified" : "required"}' is incompatible with thinking enabled`;
    },
  },
  {
    id: "kimi/temperature",
    models: withoutSampling,
    refused: "`temperature` other than 1 while it thinks, other than 0.6 while it does not",
    source: "MoonshotAI/Kimi-K2#124",
    seen: "2026-08",
    find: (request) => {
      const only = isThinking(request) ? 1 : 0.6;
      const { temperature } = request.body;
      return isSet(temperature) && temperature !== only
        ? `invalid temperature: only ${only} is allowed for this model`
        : null;
    },
  },
  {
    id: "kimi/top-p",
    models: withoutSampling,
    refused: "`top_p` other than 0.95",
    source: "CherryHQ/cherry-studio#12691",
    seen: "2026-02",
    find: ({ body }) =>
      isSet(body.top_p) && body.top_p !== 0.95 ? "invalid top_p: only 0.95 is allowed for this model" : null,
  },
  {
    id: "kimi/empty-messages",
    refused: "a message of the assistant without text and without tool calls",
    source: "AstrBotDevs/AstrBot#7200",
    seen: "2026-03",
    find: ({ body }) => {
      const index = findEmptyAnswer(messagesOf(body));
      return index < 0
        ? null
        : `Invalid request: the message at position ${index} with role 'assistant' must not be empty`;
    },
  },
  {
    id: "kimi/empty-parts",
    refused: "an empty text in a list of parts",
    source: "BerriAI/litellm#42186",
    seen: "2026-09",
    find: ({ body }) =>
      messagesOf(body).some(({ content }) =>
        objectsIn(content).some(({ type, text }) => type === "text" && textOf(text) === undefined),
      )
        ? "Invalid request: text content is empty"
        : null,
  },
  {
    id: "kimi/unanswered-calls",
    refused: "tool calls that the tool messages right after them do not all answer",
    source: "dust-tt/srchd#75",
    seen: "2025-11",
    find: ({ body }) => {
      const open = findUnanswered(messagesOf(body));
      return open
        ? `an assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${open.id}`
        : null;
    },
  },
  defineSchemaRule(
    {
      id: "kimi/schema-any-of",
      refused: "`type` beside `anyOf` in the parameters of a tool",
      source: "anomalyco/opencode#37496",
      seen: "2026-08",
    },
    ({ schema }) =>
      isSet(schema.anyOf) && isSet(schema.type)
        ? "when using anyOf, type should be defined in anyOf items instead of the parent schema"
        : null,
  ),
  defineSchemaRule(
    {
      id: "kimi/schema-ref-siblings",
      refused: "`type` or `description` beside `$ref` in the parameters of a tool",
      source: "MoonshotAI/kimi-cli#2061",
      seen: "2026-08",
    },
    ({ schema }) => {
      if (!isSet(schema.$ref)) return null;
      if (isSet(schema.type))
        return "when using $ref, type should be defined in the referenced schema instead of the parent schema";
      return isSet(schema.description) ? "conflicting keywords found after $ref expansion: description" : null;
    },
  ),
  defineSchemaRule(
    {
      id: "kimi/schema-ref-place",
      refused: "`$ref` to anything but `#/$defs/…` in the parameters of a tool",
      source: "NousResearch/hermes-agent#14804",
      seen: "2026-07",
    },
    ({ schema }) =>
      typeof schema.$ref === "string" && !schema.$ref.startsWith("#/$defs/")
        ? "references must start with #/$defs/"
        : null,
  ),
  defineSchemaRule(
    {
      id: "kimi/schema-tuples",
      refused: "a list as `items` in the parameters of a tool",
      source: "anomalyco/opencode#39995",
      seen: "2026-08",
    },
    ({ schema }) => (Array.isArray(schema.items) ? "items must be an object" : null),
  ),
];
