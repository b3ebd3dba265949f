import "server-only";
import type { JsonObject } from "../../../json";
import { askedWith, bodyOf, calling, chosenTool, parameters, resultOf, toolOf, user, wholeBody } from "./chat-bodies";
import type { ServiceExamples } from "./rule-example";

const [current, thinking, older] = ["kimi-k3", "kimi-k2-thinking", "moonshot-v1-32k"];
const off = { thinking: { type: "disabled" } };

/** A tool with one parameter by this schema. */
const withParameter = (schema: JsonObject): JsonObject =>
  askedWith({ tools: [toolOf({ parameters: { ...parameters, properties: { sum: schema } } })] });

export const kimiExamples: ServiceExamples = {
  broken: [
    ["kimi/reasoning-content", current, bodyOf(user, calling(), resultOf())],
    ["kimi/tool-choice", current, askedWith({ tools: [toolOf()], tool_choice: "required" })],
    ["kimi/tool-choice", thinking, askedWith({ tools: [toolOf()], tool_choice: chosenTool })],
    ["kimi/temperature", current, askedWith({ temperature: 0.6 })],
    ["kimi/temperature", current, askedWith({ temperature: 1, ...off })],
    ["kimi/top-p", current, askedWith({ top_p: 1 })],
    ["kimi/empty-messages", older, bodyOf(user, { role: "assistant", content: "" }, user)],
    ["kimi/empty-parts", older, bodyOf({ role: "user", content: [{ type: "text", text: "" }] })],
    ["kimi/unanswered-calls", older, bodyOf(user, calling(), user)],
    ["kimi/schema-any-of", older, withParameter({ type: "string", anyOf: [{ type: "string" }] })],
    ["kimi/schema-ref-siblings", older, withParameter({ type: "string", $ref: "#/$defs/sum" })],
    ["kimi/schema-ref-siblings", older, withParameter({ description: "A sum.", $ref: "#/$defs/sum" })],
    ["kimi/schema-ref-place", older, withParameter({ $ref: "#/definitions/sum" })],
    ["kimi/schema-tuples", older, withParameter({ type: "array", items: [{ type: "string" }] })],
  ],
  right: [
    ["a whole request", current, { ...wholeBody({ reasoning_content: "A sum." }), temperature: 1, top_p: 0.95 }],
    ["a chosen tool without thinking", current, { ...wholeBody(), ...off, temperature: 0.6, tool_choice: chosenTool }],
    ["another temperature, to a model that has no fixed one", thinking, askedWith({ temperature: 0.3, top_p: 0.5 })],
    ["an older model", older, { ...wholeBody(), temperature: 0.3, tool_choice: "required" }],
    ["a call with empty thinking", current, bodyOf(user, calling({ content: "", reasoning_content: "" }), resultOf())],
    ["alternatives and references", older, withParameter({ anyOf: [{ type: "number" }, { $ref: "#/$defs/sum" }] })],
  ],
};
