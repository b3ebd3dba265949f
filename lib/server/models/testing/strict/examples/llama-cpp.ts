import "server-only";
import { answer, askedWith, bodyOf, calling, resultOf, system, toolOf, user, wholeBody } from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [qwen, gptOss, gemma] = ["qwen3-8b", "gpt-oss-20b", "gemma-2-9b"];

export const llamaCppExamples: ServiceExamples = {
  broken: [
    ["llama-cpp/tools-without-jinja", "llama-3:no-tools", askedWith({ tools: [toolOf()] })],
    ["llama-cpp/prefill", qwen, bodyOf(user, answer)],
    ["llama-cpp/two-answers-last", gemma, bodyOf(user, answer, answer)],
    ["llama-cpp/content", gemma, bodyOf({ role: "user" })],
    ["llama-cpp/content", gemma, bodyOf(user, { role: "assistant" }, user)],
    ["llama-cpp/parts", gemma, bodyOf({ role: "user", content: [{ type: "file" }] })],
    ["llama-cpp/response-format", gemma, askedWith({ response_format: { type: "xml" } })],
    [
      "llama-cpp/text-beside-thinking",
      gptOss,
      bodyOf(user, calling({ content: "Let me see.", reasoning_content: "A sum." }), resultOf()),
    ],
    ["llama-cpp/system-first", qwen, bodyOf(user, system)],
    ["llama-cpp/roles-alternate", gemma, bodyOf(user, user)],
    ["llama-cpp/arguments", gemma, bodyOf(user, calling({}, { arguments: "{broken" }), resultOf())],
  ],
  right: [
    ["a whole request", qwen, wholeBody({ reasoning_content: "A sum." })],
    ["thinking beside calls", gptOss, wholeBody({ reasoning_content: "A sum." })],
    ["a whole request to a model whose roles alternate", gemma, wholeBody()],
    ["a text that goes on", gemma, bodyOf(user, answer)],
  ],
};
