import "server-only";
import type { JsonObject } from "../../../json";
import {
  answer,
  askedWith,
  bodyOf,
  calling,
  callOf,
  formatOf,
  image,
  parameters,
  resultOf,
  system,
  toolOf,
  user,
  wholeBody,
} from "./chat-bodies";
import { type ServiceExamples, times, without } from "./rule-example";

const [plain, thinking, atRest, older] = ["gpt-4o", "gpt-5.1", "gpt-6-sol", "o4-mini"];

const withTool = (fields: JsonObject): JsonObject => askedWith({ tools: [toolOf(fields)] });
const withSchema = (schema: JsonObject): JsonObject => askedWith({ response_format: formatOf(schema) });

export const openAiChatExamples: ServiceExamples = {
  broken: [
    ["openai-chat/responses-only", "gpt-5-pro", bodyOf()],
    ["openai-chat/unknown-fields", plain, askedWith({ top_k: 5 })],
    ["openai-chat/tools-with-reasoning", atRest, askedWith({ tools: [toolOf()] })],
    ["openai-chat/tools-with-reasoning", atRest, askedWith({ tools: [toolOf()], reasoning_effort: "low" })],
    ["openai-chat/tools-with-reasoning", "gpt-6.1-terra", askedWith({ tools: [toolOf()], reasoning_effort: "none" })],
    ["openai-chat/effort", plain, askedWith({ reasoning_effort: "low" })],
    ["openai-chat/effort", older, askedWith({ reasoning_effort: "minimal" })],
    ["openai-chat/effort", atRest, askedWith({ reasoning_effort: "max" })],
    ["openai-chat/temperature", thinking, askedWith({ temperature: 0.2 })],
    ["openai-chat/temperature", "gpt-5", askedWith({ temperature: 0, reasoning_effort: "minimal" })],
    ["openai-chat/max-tokens", thinking, askedWith({ max_tokens: 400 })],
    ["openai-chat/parallel-tool-calls", older, askedWith({ tools: [toolOf()], parallel_tool_calls: true })],
    ["openai-chat/stop", older, askedWith({ stop: "END" })],
    ["openai-chat/system-role", "o1-mini", bodyOf(system, user)],
    ["openai-chat/no-messages", plain, { messages: [] }],
    ["openai-chat/content", plain, bodyOf(user, { role: "assistant", content: null }, user)],
    ["openai-chat/unanswered-calls", plain, bodyOf(user, calling(), user)],
    [
      "openai-chat/unanswered-calls",
      plain,
      bodyOf(user, calling({ tool_calls: [callOf(), callOf({ id: "call_2" })] }), resultOf()),
    ],
    ["openai-chat/orphans", plain, bodyOf(user, answer, resultOf())],
    ["openai-chat/tool-names", plain, withTool({ name: "pages.read" })],
    ["openai-chat/tool-names", plain, bodyOf(user, calling({}, { name: "pages.read" }), resultOf())],
    ["openai-chat/tools", plain, askedWith({ tools: [] })],
    ["openai-chat/tools", plain, askedWith({ tools: times(129, (index) => toolOf({ name: `tool_${index}` })) })],
    ["openai-chat/choice-without-tools", plain, askedWith({ tool_choice: "auto" })],
    ["openai-chat/choice-without-tools", plain, askedWith({ parallel_tool_calls: false })],
    ["openai-chat/tool-parameters", plain, withTool({ parameters: {} })],
    ["openai-chat/tool-parameters", plain, withTool({ parameters: { type: "object" } })],
    [
      "openai-chat/tool-parameters",
      plain,
      withTool({ parameters: { ...parameters, properties: { sum: { type: "array" } } } }),
    ],
    ["openai-chat/tool-parameters", plain, withTool({ strict: true })],
    ["openai-chat/schema", plain, withSchema(parameters)],
    ["openai-chat/json-word", plain, askedWith({ response_format: { type: "json_object" } })],
    ["openai-chat/stream-options", plain, askedWith({ stream_options: { include_usage: true } })],
    ["openai-chat/images", plain, bodyOf({ role: "system", content: [image] }, user)],
  ],
  right: [
    ["a whole request", plain, { ...wholeBody(), temperature: 0.2, max_tokens: 400, parallel_tool_calls: false }],
    ["a whole request to a model that rests", atRest, { ...wholeBody(), reasoning_effort: "none", temperature: 0.2 }],
    [
      "a whole request to a model that thinks",
      older,
      { ...wholeBody(), reasoning_effort: "high", max_completion_tokens: 400 },
    ],
    [
      "a text beside calls, and an empty text",
      plain,
      bodyOf(user, calling({ content: "Let me see." }), resultOf(), { ...answer, content: "" }),
    ],
    ["a tool of another kind", plain, askedWith({ tools: [{ type: "custom", custom: { name: "write" } }] })],
    [
      "a question with an image",
      plain,
      bodyOf({ role: "user", content: [{ type: "text", text: "What is it?" }, image] }),
    ],
    [
      "JSON in words",
      plain,
      { ...without(wholeBody(), "tools", "tool_choice"), response_format: { type: "json_object" } },
    ],
  ],
};
