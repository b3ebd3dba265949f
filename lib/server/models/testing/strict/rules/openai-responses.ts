import "server-only";
import { type JsonObject, textOf } from "../../../json";
import { findUnknown } from "../chat-conversation";
import { isSet, objectOf, objectsIn, toolsOf } from "../read-body";
import { type ReceivedRequest, type StrictRule, toRefusal } from "../strict-rule";
import { effortsOf, openAiFamilies } from "./openai-families";
import { findParametersFault, findStrictFault } from "./strict-schema";

/** https://platform.openai.com/docs/api-reference/responses/create */
const bodyFields = new Set([
  ...["background", "context_management", "conversation", "include", "input", "instructions", "max_output_tokens"],
  ...[
    "max_tool_calls",
    "metadata",
    "model",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
  ],
  ...["prompt_cache_retention", "reasoning", "safety_identifier", "service_tier", "store", "stream", "stream_options"],
  ...["temperature", "text", "tool_choice", "tools", "top_logprobs", "top_p", "truncation", "user"],
]);

const itemFields = new Map([
  ["message", new Set(["type", "id", "role", "content", "status", "phase"])],
  ["reasoning", new Set(["type", "id", "summary", "content", "encrypted_content", "status"])],
  ["function_call", new Set(["type", "id", "call_id", "name", "arguments", "status"])],
  ["function_call_output", new Set(["type", "id", "call_id", "output", "status"])],
]);

/** Items whose fields are not held here: calls of OpenAI's own tools with what they found, and others. */
const otherItems =
  /^(?:item_reference|compaction|(?:web_search|file_search|computer|image_generation|code_interpreter|(?:local_)?shell|apply_patch|custom_tool|mcp)_call(?:_output)?|mcp_(?:list_tools|approval_request|approval_response))$/;

const itemsOf = ({ body }: ReceivedRequest) => objectsIn(body.input);
const typeOf = (item: { type?: unknown }): string => textOf(item.type) ?? "message";

/** Whether a model wrote the item: neither the user nor a tool did. */
const isWritten = (item: JsonObject): boolean =>
  typeOf(item) === "message" ? item.role === "assistant" : !typeOf(item).endsWith("_output");

/** Whether there is reasoning in the answer that an item belongs to, before it. */
function followsReasoning(items: readonly JsonObject[], index: number): boolean {
  const start = items.slice(0, index).findLastIndex((item) => !isWritten(item));
  return items.slice(start + 1, index).some((item) => typeOf(item) === "reasoning");
}

/** Whether the model thinks in this request. */
const isThinking = ({ model, body }: ReceivedRequest): boolean =>
  openAiFamilies.thinking.test(model) &&
  !(openAiFamilies.mayRest.test(model) && objectOf(body.reasoning).effort === "none");

