import "server-only";
import { isObject, parseJson, textOf } from "../../../json";
import { messagesOf } from "../chat-conversation";
import { callsOf, isSet, objectOf, objectsIn, toolsOf } from "../read-body";
import type { ReceivedRequest, StrictRule } from "../strict-rule";

const source = "https://github.com/ollama/ollama/blob/main/openai/openai.go";
const seen = "2026-08";
const efforts = ["minimal", "low", "medium", "high", "xhigh", "ultra", "max", "none"];
const parts: ReadonlySet<unknown> = new Set(["text", "image_url", "input_audio"]);

const effortOf = ({ body }: ReceivedRequest): string | undefined =>
  textOf(objectOf(body.reasoning).effort) ?? textOf(body.reasoning_effort);

const isThinking = (effort: string | undefined): boolean => effort !== undefined && effort !== "none";

export const ollamaRules: readonly StrictRule[] = [
  {
    id: "ollama/tools",
    models: /gemma2|phi3|:no-tools/,
    refused: "`tools`, where the template of the model has none",
    source: "https://docs.ollama.com/capabilities/tool-calling",
    seen: "2026-04",
    find: ({ body, model }) =>
      toolsOf(body).length > 0 ? `registry.ollama.ai/library/${model} does not support tools` : null,
  },
  {
    id: "ollama/effort",
    refused: "an effort of reasoning that it does not know: it has `none`, `minimal` to `xhigh`, `ultra` and `max`",
    source,
    seen,
    find: (request) => {
      const effort = effortOf(request);
      return effort === undefined || efforts.includes(effort)
        ? null
        : `invalid reasoning value: "${effort}" (must be "minimal", "low", "medium", "high", "xhigh", "ultra", "max", or "none")`;
    },
  },
  {
    id: "ollama/thinking",
    models: /llama3|gemma2|phi3/,
    refused: "an effort of reasoning, for a model that does not think",
    source: "Gitlawb/openclaude#1371",
    seen,
    find: (request) => (isThinking(effortOf(request)) ? `"${request.model}" does not support thinking` : null),
  },
  {
    id: "ollama/content",
    refused: "a message without content, but for one with `tool_calls`",
    source,
    seen,
    find: ({ body }) =>
      messagesOf(body).some(({ content, tool_calls: calls }) => !isSet(content) && !isSet(calls))
        ? "invalid message content type: <nil>"
        : null,
  },
  {
    id: "ollama/parts",
    refused: "a part of a message that is neither text nor an image nor sound",
    source,
    seen,
    find: ({ body }) =>
      messagesOf(body).some(({ content }) => objectsIn(content).some(({ type }) => !parts.has(type)))
        ? "invalid message format"
        : null,
  },
  {
    id: "ollama/image-addresses",
    refused: "an image by its address in the web",
    source,
    seen,
    find: ({ body }) =>
      messagesOf(body).some(({ content }) =>
        objectsIn(content).some(({ type, image_url: image }) => {
          const url = textOf(objectOf(image).url) ?? textOf(image);
          return type === "image_url" && /^https?:/.test(url ?? "");
        }),
      )
        ? "image URLs are not currently supported, please use base64 encoded data instead"
        : null,
  },
  {
    id: "ollama/arguments",
    refused: "arguments of a past call that are no JSON object",
    source,
    seen,
    find: ({ body }) =>
      messagesOf(body)
        .flatMap(callsOf)
        .some((call) => !isObject(parseJson(textOf(call.arguments) ?? "")))
        ? "invalid tool call arguments"
        : null,
  },
];
