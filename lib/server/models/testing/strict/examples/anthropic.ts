import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { JsonObject } from "../../../json";
import { parameters, strictSchema } from "./chat-bodies";
import { type ServiceExamples, times, without } from "./rule-example";

const [current, always, older, old] = [
  "claude-opus-4-8",
  "claude-opus-5-5",
  "claude-haiku-4-5",
  "claude-3-5-haiku-latest",
];

const user = { role: "user", content: "What is 17 * 3?" };
const answer = { role: "assistant", content: "It is 51." };
const thinking = { type: "thinking", thinking: "A sum.", signature: "Eq" };
const call = { type: "tool_use", id: "toolu_1", name: "calculate", input: { sum: "17 * 3" } };
const result = { type: "tool_result", tool_use_id: "toolu_1", content: "51" };
const tool = { name: "calculate", description: "Calculates.", input_schema: parameters };
const cached = { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } };

const bodyOf = (...messages: readonly JsonObject[]): JsonObject => ({
  max_tokens: 400,
  messages: messages.length > 0 ? messages : [user],
});
const askedWith = (fields: JsonObject): JsonObject => ({ ...bodyOf(), ...fields });
const assistantOf = (...content: readonly Json[]): JsonObject => ({ role: "assistant", content });
const userOf = (...content: readonly Json[]): JsonObject => ({ role: "user", content });
const withTools = (...messages: readonly JsonObject[]): JsonObject => ({ ...bodyOf(...messages), tools: [tool] });
const withTool = (fields: JsonObject): JsonObject => askedWith({ tools: [{ ...tool, ...fields }] });
const withParameters = (schema: JsonObject): JsonObject => withTool({ input_schema: { ...parameters, ...schema } });
const withParameter = (schema: JsonObject): JsonObject => withParameters({ properties: { sum: schema } });
const withSchema = (schema: JsonObject): JsonObject =>
  askedWith({ output_config: { format: { type: "json_schema", schema: { ...strictSchema, ...schema } } } });
const withProperty = (schema: JsonObject): JsonObject => withSchema({ properties: { sum: schema } });
const propertiesOf = (count: number, schema: JsonObject): JsonObject =>
  Object.fromEntries(times(count, (index) => [`field_${index}`, schema]));

const whole: JsonObject = {
  system: [cached],
  max_tokens: 64_000,
  stream: true,
  stop_sequences: ["END"],
  messages: [
    user,
    assistantOf(thinking, { type: "text", text: "Let me see." }, call),
    userOf(result, { type: "text", text: "And as JSON?" }),
  ],
  tools: [tool],
  tool_choice: { type: "auto" },
  output_config: { format: { type: "json_schema", schema: strictSchema } },
};

