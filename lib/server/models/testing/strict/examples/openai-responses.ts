import "server-only";
import type { JsonObject } from "../../../json";
import { parameters, strictSchema } from "./chat-bodies";
import { type ServiceExamples, times } from "./rule-example";

const [current, plain] = ["gpt-6-sol", "gpt-4.1-mini"];

const user = { role: "user", content: "What is 17 * 3?" };
const call = { type: "function_call", call_id: "call_1", name: "calculate", arguments: '{"sum":"17 * 3"}' };
const result = { type: "function_call_output", call_id: "call_1", output: "51" };
const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAA" };
const commentary = { type: "message", role: "assistant", content: "Let me see.", phase: "commentary" };
const tool = { type: "function", name: "calculate", description: "Calculates.", parameters, strict: false };
const format = { type: "json_schema", name: "answer", schema: strictSchema, strict: true };

const bodyOf = (...input: readonly JsonObject[]): JsonObject => ({ input: input.length > 0 ? input : [user] });
const askedWith = (fields: JsonObject): JsonObject => ({ ...bodyOf(), ...fields });
const withTool = (fields: JsonObject): JsonObject => askedWith({ tools: [{ ...tool, ...fields }] });
const withFormat = (fields: JsonObject): JsonObject => askedWith({ text: { format: { ...format, ...fields } } });
const withSchema = (schema: JsonObject): JsonObject => withFormat({ schema: { ...strictSchema, ...schema } });
const withProperty = (schema: JsonObject): JsonObject => withSchema({ properties: { sum: schema } });

/** Calls and results about `thinking`, with all that a stream of one asks for. */
const whole = (...thinking: readonly JsonObject[]): JsonObject => ({
  instructions: "Be brief.",
  input: [user, ...thinking, call, result, { role: "assistant", content: "It is 51." }, user],
  stream: true,
  store: false,
  max_output_tokens: 16,
  tools: [tool],
  tool_choice: "auto",
  text: { format },
});

