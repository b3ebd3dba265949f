import "server-only";
import { anthropicExamples } from "./anthropic";
import { deepSeekExamples } from "./deepseek";
import { glmExamples } from "./glm";
import { googleExamples } from "./google";
import { groqExamples } from "./groq";
import { kimiExamples } from "./kimi";
import { llamaCppExamples } from "./llama-cpp";
import { lmStudioExamples } from "./lm-studio";
import { minimaxExamples } from "./minimax";
import { mistralExamples } from "./mistral";
import { ollamaExamples } from "./ollama";
import { openRouterExamples } from "./open-router";
import { openAiChatExamples } from "./openai-chat";
import { openAiResponsesExamples } from "./openai-responses";
import { qwenExamples } from "./qwen";
import type { ServiceExamples } from "./rule-example";
import { vllmExamples } from "./vllm";
import { xaiExamples } from "./xai";

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
    groq: groqExamples,
    xai: xaiExamples,
    qwen: qwenExamples,
    glm: glmExamples,
    minimax: minimaxExamples,
    ollama: ollamaExamples,
    "lm-studio": lmStudioExamples,
  }),
);
