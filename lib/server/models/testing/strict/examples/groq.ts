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
import { type ServiceExamples, times, without } from "./rule-example";

const [gptOss, llama, qwen] = ["openai/gpt-oss-120b", "llama-3.3-70b-versatile", "qwen/qwen3-32b"];

export const groqExamples: ServiceExamples = {
  broken: [
    ["groq/unknown-fields", gptOss, askedWith({ reasoning: { effort: "low" } })],
    ["groq/message-fields", gptOss, bodyOf(user, { ...answer, reasoning_content: "A sum." }, user)],
    ["groq/reasoning", llama, bodyOf(user, { ...answer, reasoning: "A sum." }, user)],
    ["groq/effort", qwen, askedWith({ reasoning_effort: "low" })],
    ["groq/effort", gptOss, askedWith({ reasoning_effort: "none" })],
    ["groq/json-with-tools", gptOss, askedWith({ tools: [toolOf()], response_format: formatOf() })],
    ["groq/json-with-tools", llama, askedWith({ tools: [toolOf()], response_format: { type: "json_object" } })],
    ["groq/json-schema", llama, askedWith({ response_format: formatOf() })],
    ["groq/tool-count", llama, askedWith({ tools: times(129, (index) => toolOf({ name: `tool_${index}` })) })],
    ["groq/chosen-tool", llama, askedWith({ tools: [toolOf({ name: "read" })], tool_choice: chosenTool })],
  ],
  right: [
    [
      "a whole request",
      gptOss,
      without({ ...wholeBody({ reasoning: "A sum." }), reasoning_effort: "low" }, "response_format"),
    ],
    ["a schema for the answer", gptOss, without(wholeBody({ reasoning: "A sum." }), "tools", "tool_choice")],
    ["a model that does not think", llama, { ...without(wholeBody(), "response_format"), tool_choice: chosenTool }],
    ["a model that thinks or does not", qwen, bodyOf(user, calling({ reasoning: "A sum." }), resultOf())],
  ],
};
