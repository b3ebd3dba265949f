import "server-only";
import { isObject, parseJson, textOf } from "../../../json";
import { messagesOf } from "../chat-conversation";
import { callsOf, isEmptyContent, isSet } from "../read-body";
import type { ReceivedRequest, StrictRule } from "../strict-rule";

const reasoning = "https://docs.x.ai/developers/model-capabilities/text/reasoning";

const refuseParameter = ({ model }: ReceivedRequest, name: string): string =>
  `Model ${model} does not support parameter ${name}.`;

export const xaiRules: readonly StrictRule[] = [
  {
    id: "xai/presence-penalty",
    models: /grok-4/,
    refused: "`presence_penalty`, even of 0",
    source: reasoning,
    seen: "2026-09",
    find: (request) => (isSet(request.body.presence_penalty) ? refuseParameter(request, "presencePenalty") : null),
  },
  {
    id: "xai/sampling",
    models: /grok-(?:3-mini|4(?!.*non-reasoning))/,
    refused: "`stop` and `frequency_penalty`, for a model that thinks",
    source: reasoning,
    seen: "2026-08",
    find: (request) => {
      if (isSet(request.body.stop)) return refuseParameter(request, "stop");
      return isSet(request.body.frequency_penalty) ? refuseParameter(request, "frequencyPenalty") : null;
    },
  },
  {
    id: "xai/effort",
    models: /grok-(?:3(?!-mini)|4(?:-|$)|4\.20-0309|code-fast)/,
    refused: "`reasoning_effort`, for a model without a choice of efforts, also where it thinks",
    source: "BerriAI/litellm#16265",
    seen: "2026-08",
    find: (request) => (isSet(request.body.reasoning_effort) ? refuseParameter(request, "reasoningEffort") : null),
  },
  {
    id: "xai/empty-messages",
    refused: "a message without content, but for one of the assistant with tool calls",
    source: "AstrBotDevs/AstrBot#6447",
    seen: "2026-03",
    find: ({ body }) =>
      messagesOf(body).some((message) => isEmptyContent(message.content) && callsOf(message).length === 0)
        ? "Invalid request content: Each message must have at least one content element."
        : null,
  },
  {
    id: "xai/names",
    refused: "`name` of a message that is not the user's",
    source: "BerriAI/litellm#9720",
    seen: "2025-04",
    find: ({ body }) =>
      messagesOf(body).some(({ role, name }) => isSet(name) && role !== "user")
        ? "Only messages of role 'user' can have a name."
        : null,
  },
  {
    id: "xai/arguments",
    refused: "arguments of a past call that are no JSON",
    source: "spiceai/spiceai#4734",
    seen: "2025-02",
    find: ({ body }) => {
      const broken = messagesOf(body)
        .flatMap(callsOf)
        .find((call) => !isObject(parseJson(textOf(call.arguments) ?? "")));
      return broken
        ? `The arguments to a tool_call with ID '${broken.id}' are not a valid JSON string. Parsing error: Error("EOF while parsing a value", line: 1, column: 0)`
        : null;
    },
  },
];