export const openAiResponsesExamples: ServiceExamples = {
  broken: [
    ["openai-responses/unknown-fields", current, askedWith({ max_tokens: 400 })],
    ["openai-responses/unknown-item-fields", current, bodyOf({ ...user, name: "Ann" })],
    ["openai-responses/unknown-item-fields", current, bodyOf(user, { type: "thought" })],
    ["openai-responses/roles", current, bodyOf({ role: "tool", content: "51" })],
    ["openai-responses/roles", current, bodyOf({ role: "user" })],
    ["openai-responses/roles", current, bodyOf({ ...user, phase: "commentary" })],
    ["openai-responses/roles", current, bodyOf({ role: "assistant", content: [{ type: "input_text", text: "51" }] })],
    ["openai-responses/temperature", current, askedWith({ temperature: 0.2 })],
    ["openai-responses/temperature", "gpt-5", askedWith({ top_p: 0.5, reasoning: { effort: "minimal" } })],
    ["openai-responses/least-output", current, askedWith({ max_output_tokens: 15 })],
    ["openai-responses/effort", plain, askedWith({ reasoning: { effort: "low" } })],
    ["openai-responses/effort", "gpt-5.1", askedWith({ reasoning: { effort: "minimal" } })],
    ["openai-responses/encrypted-content", plain, askedWith({ include: ["reasoning.encrypted_content"] })],
    [
      "openai-responses/reasoning-not-stored",
      current,
      { ...bodyOf(user, { type: "reasoning", id: "rs_1", summary: [] }, call, result), store: false },
    ],
    ["openai-responses/reasoning-alone", current, bodyOf(user, reasoning)],
    ["openai-responses/reasoning-alone", current, bodyOf(user, reasoning, user)],
    [
      "openai-responses/reasoning-summary",
      current,
      bodyOf(user, { type: "reasoning", encrypted_content: "gAAA" }, call, result),
    ],
    ["openai-responses/call-without-reasoning", current, bodyOf(user, { ...call, id: "fc_1" }, result)],
    ["openai-responses/item-ids", current, bodyOf(user, reasoning, { ...call, id: "call_1" }, result)],
    ["openai-responses/item-ids", current, bodyOf(user, reasoning, reasoning, call, result)],
    [
      "openai-responses/call-ids",
      current,
      bodyOf(user, { ...call, call_id: "c".repeat(65) }, { ...result, call_id: "c".repeat(65) }),
    ],
    ["openai-responses/call-ids", current, bodyOf(user, { type: "function_call", name: "calculate", arguments: "{}" })],
    ["openai-responses/unanswered-calls", current, bodyOf(user, call)],
    ["openai-responses/unanswered-calls", current, bodyOf(user, result)],
    [
      "openai-responses/tool-count",
      current,
      askedWith({ tools: times(129, (index) => ({ ...tool, name: `tool_${index}` })) }),
    ],
    ["openai-responses/tool-names", current, withTool({ name: "pages.read" })],
    ["openai-responses/tool-names", current, bodyOf(user, { ...call, name: "pages.read" }, result)],
    ["openai-responses/tool-parameters", current, withTool({ parameters: { type: "object" } })],
    ["openai-responses/tool-parameters", current, withTool({ strict: null })],
    ["openai-responses/tool-choice", current, askedWith({ tool_choice: "required" })],
    ["openai-responses/tool-choice", current, askedWith({ tools: [tool], tool_choice: "any" })],
    [
      "openai-responses/tool-choice",
      current,
      askedWith({ tools: [tool], tool_choice: { type: "function", name: "read" } }),
    ],
    ["openai-responses/schema", current, withSchema({ type: "array" })],
    ["openai-responses/schema", current, withSchema({ anyOf: [] })],
    ["openai-responses/schema", current, withSchema({ additionalProperties: true })],
    ["openai-responses/schema", current, withSchema({ required: [] })],
    ["openai-responses/schema", current, withProperty({})],
    ["openai-responses/schema", current, withProperty({ type: "array" })],
    ["openai-responses/schema", current, withProperty({ type: "string", format: "uri" })],
    ["openai-responses/schema", current, withProperty({ type: "string", default: "1 + 1" })],
    ["openai-responses/schema-name", current, withFormat({ name: "the answer" })],
    ["openai-responses/schema-name", current, withFormat({ name: null })],
    [
      "openai-responses/json-word",
      current,
      { ...askedWith({ text: { format: { type: "json_object" } } }), instructions: "Write JSON." },
    ],
    [
      "openai-responses/metadata",
      current,
      askedWith({ metadata: Object.fromEntries(times(17, (index) => [`field_${index}`, ""])) }),
    ],
  ],
  right: [
    ["a whole request", current, { ...whole(reasoning, commentary), include: ["reasoning.encrypted_content"] }],
    ["a whole request to a model that does not think", plain, { ...whole(), temperature: 0.2, top_p: 0.5 }],
    ["a model that rests", current, { ...whole(), temperature: 0.2, reasoning: { effort: "none" } }],
    [
      "a text and calls with their ids after reasoning",
      current,
      bodyOf(user, reasoning, { ...commentary, id: "msg_1" }, { ...call, id: "fc_1" }, result),
    ],
    [
      "a question as a text",
      current,
      { input: "What is 17 * 3?", tools: [tool], tool_choice: { type: "function", name: "calculate" } },
    ],
    ["an output after a stored response", current, { ...bodyOf(result), previous_response_id: "resp_1" }],
    [
      "tools that OpenAI runs itself",
      current,
      {
        ...bodyOf(
          user,
          reasoning,
          { type: "web_search_call", id: "ws_1", status: "completed" },
          { role: "assistant", content: "51" },
        ),
        tools: [{ type: "web_search" }],
        tool_choice: { type: "web_search" },
      },
    ],
  ],
};
