import "server-only";
import { isObject, textOf } from "../../../json";
import { findOrphan, findUnanswered, messagesOf } from "../chat-conversation";
import { objectOf } from "../read-body";
import type { ReceivedRequest, StrictRule } from "../strict-rule";

const structured = "https://www.alibabacloud.com/help/en/model-studio/json-mode";
const reference = "https://www.alibabacloud.com/help/en/model-studio/qwen-api-reference";

/** They think unless they are told not to. */
const thinking = /qwen3(?:\.[5-9]|-\d+b(?!.*instruct))/;
/** The open ones among them. */
const openThinking = /qwen3-\d+b(?!.*instruct)/;
const roles = ["system", "assistant", "user", "tool", "function"];

const isThinking = ({ body }: ReceivedRequest): boolean => body.enable_thinking !== false;
const invalid = (message: string): string => `<400> InternalError.Algo.InvalidParameter: ${message}`;

export const qwenRules: readonly StrictRule[] = [
  {
    id: "qwen/roles",
    refused: "another role than `system`, `assistant`, `user`, `tool` and `function`, e.g. `developer`",
    source: reference,
    seen: "2026-08",
    find: ({ body }) => {
      const index = messagesOf(body).findIndex(({ role }) => !roles.includes(textOf(role) ?? ""));
      return index < 0
        ? null
        : `${textOf(messagesOf(body)[index]?.role) ?? ""} is not one of ['${roles.join("', '")}'] - 'messages.['${index}].role'`;
    },
  },
  {
    id: "qwen/whole-answers",
    models: openThinking,
    refused: "a request without `stream: true`, while an open model thinks",
    source: "https://www.alibabacloud.com/help/en/model-studio/deep-thinking",
    seen: "2025-12",
    find: (request) =>
      request.body.stream !== true && isThinking(request)
        ? "parameter.enable_thinking must be set to false for non-streaming calls"
        : null,
  },
  {
    id: "qwen/tool-choice",
    models: thinking,
    refused: "`tool_choice` of `required`, or of one tool, while it thinks",
    source: "cloudwego/eino#994",
    seen: "2026-07",
    find: (request) => {
      const choice = request.body.tool_choice;
      return isThinking(request) && (choice === "required" || isObject(choice))
        ? invalid("The tool_choice parameter does not support being set to required or object in thinking mode")
        : null;
    },
  },
  {
    id: "qwen/json-while-thinking",
    models: openThinking,
    refused: "a `response_format` of JSON, while an open model thinks",
    source: "presenton/presenton#184",
    seen: "2025-08",
    find: (request) => {
      const { type } = objectOf(request.body.response_format);
      return isThinking(request) && (type === "json_object" || type === "json_schema")
        ? "Json mode response is not supported when enable_thinking is true"
        : null;
    },
  },
  {
    id: "qwen/json-word",
    refused: '`response_format` of type `json_object`, where no message has the word "json"',
    source: structured,
    seen: "2025-11",
    find: ({ body }) =>
      objectOf(body.response_format).type === "json_object" && !/json/i.test(JSON.stringify(body.messages))
        ? invalid(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
          )
        : null,
  },
  {
    id: "qwen/unanswered-calls",
    refused: "tool calls that the tool messages right after them do not all answer",
    source: "QwenLM/qwen-code#315",
    seen: "2025-09",
    find: ({ body }) => {
      const open = findUnanswered(messagesOf(body));
      return open
        ? invalid(
            `An assistant message with "tool_calls" must be followed by tool messages responding to each "tool_call_id". The following tool_call_ids did not have response messages: message[${open.index + 1}].role`,
          )
        : null;
    },
  },
  {
    id: "qwen/orphans",
    refused: "a tool message that answers no call of the message before it",
    source: "QwenLM/qwen-code#2360",
    seen: "2026-03",
    find: ({ body }) =>
      findOrphan(messagesOf(body))
        ? invalid('messages with role "tool" must be a response to a preceeding message with "tool_calls".')
        : null,
  },
  {
    id: "qwen/temperature",
    refused: "`temperature` outside 0 to 2, also 2",
    source: "mnfst/modelparams.dev#235",
    seen: "2026-08",
    find: ({ body }) =>
      typeof body.temperature === "number" && (body.temperature < 0 || body.temperature >= 2)
        ? "InternalError.Algo.InvalidParameter: Temperature should be in [0.0, 2.0)"
        : null,
  },
];