export const openAiResponsesRules: readonly StrictRule[] = [
  {
    id: "openai-responses/unknown-fields",
    refused: "a field that it does not know, e.g. `messages`, `max_tokens`, `stop`, `seed`, `response_format`",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    seen: "2026-08",
    find: ({ body }) => {
      const unknown = findUnknown(body, bodyFields);
      return unknown === null ? null : toRefusal(`Unknown parameter: '${unknown}'.`, unknown, "unknown_parameter");
    },
  },
  {
    id: "openai-responses/unknown-item-fields",
    refused: "a field of an item that it does not know",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    seen: "2026-08",
    find: (request) => {
      for (const [index, item] of itemsOf(request).entries()) {
        const known = itemFields.get(typeOf(item));
        if (otherItems.test(typeOf(item))) continue;
        if (!known) return toRefusal(`Invalid value: '${typeOf(item)}'.`, `input[${index}]`, "invalid_value");
        const unknown = findUnknown(item, known);
        const place = `input[${index}].${unknown}`;
        if (unknown !== null) return toRefusal(`Unknown parameter: '${place}'.`, place, "unknown_parameter");
      }
      return null;
    },
  },
  {
    id: "openai-responses/roles",
    refused:
      "another role than `user`, `assistant`, `system` and `developer`; `phase` of another message than the assistant's",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    seen: "2026-08",
    find: (request) => {
      for (const [index, item] of itemsOf(request).entries()) {
        if (typeOf(item) !== "message") continue;
        if (!["user", "assistant", "system", "developer"].includes(textOf(item.role) ?? ""))
          return toRefusal(
            `Invalid value: '${textOf(item.role) ?? ""}'. Supported values are: 'assistant', 'system', 'developer', and 'user'.`,
            `input[${index}]`,
            "invalid_value",
          );
        if (!isSet(item.content))
          return toRefusal(`Missing required parameter: 'input[${index}].content'.`, `input[${index}].content`);
        if (isSet(item.phase) && item.role !== "assistant")
          return toRefusal(`Unknown parameter: 'input[${index}].phase'.`, `input[${index}].phase`, "unknown_parameter");
        const wrong = objectsIn(item.content).find(({ type }) => item.role === "assistant" && type === "input_text");
        if (wrong)
          return toRefusal(
            "Invalid value: 'input_text'. Supported values are: 'output_text' and 'refusal'.",
            `input[${index}].content[0]`,
            "invalid_value",
          );
      }
      return null;
    },
  },
  {
    id: "openai-responses/temperature",
    models: openAiFamilies.thinking,
    refused: "`temperature` and `top_p` while the model thinks",
    source: "BerriAI/litellm#39631",
    seen: "2026-08",
    find: (request) => {
      const name = ["temperature", "top_p"].find((parameter) => isSet(request.body[parameter]));
      return name !== undefined && isThinking(request)
        ? toRefusal(`Unsupported parameter: '${name}' is not supported with this model.`, name)
        : null;
    },
  },
  {
    id: "openai-responses/least-output",
    refused: "`max_output_tokens` below 16",
    source: "vectorize-io/hindsight#58",
    seen: "2026-08",
    find: ({ body }) =>
      typeof body.max_output_tokens === "number" && body.max_output_tokens < 16
        ? toRefusal(
            `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${body.max_output_tokens} instead.`,
            "max_output_tokens",
            "integer_below_min_value",
          )
        : null,
  },
  {
    id: "openai-responses/effort",
    refused: "a `reasoning.effort` that the model does not have; models that do not think have none",
    source: "openai/openai-agents-python#2089",
    seen: "2026-08",
    find: ({ model, body }) => {
      const effort = textOf(objectOf(body.reasoning).effort);
      if (effort === undefined) return null;
      if (openAiFamilies.plain.test(model))
        return toRefusal(
          "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
          "reasoning.effort",
          "unsupported_parameter",
        );
      const known = effortsOf(model);
      return known && !known.includes(effort)
        ? toRefusal(
            `Unsupported value: '${effort}' is not supported with the '${model}' model. Supported values are: ${known.map((value) => `'${value}'`).join(", ")}.`,
            "reasoning.effort",
            "unsupported_value",
          )
        : null;
    },
  },
  {
    id: "openai-responses/encrypted-content",
    models: openAiFamilies.plain,
    refused: '`include: ["reasoning.encrypted_content"]` for a model that does not think',
    source: "pydantic/pydantic-ai#3326",
    seen: "2026-01",
    find: ({ body }) =>
      Array.isArray(body.include) && body.include.includes("reasoning.encrypted_content")
        ? toRefusal("Encrypted content is not supported with this model.", "include")
        : null,
  },
  {
    id: "openai-responses/reasoning-not-stored",
    refused: "a reasoning item without `encrypted_content` while `store` is false: 404",
    source: "can1357/oh-my-pi#41",
    seen: "2026-08",
    find: (request) => {
      const item = itemsOf(request).find(
        (place) => typeOf(place) === "reasoning" && textOf(place.encrypted_content) === undefined,
      );
      return item && request.body.store === false
        ? {
            status: 404,
            message: `Item with id '${textOf(item.id) ?? ""}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
            param: "input",
          }
        : null;
    },
  },
  {
    id: "openai-responses/reasoning-alone",
    refused: "a reasoning item that no message and no call follows",
    source: "mastra-ai/mastra#14048",
    seen: "2026-03",
    find: (request) => {
      const items = itemsOf(request);
      const index = items.findIndex((item, at) => {
        const next = items[at + 1];
        const isFollowed = next !== undefined && isWritten(next);
        return typeOf(item) === "reasoning" && !isFollowed;
      });
      return index < 0
        ? null
        : toRefusal(
            `Item '${textOf(items[index]?.id) ?? ""}' of type 'reasoning' was provided without its required following item.`,
            "input",
          );
    },
  },
  {
    id: "openai-responses/reasoning-summary",
    refused: "a reasoning item without `summary`",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    seen: "2026-08",
    find: (request) => {
      const index = itemsOf(request).findIndex((item) => typeOf(item) === "reasoning" && !Array.isArray(item.summary));
      const place = `input[${index}].summary`;
      return index < 0
        ? null
        : toRefusal(`Missing required parameter: '${place}'.`, place, "missing_required_parameter");
    },
  },
  {
    id: "openai-responses/call-without-reasoning",
    models: openAiFamilies.thinking,
    refused: "a call with its `id`, without a reasoning item before it in the same answer",
    source: "cline/cline#12242",
    seen: "2026-07",
    find: (request) => {
      const items = itemsOf(request);
      const index = items.findIndex(
        (item, at) => typeOf(item) === "function_call" && isSet(item.id) && !followsReasoning(items, at),
      );
      return index < 0
        ? null
        : toRefusal(
            `Item '${textOf(items[index]?.id) ?? ""}' of type 'function_call' was provided without its required 'reasoning' item.`,
            "input",
          );
    },
  },
  {
    id: "openai-responses/item-ids",
    refused: "an `id` of an item that does not begin as its kind does (`fc`, `rs`, `msg`), or that two items have",
    source: "VoltAgent/voltagent#1121",
    seen: "2026-06",
    find: (request) => {
      const prefixes = new Map([
        ["function_call", "fc"],
        ["reasoning", "rs"],
        ["message", "msg"],
      ]);
      const seen = new Set<string>();
      for (const [index, item] of itemsOf(request).entries()) {
        const [id, prefix] = [textOf(item.id), prefixes.get(typeOf(item))];
        if (id === undefined || prefix === undefined) continue;
        if (!id.startsWith(prefix))
          return toRefusal(
            `Invalid 'input[${index}].id': '${id}'. Expected an ID that begins with '${prefix}'.`,
            `input[${index}].id`,
            "invalid_value",
          );
        if (seen.has(id))
          return toRefusal(
            `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
            "input",
          );
        seen.add(id);
      }
      return null;
    },
  },
  {
    id: "openai-responses/call-ids",
    refused: "a `call_id` of more than 64 characters, or none",
    source: "NousResearch/hermes-agent#72006",
    seen: "2026-08",
    find: (request) => {
      for (const [index, item] of itemsOf(request).entries()) {
        if (!typeOf(item).startsWith("function_call")) continue;
        const [id, place] = [textOf(item.call_id), `input[${index}].call_id`];
        if (id === undefined)
          return toRefusal(`Missing required parameter: '${place}'.`, place, "missing_required_parameter");
        if (id.length > 64)
          return toRefusal(
            `Invalid '${place}': string too long. Expected a string with maximum length 64, but got a string with length ${id.length} instead.`,
            place,
            "string_above_max_length",
          );
      }
      return null;
    },
  },
  {
    id: "openai-responses/unanswered-calls",
    refused: "a call without its output, or an output without its call in the input or the response before it",
    source: "continuedev/continue#10092",
    seen: "2026-08",
    find: (request) => {
      const items = itemsOf(request);
      const idsOf = (type: string): (string | undefined)[] =>
        items.filter((item) => typeOf(item) === type).map(({ call_id: id }) => textOf(id));
      const [called, answered] = [idsOf("function_call"), idsOf("function_call_output")];
      const open = called.find((id) => !answered.includes(id));
      if (open !== undefined) return toRefusal(`No tool output found for function call ${open}.`, "input");
      const isContinued = isSet(request.body.previous_response_id) || isSet(request.body.conversation);
      const orphan = isContinued ? undefined : answered.find((id) => !called.includes(id));
      return orphan === undefined
        ? null
        : toRefusal(`No tool call found for function call output with call_id ${orphan}.`, "input");
    },
  },
  {
    id: "openai-responses/tool-count",
    refused: "more than 128 tools",
    source: "musistudio/claude-code-router#686",
    seen: "2025-08",
    find: ({ body }) => {
      const { length } = toolsOf(body);
      return length > 128
        ? toRefusal(
            `Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length ${length} instead.`,
            "tools",
            "array_above_max_length",
          )
        : null;
    },
  },
  {
    id: "openai-responses/tool-names",
    refused: "a name of a tool, also of a past call, that does not match `^[a-zA-Z0-9_-]{1,64}$`",
    source: "openai/openai-dotnet#441",
    seen: "2026-05",
    find: (request) => {
      const pattern = /^[a-zA-Z0-9_-]{1,64}$/;
      const index = toolsOf(request.body).findIndex(({ name, isFunction }) => isFunction && !pattern.test(name));
      const past = itemsOf(request).findIndex(
        (item) => typeOf(item) === "function_call" && !pattern.test(textOf(item.name) ?? ""),
      );
      if (index < 0 && past < 0) return null;
      const place = index < 0 ? `input[${past}].name` : `tools[${index}].name`;
      return toRefusal(
        `Invalid '${place}': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
        place,
        "invalid_value",
      );
    },
  },
  {
    id: "openai-responses/tool-parameters",
    refused:
      "parameters of a tool that are no object with `properties`, or have a list without `items`; with `strict`, which is the default here, also those that structured outputs refuse",
    source: "spring-projects/spring-ai#4776",
    seen: "2026-08",
    find: ({ body }) => {
      for (const [index, { name, parameters, strict, isFunction }] of toolsOf(body).entries()) {
        if (!isFunction) continue;
        const fault = findParametersFault(parameters) ?? (strict === false ? null : findStrictFault(parameters));
        if (fault !== null)
          return toRefusal(
            `Invalid schema for function '${name}': ${fault}`,
            `tools[${index}].parameters`,
            "invalid_function_parameters",
          );
      }
      return null;
    },
  },
  {
    id: "openai-responses/tool-choice",
    refused: "`tool_choice` of `required` without tools, of another word, or of a function that is not declared",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    seen: "2026-06",
    find: ({ body }) => {
      const choice = body.tool_choice;
      if (!isSet(choice)) return null;
      if (choice === "required" && toolsOf(body).length === 0)
        return toRefusal("Tool choice 'required' must be specified with 'tools' parameter.", "tool_choice");
      const name = textOf(objectOf(choice).name);
      if (typeof choice === "string")
        return ["none", "auto", "required"].includes(choice)
          ? null
          : toRefusal(
              `Invalid value: '${choice}'. Supported values are: 'none', 'auto', and 'required'.`,
              "tool_choice",
            );
      return objectOf(choice).type !== "function" || toolsOf(body).some((tool) => tool.name === name)
        ? null
        : toRefusal("Tool choice 'function' not found in 'tools' parameter.", "tool_choice");
    },
  },
  {
    id: "openai-responses/schema",
    refused:
      "a schema with `strict` whose root is no object, with an object without `additionalProperties: false` or with optional properties, with a value without `type`, with `oneOf`, `allOf`, `not`, `if`, `uniqueItems`, `default` or an unknown `format`",
    source: "https://platform.openai.com/docs/guides/structured-outputs",
    seen: "2026-08",
    find: ({ body }) => {
      const format = objectOf(objectOf(body.text).format);
      const fault =
        format.type === "json_schema" && format.strict === true ? findStrictFault(objectOf(format.schema)) : null;
      return fault === null
        ? null
        : toRefusal(
            `Invalid schema for response_format '${textOf(format.name) ?? ""}': ${fault}`,
            "text.format.schema",
            "invalid_json_schema",
          );
    },
  },
  {
    id: "openai-responses/schema-name",
    refused: "a name of a schema that does not match `^[a-zA-Z0-9_-]{1,64}$`, or none",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    seen: "2026-08",
    find: ({ body }) => {
      const format = objectOf(objectOf(body.text).format);
      if (format.type !== "json_schema") return null;
      const name = textOf(format.name);
      if (name === undefined) return toRefusal("Missing required parameter: 'text.format.name'.", "text.format.name");
      return /^[a-zA-Z0-9_-]{1,64}$/.test(name)
        ? null
        : toRefusal("Invalid 'text.format.name': string does not match pattern.", "text.format.name", "invalid_value");
    },
  },
  {
    id: "openai-responses/json-word",
    refused: 'a format of type `json_object`, where the input lacks the word "json"; `instructions` do not count',
    source: "https://platform.openai.com/docs/guides/structured-outputs",
    seen: "2026-08",
    find: ({ body }) =>
      objectOf(objectOf(body.text).format).type === "json_object" && !/json/i.test(JSON.stringify(body.input))
        ? toRefusal(
            "Response input messages must contain the word 'json' in some form to use 'text.format' of type 'json_object'.",
            "input",
          )
        : null,
  },
  {
    id: "openai-responses/metadata",
    refused: "more than 16 fields of `metadata`",
    source: "https://platform.openai.com/docs/api-reference/responses/create",
    seen: "2026-08",
    find: ({ body }) => {
      const { length } = Object.keys(objectOf(body.metadata));
      return length > 16
        ? toRefusal(
            `Invalid 'metadata': too many properties. Expected an object with at most 16 properties, but got an object with ${length} properties instead.`,
            "metadata",
            "object_above_max_properties",
          )
        : null;
    },
  },
];