export const anthropicExamples: ServiceExamples = {
  broken: [
    ["anthropic/unknown-fields", older, askedWith({ seed: 7 })],
    ["anthropic/message-fields", older, bodyOf({ ...user, reasoning_content: "A sum." })],
    ["anthropic/max-tokens", older, without(bodyOf(), "max_tokens")],
    ["anthropic/max-tokens", older, askedWith({ max_tokens: 64_001 })],
    ["anthropic/max-tokens", old, askedWith({ max_tokens: 8193 })],
    ["anthropic/max-tokens", current, askedWith({ max_tokens: 128_001 })],
    ["anthropic/sampling", current, askedWith({ temperature: 0.2 })],
    ["anthropic/sampling", current, askedWith({ top_p: 0.99 })],
    ["anthropic/sampling", "claude-haiku-5-5", askedWith({ top_k: 5 })],
    ["anthropic/two-samplings", older, askedWith({ temperature: 0.2, top_p: 0.5 })],
    ["anthropic/temperature-range", older, askedWith({ temperature: 1.5 })],
    ["anthropic/thinking-disabled", always, askedWith({ thinking: { type: "disabled" } })],
    ["anthropic/thinking-budget", current, askedWith({ thinking: { type: "enabled", budget_tokens: 1024 } })],
    [
      "anthropic/thinking-signature",
      older,
      withTools(user, assistantOf(without(thinking, "signature"), call), userOf(result)),
    ],
    ["anthropic/thinking-last", older, bodyOf(user, assistantOf(thinking), user)],
    ["anthropic/roles", older, { ...bodyOf(), messages: [] }],
    ["anthropic/roles", older, bodyOf({ role: "system", content: "Be brief." }, user)],
    ["anthropic/roles", older, bodyOf(answer, user)],
    ["anthropic/roles", older, bodyOf(user, { role: "system", content: "Be brief." })],
    ["anthropic/prefill", current, bodyOf(user, answer)],
    ["anthropic/trailing-white-space", older, bodyOf(user, { ...answer, content: "It is " })],
    ["anthropic/empty-messages", older, bodyOf(user, assistantOf(), user)],
    ["anthropic/empty-messages", older, bodyOf({ ...user, content: "" })],
    ["anthropic/blank-texts", older, bodyOf({ ...user, content: " " })],
    ["anthropic/blank-texts", older, bodyOf(userOf({ type: "text", text: "" }))],
    ["anthropic/blank-texts", older, askedWith({ system: [{ type: "text", text: "" }] })],
    [
      "anthropic/call-ids",
      older,
      withTools(user, assistantOf({ ...call, id: "calculate:0" }), userOf({ ...result, tool_use_id: "calculate:0" })),
    ],
    [
      "anthropic/call-ids",
      older,
      withTools(user, assistantOf(call), userOf(result), assistantOf(call), userOf(result)),
    ],
    ["anthropic/call-names", older, withTool({ name: "pages.read" })],
    ["anthropic/call-names", older, askedWith({ tools: [tool, tool] })],
    ["anthropic/call-names", older, withTools(user, assistantOf({ ...call, name: "pages.read" }), userOf(result))],
    ["anthropic/call-input", older, withTools(user, assistantOf({ ...call, input: "17 * 3" }), userOf(result))],
    ["anthropic/unanswered-calls", older, withTools(user, assistantOf(call), user)],
    [
      "anthropic/unanswered-calls",
      older,
      withTools(user, assistantOf(call), userOf({ type: "text", text: "Well?" }, result)),
    ],
    ["anthropic/orphans", older, withTools(userOf(result))],
    ["anthropic/orphans", older, withTools(user, assistantOf(call), userOf(result, result))],
    ["anthropic/calls-without-tools", older, bodyOf(user, assistantOf(call), userOf(result))],
    ["anthropic/input-schema", older, askedWith({ tools: [{ name: "calculate" }] })],
    ["anthropic/input-schema", older, withTool({ input_schema: {} })],
    ["anthropic/input-schema", older, withParameters({ anyOf: [{ required: ["sum"] }] })],
    ["anthropic/input-schema", older, withParameters({ properties: { "a sum": { type: "string" } } })],
    ["anthropic/input-schema", older, withParameter({ type: "array", items: [{ type: "string" }] })],
    ["anthropic/input-schema", older, withParameter({ type: "integer", exclusiveMinimum: true })],
    ["anthropic/input-schema", older, withParameter({ type: "string", required: true })],
    ["anthropic/tool-choice", older, askedWith({ tool_choice: { type: "auto" } })],
    ["anthropic/tool-choice", older, { ...withTools(), tool_choice: { type: "tool", name: "read" } }],
    ["anthropic/forced-tools", always, { ...withTools(), tool_choice: { type: "any" } }],
    ["anthropic/structured-output", old, withSchema({})],
    ["anthropic/schema", older, withSchema({ additionalProperties: true })],
    ["anthropic/schema", older, withProperty({ type: "integer", minimum: 1 })],
    ["anthropic/schema", older, withProperty({ type: "array", items: { type: "string" }, minItems: 2 })],
    ["anthropic/schema", older, withProperty({ oneOf: [{ type: "string" }] })],
    ["anthropic/schema", older, withProperty({ $ref: "https://example.com/sum.json" })],
    [
      "anthropic/schema",
      older,
      withSchema({ $defs: { sum: { anyOf: [{ type: "string" }, { $ref: "#/$defs/sum" }] } } }),
    ],
    ["anthropic/schema", older, withProperty({ $ref: "#" })],
    [
      "anthropic/optional-parameters",
      older,
      withSchema({ properties: propertiesOf(25, { type: "string" }), required: [] }),
    ],
    [
      "anthropic/optional-parameters",
      older,
      withSchema({
        properties: propertiesOf(17, { type: ["string", "null"] }),
        required: times(17, (index) => `field_${index}`),
      }),
    ],
    ["anthropic/cache-control", older, askedWith({ system: times(5, () => cached) })],
    ["anthropic/stop-sequences", older, askedWith({ stop_sequences: [" "] })],
  ],
  right: [
    ["a whole request", current, { ...whole, temperature: 1 }],
    ["a whole request to a model that always thinks", always, { ...whole, thinking: { type: "adaptive" } }],
    [
      "a whole request to an older model",
      older,
      { ...whole, temperature: 0.2, tool_choice: { type: "tool", name: "calculate" } },
    ],
    ["the one other `top_p` of Haiku 5.5", "claude-haiku-5-5", askedWith({ top_p: 0.99 })],
    ["a text that goes on", older, bodyOf(user, answer)],
    ["an empty last message of the assistant", older, bodyOf(user, assistantOf())],
    ["a system message in the middle", current, bodyOf(user, { role: "system", content: "Be brief." })],
    [
      "a tool that Anthropic runs itself",
      current,
      askedWith({
        tools: [
          { type: "web_search_20250305", name: "web_search" },
          { type: "mcp_toolset", mcp_server_name: "pages" },
        ],
      }),
    ],
    [
      "a parameter named `cache_control`",
      older,
      withParameters({ properties: propertiesOf(5, { type: "object", properties: { cache_control: {} } }) }),
    ],
  ],
};
