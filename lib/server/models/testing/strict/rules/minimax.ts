import "server-only";
import { parseJson, textOf } from "../../../json";
import { findOrphan, messagesOf } from "../chat-conversation";
import { callsOf, isSet, objectOf, objectsIn } from "../read-body";
import type { StrictRule } from "../strict-rule";

const invalid = (message: string): string => `invalid params, ${message} (2013)`;

export const minimaxRules: readonly StrictRule[] = [
  {
    id: "minimax/one-system",
    refused: "more than one system message",
    source: "MiniMax-AI/MiniMax-M2#51",
    seen: "2026-05",
    find: ({ body }) =>
      messagesOf(body).filter(({ role }) => role === "system").length > 1 ? invalid("invalid chat setting") : null,
  },
  {
    id: "minimax/system-first",
    refused: "a system message that is not the first",
    source: "BigPizzaV3/CodexPlusPlus#267",
    seen: "2026-05",
    find: ({ body }) =>
      messagesOf(body).findIndex(({ role }) => role === "system") > 0
        ? invalid("chat content has invalid message role: system")
        : null,
  },
  {
    id: "minimax/orphans",
    refused: "a tool message that answers no call of the message before it",
    source: "MiniMax-AI/MiniMax-M2#76",
    seen: "2026-04",
    find: ({ body }) => {
      const orphan = findOrphan(messagesOf(body));
      return orphan ? invalid(`tool result's tool id(${orphan.id}) not found`) : null;
    },
  },
  {
    id: "minimax/arguments",
    refused: "arguments of a past call that are no JSON",
    source: "earendil-works/pi#5468",
    seen: "2026-06",
    find: ({ body }) => {
      const broken = messagesOf(body)
        .flatMap(callsOf)
        .find((call) => parseJson(textOf(call.arguments) ?? "") === undefined);
      return broken ? invalid(`invalid function arguments json string, tool_call_id: ${broken.id}`) : null;
    },
  },
  {
    id: "minimax/tool-parameters",
    refused: "a tool without `parameters`",
    source: "QwenLM/qwen-code#11905",
    seen: "2026-09",
    find: ({ body }) =>
      objectsIn(body.tools).some((tool) => !isSet(objectOf(tool.function).parameters))
        ? invalid("function parameters is empty")
        : null,
  },
];
