import "server-only";
import { answer, askedWith, bodyOf, calling, chosenTool, resultOf, user, wholeBody } from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [current, older, plain] = ["grok-4.6", "grok-3", "grok-4.20-0309-non-reasoning"];

export const xaiExamples: ServiceExamples = {
  broken: [
    ["xai/presence-penalty", plain, askedWith({ presence_penalty: 0 })],
    ["xai/sampling", current, askedWith({ stop: "END" })],
    ["xai/sampling", "grok-3-mini", askedWith({ frequency_penalty: 0.5 })],
    ["xai/effort", older, askedWith({ reasoning_effort: "low" })],
    ["xai/effort", "grok-4-1-fast", askedWith({ reasoning_effort: "low" })],
    ["xai/effort", plain, askedWith({ reasoning_effort: "none" })],
    ["xai/empty-messages", current, bodyOf(user, { ...answer, content: [] }, user)],
    ["xai/empty-messages", current, bodyOf(user, calling(), { ...resultOf(), content: "" })],
    ["xai/names", current, bodyOf(user, { ...answer, name: "Ann" }, user)],
    ["xai/arguments", current, bodyOf(user, calling({}, { arguments: "" }), resultOf())],
  ],
  right: [
    ["a whole request", current, { ...wholeBody({ reasoning_content: "A sum." }), reasoning_effort: "xhigh" }],
    [
      "a whole request to an older model",
      older,
      { ...wholeBody(), stop: "END", presence_penalty: 0, tool_choice: chosenTool },
    ],
    ["a model that does not think", plain, { ...wholeBody(), stop: "END", frequency_penalty: 0.5 }],
    ["the name of a user", current, bodyOf({ ...user, name: "Ann" })],
  ],
};
