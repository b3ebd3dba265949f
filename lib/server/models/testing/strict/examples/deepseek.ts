import "server-only";
import {
  answer,
  askedWith,
  bodyOf,
  calling,
  chosenTool,
  formatOf,
  image,
  resultOf,
  toolOf,
  user,
  wholeBody,
} from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [v4, v3, r1] = ["deepseek-v4-pro", "deepseek-chat", "deepseek-reasoner"];
const json = { response_format: { type: "json_object" } };

export const deepSeekExamples: ServiceExamples = {
  broken: [
    ["deepseek/reasoning-content", v4, bodyOf(user, calling(), resultOf())],
    ["deepseek/tool-choice", v4, askedWith({ tools: [toolOf()], tool_choice: "required" })],
    ["deepseek/tool-choice", v4, askedWith({ tools: [toolOf()], tool_choice: chosenTool })],
    ["deepseek/json-schema", v3, askedWith({ response_format: formatOf() })],
    ["deepseek/json-word", v3, askedWith(json)],
    ["deepseek/images", v3, bodyOf({ role: "user", content: [image] })],
    ["deepseek/unanswered-calls", v3, bodyOf(user, calling(), user)],
    ["deepseek/tool-names", v3, askedWith({ tools: [toolOf({ name: "pages.read" })] })],
    ["deepseek/max-tokens", v3, askedWith({ max_tokens: 8193 })],
    ["deepseek/max-tokens", r1, askedWith({ max_tokens: 65_537 })],
    ["deepseek/max-tokens", v4, askedWith({ max_tokens: 0 })],
    ["deepseek/successive-messages", r1, bodyOf(user, user)],
    ["deepseek/last-message", r1, bodyOf(user, answer)],
  ],
  right: [
    ["a whole request", v4, { ...wholeBody({ reasoning_content: "A sum." }), ...json, max_tokens: 393_216 }],
    ["a call with empty thinking", v4, bodyOf(user, calling({ reasoning_content: "" }), resultOf())],
    [
      "a chosen tool without thinking",
      v4,
      { ...wholeBody(), ...json, thinking: { type: "disabled" }, tool_choice: chosenTool },
    ],
    ["a whole request to V3", v3, { ...wholeBody(), ...json, tool_choice: "required", max_tokens: 8192 }],
    ["an answer that goes on", r1, bodyOf(user, { ...answer, prefix: true })],
  ],
};
