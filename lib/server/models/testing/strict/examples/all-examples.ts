import "server-only";
import { anthropicExamples } from "./anthropic";
import { deepSeekExamples } from "./deepseek";
import { googleExamples } from "./google";
import { kimiExamples } from "./kimi";
import { llamaCppExamples } from "./llama-cpp";
import { mistralExamples } from "./mistral";
import { openRouterExamples } from "./open-router";
import { openAiChatExamples } from "./openai-chat";
import { openAiResponsesExamples } from "./openai-responses";
import type { ServiceExamples } from "./rule-example";
import { vllmExamples } from "./vllm";

/** The examples of every service, by its name. */
export const allExamples: ReadonlyMap<string, ServiceExamples> = new Map(
  Object.entries({
    "openai-responses": openAiResponsesExamples,
    "openai-chat": openAiChatExamples,
    anthropic: anthropicExamples,
    google: googleExamples,
    deepseek: deepSeekExamples,
    kimi: kimiExamples,
    mistral: mistralExamples,
    openrouter: openRouterExamples,
    vllm: vllmExamples,
    "llama-cpp": llamaCppExamples,
  }),
);
