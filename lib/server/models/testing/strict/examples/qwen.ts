import "server-only";
import {
  answer,
  askedWith,
  bodyOf,
  calling,
  chosenTool,
  formatOf,
  resultOf,
  toolOf,
  user,
  wholeBody,
} from "./chat-bodies";
import { type ServiceExamples, without } from "./rule-example";

const [current, open, plain] = ["qwen3.7-plus", "qwen3-235b-a22b-thinking-2507", "qwen-max"];
const streamed = { stream: true };

export const qwenExamples: ServiceExamples = {
  broken: [
    ["qwen/roles", plain, bodyOf({ role: "developer", content: "Be brief." }, user)],
    ["qwen/whole-answers", open, bodyOf()],
    ["qwen/tool-choice", current, askedWith({ tools: [toolOf()], tool_choice: "required" })],
    ["qwen/tool-choice", open, askedWith({ ...streamed, tools: [toolOf()], tool_choice: chosenTool })],
    ["qwen/json-while-thinking", open, askedWith({ ...streamed, response_format: formatOf() })],
    ["qwen/json-word", plain, askedWith({ response_format: { type: "json_object" } })],
    ["qwen/unanswered-calls", plain, bodyOf(user, calling(), user)],
    ["qwen/orphans", plain, bodyOf(user, answer, resultOf())],
    ["qwen/temperature", plain, askedWith({ temperature: 2 })],
  ],
  right: [
    ["a whole request", current, { ...wholeBody({ reasoning_content: "A sum." }), temperature: 1.9 }],
    ["a whole request to an open model", open, without(wholeBody({ reasoning_content: "A sum." }), "response_format")],
    ["a chosen tool without thinking", current, { ...wholeBody(), enable_thinking: false, tool_choice: chosenTool }],
    [
      "a whole answer without thinking",
      "qwen3-32b",
      askedWith({ enable_thinking: false, response_format: formatOf() }),
    ],
    ["a model that does not think", plain, { ...wholeBody(), tool_choice: "required", temperature: 0 }],
  ],
};
