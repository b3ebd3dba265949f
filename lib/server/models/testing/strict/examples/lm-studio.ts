import "server-only";
import { askedWith, bodyOf, calling, chosenTool, resultOf, system, toolOf, user, wholeBody } from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [qwen, gptOss] = ["qwen/qwen3.6-35b-a3b", "openai/gpt-oss-20b"];

export const lmStudioExamples: ServiceExamples = {
  broken: [
    ["lm-studio/tool-choice", gptOss, askedWith({ tools: [toolOf()], tool_choice: chosenTool })],
    ["lm-studio/response-format", gptOss, askedWith({ response_format: { type: "json_object" } })],
    [
      "lm-studio/text-beside-thinking",
      gptOss,
      bodyOf(user, calling({ content: "Let me see.", reasoning_content: "A sum." }), resultOf()),
    ],
    ["lm-studio/user-message", qwen, bodyOf(system)],
    ["lm-studio/system-first", qwen, bodyOf(user, system)],
  ],
  right: [
    ["a whole request", qwen, wholeBody({ reasoning_content: "A sum." })],
    ["thinking beside calls", gptOss, { ...wholeBody({ reasoning: "A sum." }), tool_choice: "required" }],
    ["an answer as a text", gptOss, askedWith({ response_format: { type: "text" } })],
  ],
};
