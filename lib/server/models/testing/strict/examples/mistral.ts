import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { JsonObject } from "../../../json";
import {
  answer,
  askedWith,
  bodyOf,
  calling,
  callOf,
  conversation,
  parameters,
  resultOf,
  system,
  toolOf,
  user,
  wholeBody,
} from "./chat-bodies";
import { type ServiceExamples, without } from "./rule-example";

const [current, reasoning, older] = ["mistral-large-latest", "magistral-medium-latest", "open-mistral-7b"];
const id = "abcDEF123";

const called = (fields: JsonObject = {}, name = "calculate"): JsonObject => calling(fields, { id, name });
const twice = called({ tool_calls: [callOf({ id }), callOf({ id })] });
const exclusive = { type: "integer", minimum: 0, exclusiveMinimum: true };
const thought: Json = [
  { type: "thinking", thinking: [{ type: "text", text: "A sum." }] },
  { type: "text", text: "It is 51." },
];

const whole: JsonObject = {
  ...without(wholeBody(), "stream_options"),
  messages: conversation({}, id),
  tool_choice: "any",
  random_seed: 7,
  max_tokens: 400,
};

export const mistralExamples: ServiceExamples = {
  broken: [
    ["mistral/unknown-fields", current, askedWith({ max_completion_tokens: 400 })],
    ["mistral/include-usage", current, askedWith({ stream: true, stream_options: { include_usage: true } })],
    ["mistral/unknown-message-fields", current, bodyOf(user, { ...answer, reasoning_content: "A sum." }, user)],
    ["mistral/unknown-message-fields", current, bodyOf({ ...user, name: "Ann" })],
    ["mistral/call-ids", current, bodyOf(user, calling(), resultOf())],
    ["mistral/role-order", current, bodyOf(user, called(), resultOf(id), user)],
    ["mistral/role-order", current, bodyOf(user, answer, system, user)],
    ["mistral/last-role", current, bodyOf(user, answer)],
    ["mistral/unanswered-calls", current, bodyOf(user, called(), user)],
    ["mistral/unanswered-calls", current, bodyOf(user, called(), resultOf(id), resultOf("abcDEF124"))],
    ["mistral/repeated-ids", current, bodyOf(user, twice, resultOf(id), resultOf(id))],
    ["mistral/empty-messages", current, bodyOf(user, { role: "assistant", content: "" }, user)],
    ["mistral/text-beside-calls", older, bodyOf(user, called({ content: "Let me see." }), resultOf(id))],
    ["mistral/tool-names", current, askedWith({ tools: [toolOf({ name: "pages.read" })] })],
    ["mistral/tool-names", current, bodyOf(user, called({}, "pages.read"), resultOf(id))],
    [
      "mistral/boolean-limits",
      current,
      askedWith({ tools: [toolOf({ parameters: { ...parameters, properties: { sum: exclusive } } })] }),
    ],
  ],
  right: [
    ["a whole request", current, whole],
    ["a whole request to an older model", older, whole],
    ["a text beside calls", current, bodyOf(user, called({ content: "Let me see." }), resultOf(id))],
    ["thinking that comes back", reasoning, bodyOf(system, user, { role: "assistant", content: thought }, user)],
    ["an answer that goes on", current, bodyOf(user, { ...answer, prefix: true })],
  ],
};
