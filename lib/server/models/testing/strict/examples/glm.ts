import "server-only";
import { askedWith, bodyOf, chosenTool, system, toolOf, wholeBody } from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [current, older] = ["glm-5.3", "glm-4.5-air"];

export const glmExamples: ServiceExamples = {
  broken: [
    ["glm/tool-choice", older, askedWith({ tools: [toolOf()], tool_choice: "required" })],
    ["glm/tool-choice", older, askedWith({ tools: [toolOf()], tool_choice: chosenTool })],
    ["glm/user-message", older, bodyOf(system)],
    ["glm/effort", current, askedWith({ thinking: { type: "disabled" } })],
    ["glm/effort", current, askedWith({ reasoning_effort: "medium" })],
    ["glm/sampling", older, askedWith({ temperature: 1.5 })],
    ["glm/sampling", older, askedWith({ top_p: 0 })],
    ["glm/max-tokens", older, askedWith({ max_tokens: 98_305 })],
    ["glm/max-tokens", current, askedWith({ max_tokens: 131_073 })],
  ],
  right: [
    [
      "a whole request",
      current,
      { ...wholeBody({ reasoning_content: "A sum." }), reasoning_effort: "high", temperature: 1 },
    ],
    ["a whole request to an older model", older, { ...wholeBody(), thinking: { type: "disabled" }, top_p: 0.5 }],
  ],
};
