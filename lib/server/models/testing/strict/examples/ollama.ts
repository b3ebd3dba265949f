import "server-only";
import { answer, askedWith, bodyOf, calling, image, resultOf, toolOf, user, wholeBody } from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [qwen, llama, gptOss] = ["qwen3:8b", "llama3.1:8b", "gpt-oss:20b"];

export const ollamaExamples: ServiceExamples = {
  broken: [
    ["ollama/tools", "gemma2:9b", askedWith({ tools: [toolOf()] })],
    ["ollama/effort", gptOss, askedWith({ reasoning_effort: "deep" })],
    ["ollama/thinking", llama, askedWith({ reasoning_effort: "low" })],
    ["ollama/content", llama, bodyOf(user, { ...answer, content: null }, user)],
    ["ollama/parts", llama, bodyOf({ role: "user", content: [{ type: "file" }] })],
    [
      "ollama/image-addresses",
      llama,
      bodyOf({ role: "user", content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }] }),
    ],
    ["ollama/arguments", llama, bodyOf(user, calling({}, { arguments: "[]" }), resultOf())],
  ],
  right: [
    ["a whole request", gptOss, { ...wholeBody({ reasoning: "A sum." }), reasoning_effort: "high" }],
    ["a whole request to a model that thinks or does not", qwen, { ...wholeBody(), reasoning_effort: "none" }],
    ["a whole request to a model that does not think", llama, wholeBody()],
    [
      "a question with an image",
      llama,
      bodyOf({ role: "user", content: [{ type: "text", text: "What is it?" }, image] }),
    ],
  ],
};
