import "server-only";
import { answer, askedWith, bodyOf, chosenTool, system, toolOf, user, wholeBody } from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [qwen, gemma] = ["Qwen/Qwen3-32B", "google/gemma-2-9b-it"];

export const vllmExamples: ServiceExamples = {
  broken: [
    ["vllm/tools-not-enabled", "meta-llama/Llama-2-7b-chat-hf", askedWith({ tools: [toolOf()] })],
    ["vllm/no-tools", qwen, askedWith({ tools: [] })],
    ["vllm/tool-choice", qwen, askedWith({ tool_choice: "auto" })],
    ["vllm/tool-choice", qwen, askedWith({ tools: [toolOf()], tool_choice: "any" })],
    ["vllm/tool-choice", qwen, askedWith({ tools: [toolOf({ name: "read" })], tool_choice: chosenTool })],
    ["vllm/stream-options", qwen, askedWith({ stream_options: { include_usage: true } })],
    ["vllm/json-schema", qwen, askedWith({ response_format: { type: "json_schema" } })],
    ["vllm/reasoning-effort", qwen, askedWith({ reasoning_effort: "deep" })],
    ["vllm/roles-alternate", gemma, bodyOf(user, user)],
    ["vllm/roles-alternate", gemma, bodyOf(user, answer, system, user)],
  ],
  right: [
    ["a whole request", qwen, { ...wholeBody({ reasoning_content: "A sum." }), reasoning_effort: "high" }],
    ["a chosen tool", qwen, { ...wholeBody(), tool_choice: chosenTool }],
    ["a whole request to a model whose roles alternate", gemma, wholeBody()],
    ["no choice, without tools", qwen, askedWith({ tool_choice: "none" })],
  ],
};
