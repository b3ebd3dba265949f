import "server-only";
import { answer, askedWith, bodyOf, calling, resultOf, toolOf, user, wholeBody } from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [gemini, deepSeek, llama] = [
  "google/gemini-3-flash-preview",
  "deepseek/deepseek-v4-pro",
  "meta-llama/llama-3.3-70b",
];
const details = { reasoning_details: [{ type: "reasoning.text", text: "A sum.", index: 0 }] };

export const openRouterExamples: ServiceExamples = {
  broken: [
    ["openrouter/tools", "google/gemma-2-9b-it", askedWith({ tools: [toolOf()] })],
    ["openrouter/two-efforts", llama, askedWith({ reasoning: { enabled: true }, reasoning_effort: "low" })],
    ["openrouter/effort-and-tokens", llama, askedWith({ reasoning: { effort: "low", max_tokens: 400 } })],
    ["openrouter/gemini-details", gemini, bodyOf(user, calling({ reasoning: "A sum." }), resultOf())],
    ["openrouter/reasoning-content", deepSeek, bodyOf(user, calling(), resultOf())],
    ["openrouter/reasoning-content", "moonshotai/kimi-k3", bodyOf(user, calling(), resultOf())],
  ],
  right: [
    ["a whole request", gemini, { ...wholeBody(details), reasoning: { effort: "low" } }],
    ["a call of an older turn, of another model", gemini, bodyOf(user, calling(), resultOf(), answer, user)],
    ["a whole request to a model that does not think", llama, { ...wholeBody(), reasoning_effort: "low" }],
    ["thinking as a text", deepSeek, wholeBody({ reasoning_content: "A sum." })],
    [
      "thinking under several names",
      deepSeek,
      bodyOf(user, calling(details), resultOf(), calling({ reasoning: "A sum." }), resultOf()),
    ],
  ],
};
