import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import type { JsonObject } from "../../../json";

/** What bodies of Chat Completions are put together from. */

export const user = { role: "user", content: "What is 17 * 3?" };
export const system = { role: "system", content: "Be brief." };
export const answer = { role: "assistant", content: "It is 51." };
export const image = { type: "image_url", image_url: { url: "data:image/png;base64,AA==" } };

interface CallOptions {
  id?: string;
  name?: string;
  arguments?: Json;
}

export const callOf = ({ id = "call_1", name = "calculate", ...options }: CallOptions = {}): JsonObject => ({
  id,
  type: "function",
  function: { name, arguments: options.arguments ?? '{"sum":"17 * 3"}' },
});

/** A message of the assistant with one call; further fields replace its own. */
export const calling = (fields: JsonObject = {}, call: CallOptions = {}): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: [callOf(call)],
  ...fields,
});

export const resultOf = (id = "call_1"): JsonObject => ({ role: "tool", tool_call_id: id, content: "51" });

export const parameters = { type: "object", properties: { sum: { type: "string" } }, required: ["sum"] };

/** A tool; the fields replace those of its function. */
export const toolOf = (fields: JsonObject = {}): JsonObject => ({
  type: "function",
  function: { name: "calculate", description: "Calculates.", parameters, ...fields },
});

export const strictSchema = { ...parameters, additionalProperties: false };

/** The form of the answer: this schema. */
export const formatOf = (schema: JsonObject = strictSchema): JsonObject => ({
  type: "json_schema",
  json_schema: { name: "answer", schema, strict: true },
});

export const chosenTool = { type: "function", function: { name: "calculate" } };

/** The smallest body with these messages; without any, with a question. */
export const bodyOf = (...messages: readonly JsonObject[]): JsonObject => ({
  messages: messages.length > 0 ? messages : [user],
});

/** The smallest body with these fields beside a question. */
export const askedWith = (fields: JsonObject): JsonObject => ({ ...bodyOf(), ...fields });

/** A conversation in which a tool was called and the user asked again. */
export const conversation = (thought: JsonObject = {}, id = "call_1"): JsonObject[] => [
  system,
  user,
  calling(thought, { id }),
  resultOf(id),
  { ...answer, ...thought },
  { role: "user", content: "And as JSON?" },
];

/** A whole request: a stream, tools, a call with its result, thinking that comes back, a schema for the answer. */
export const wholeBody = (thought: JsonObject = {}): JsonObject => ({
  messages: conversation(thought),
  stream: true,
  stream_options: { include_usage: true },
  tools: [toolOf()],
  tool_choice: "auto",
  response_format: formatOf(),
});
