import "server-only";
import { isObject, type JsonObject, textOf } from "../../../json";
import { findUnknown } from "../chat-conversation";
import { isObjectSchema, isSet, objectOf, objectsIn, placesIn, quote } from "../read-body";
import type { ReceivedRequest, StrictRule } from "../strict-rule";

/** https://platform.claude.com/docs/en/api/messages */
const bodyFields = new Set([
  ...["cache_control", "container", "context_management", "inference_geo", "max_tokens", "mcp_servers", "messages"],
  ...["metadata", "model", "output_config", "service_tier", "stop_sequences", "stream", "system", "temperature"],
  ...["thinking", "tool_choice", "tools", "top_k", "top_p"],
]);

/** Opus 4.7 and all later ones. */
const withoutSampling = /claude-(?:opus-4-[7-9]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])/;
/** They refuse to go on from a text of the assistant: 4.6 and later. */
const withoutPrefill = /claude-(?:(?:opus|sonnet)-4-[6-9]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])/;
const alwaysThinking = /claude-(?:opus-5-5|sonnet-5-5|(?:fable|mythos)-)/;
const chosenTools = /claude-(?:opus-5-5|sonnet-5-5|(?:fable|mythos)-5-[1-9])/;
/** They take a system message in the middle of a conversation. */
const midSystem = /claude-(?:opus-4-8|(?:opus|haiku|fable|mythos)-[5-9]|sonnet-5-5)/;
const structured = /claude-(?:opus-4-[1-9]|(?:sonnet|haiku)-4-[5-9]|(?:opus|sonnet|haiku|fable|mythos)-[5-9])/;

const mostTokens = (model: string): number => {
  if (/claude-3-(?:haiku|opus|sonnet)/.test(model)) return 4096;
  if (/claude-3-5/.test(model)) return 8192;
  if (/claude-opus-4(?:-1|-0|-\d{8}|$)/.test(model)) return 32_000;
  return /claude-(?:3-7|(?:sonnet|haiku|opus)-4-[0-5]|sonnet-4(?:-\d{8}|$))/.test(model) ? 64_000 : 128_000;
};

interface Block {
  /** `messages.1.content.0` */
  path: string;
  role: string;
  block: JsonObject;
}

const messagesOf = ({ body }: ReceivedRequest): JsonObject[] => objectsIn(body.messages);

const contentOf = ({ content }: JsonObject): JsonObject[] =>
  typeof content === "string" && content !== "" ? [{ type: "text", text: content }] : objectsIn(content);

const blocksOf = (request: ReceivedRequest): Block[] =>
  messagesOf(request).flatMap((message, index) =>
    contentOf(message).map((block, at) => ({
      path: `messages.${index}.content.${at}`,
      role: textOf(message.role) ?? "",
      block,
    })),
  );

const isThinkingBlock = ({ type }: JsonObject): boolean => type === "thinking" || type === "redacted_thinking";

/** Whether a tool is the client's own; others have a type and neither name nor schema of their own. */
const isCustomTool = ({ type }: JsonObject): boolean => !isSet(type) || type === "custom";

/** The ids of the blocks of one type in a message. */
const idsOf = (message: JsonObject | undefined, type: string, key: string): string[] =>
  message
    ? contentOf(message)
        .filter((block) => block.type === type)
        .map((block) => textOf(block[key]) ?? "")
    : [];

/** A rule of the schemas that Claude enforces: https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
function findSchemaFault(schema: JsonObject): string | null {
  for (const { schema: place } of placesIn(schema)) {
    if (isObjectSchema(place) && place.additionalProperties !== false)
      return "For 'object' type, 'additionalProperties' must be explicitly set to false";
    const type = textOf(place.type) ?? "object";
    const refused = [
      "minimum",
      "maximum",
      "exclusiveMinimum",
      "exclusiveMaximum",
      "multipleOf",
      "minLength",
      "maxLength",
      "maxItems",
      "uniqueItems",
      "patternProperties",
      "propertyNames",
      "minProperties",
      "maxProperties",
      "contains",
    ].find((key) => isSet(place[key]));
    if (refused !== undefined) return `For '${type}' type, property '${refused}' is not supported`;
    if (typeof place.minItems === "number" && place.minItems > 1)
      return "For 'array' type, 'minItems' values other than 0 or 1 are not supported";
    const combined = ["oneOf", "not", "if"].find((key) => isSet(place[key]));
    if (combined !== undefined) return `Schema type '${combined}' is not supported`;
    if (typeof place.$ref === "string" && !place.$ref.startsWith("#")) return "External references are not supported";
  }
  return isRecursive(schema) ? "Circular reference detected in schema definitions" : null;
}

function isRecursive(schema: JsonObject): boolean {
  if (placesIn(schema).some(({ schema: place }) => place.$ref === "#")) return true;
  const definitions = { ...objectOf(schema.definitions), ...objectOf(schema.$defs) };
  const reaches = (name: string, from: ReadonlySet<string>): boolean => {
    if (from.has(name)) return true;
    const definition = definitions[name];
    if (!isObject(definition)) return false;
    return placesIn(definition).some(
      ({ schema: place }) =>
        typeof place.$ref === "string" && reaches(place.$ref.split("/").at(-1) ?? "", new Set([...from, name])),
    );
  };
  return Object.keys(definitions).some((name) => reaches(name, new Set()));
}

export const anthropicRules: readonly StrictRule[] = [
  {
    id: "anthropic/unknown-fields",
    refused: "a field that it does not know",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: ({ body }) => {
      const unknown = findUnknown(body, bodyFields);
      return unknown === null ? null : `${unknown}: Extra inputs are not permitted`;
    },
  },
  {
    id: "anthropic/message-fields",
    refused: "a field of a message other than `role` and `content`, e.g. `reasoning_content`",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: (request) => {
      for (const [index, message] of messagesOf(request).entries()) {
        const unknown = findUnknown(message, new Set(["role", "content"]));
        if (unknown !== null) return `messages.${index}.${unknown}: Extra inputs are not permitted`;
      }
      return null;
    },
  },
  {
    id: "anthropic/max-tokens",
    refused: "no `max_tokens`, or more than the model writes",
    source: "https://platform.claude.com/docs/en/about-claude/models/overview",
    seen: "2026-10",
    find: ({ body, model }) => {
      if (!isSet(body.max_tokens)) return "max_tokens: Field required";
      const most = mostTokens(model);
      return typeof body.max_tokens === "number" && body.max_tokens > most
        ? `max_tokens: ${body.max_tokens} > ${most}, which is the maximum allowed number of output tokens for ${model}`
        : null;
    },
  },
  {
    id: "anthropic/sampling",
    models: withoutSampling,
    refused: "`temperature` other than 1, `top_p` (Haiku 5.5 takes 0.99) and `top_k` (Opus 4.7 and later, Claude 5)",
    source: "RooCodeInc/Roo-Code#12162",
    seen: "2026-09",
    find: ({ body, model }) => {
      const top = /haiku-5-5/.test(model) ? 0.99 : null;
      const taken = new Map([
        ["temperature", 1],
        ["top_p", top],
        ["top_k", null],
      ]);
      const name = [...taken].find(([parameter, value]) => isSet(body[parameter]) && body[parameter] !== value)?.[0];
      return name === undefined ? null : `\`${name}\` is deprecated for this model.`;
    },
  },
  {
    id: "anthropic/two-samplings",
    models: /claude-(?:opus-4-[1-6]|(?:sonnet|haiku)-4-[56])/,
    refused: "`temperature` beside `top_p`",
    source: "BerriAI/litellm#15097",
    seen: "2026-03",
    find: ({ body }) =>
      isSet(body.temperature) && isSet(body.top_p)
        ? "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
        : null,
  },
  {
    id: "anthropic/temperature-range",
    refused: "`temperature` above 1",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: ({ body }) =>
      typeof body.temperature === "number" && body.temperature > 1 ? "temperature: range: 0..1" : null,
  },
  {
    id: "anthropic/thinking-disabled",
    models: alwaysThinking,
    refused: "`thinking.type: disabled` (models that always think)",
    source: "https://platform.claude.com/docs/en/build-with-claude/thinking",
    seen: "2026-10",
    find: ({ body }) =>
      objectOf(body.thinking).type === "disabled"
        ? '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
        : null,
  },
  {
    id: "anthropic/thinking-budget",
    models: withoutSampling,
    refused: "`thinking.type: enabled` with a budget (Opus 4.7 and later, Claude 5)",
    source: "cloudwego/eino-ext#781",
    seen: "2026-10",
    find: ({ body }) =>
      objectOf(body.thinking).type === "enabled"
        ? '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.'
        : null,
  },
  {
    id: "anthropic/thinking-signature",
    refused: "a thinking block without its signature",
    source: "https://platform.claude.com/docs/en/build-with-claude/thinking",
    seen: "2026-10",
    find: (request) => {
      const found = blocksOf(request).find(({ block }) => block.type === "thinking" && !isSet(block.signature));
      return found ? `${found.path}.thinking.signature: Field required` : null;
    },
  },
  {
    id: "anthropic/thinking-last",
    refused: "a message of the assistant that ends with thinking",
    source: "https://platform.claude.com/docs/en/build-with-claude/thinking",
    seen: "2026-10",
    find: (request) => {
      const index = messagesOf(request).findIndex((message) => {
        const last = contentOf(message).at(-1);
        return message.role === "assistant" && last !== undefined && isThinkingBlock(last);
      });
      return index < 0 ? null : `messages.${index}: The final block in an assistant message cannot be \`thinking\`.`;
    },
  },
  {
    id: "anthropic/roles",
    refused:
      "another role than `user` and `assistant`, but for `system` right after the user (Opus 4.8 and later, Claude 5 but Sonnet 5); a conversation that does not begin with the user",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: (request) => {
      const messages = messagesOf(request);
      if (messages.length === 0) return "messages: at least one message is required";
      const wrong = messages.find(
        ({ role }, index) =>
          role !== "user" && role !== "assistant" && !(role === "system" && messages[index - 1]?.role === "user"),
      );
      if (wrong)
        return `messages: Unexpected role "${textOf(wrong.role) ?? ""}". The Messages API accepts a top-level \`system\` parameter, not "system" as an input message role.`;
      if (messages.some(({ role }) => role === "system") && !midSystem.test(request.model))
        return "role 'system' is not supported on this model";
      return messages[0]?.role === "user" ? null : 'messages: first message must use the "user" role';
    },
  },
  {
    id: "anthropic/prefill",
    models: withoutPrefill,
    refused: "a conversation that ends with the assistant (4.6 and later)",
    source: "https://platform.claude.com/docs/en/api/errors",
    seen: "2026-10",
    find: (request) =>
      messagesOf(request).at(-1)?.role === "assistant"
        ? "This model does not support assistant message prefill. The conversation must end with a user message."
        : null,
  },
  {
    id: "anthropic/trailing-white-space",
    refused: "a last text of the assistant that ends with white space",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: (request) => {
      const last = messagesOf(request).at(-1);
      const text = last?.role === "assistant" ? textOf(contentOf(last).at(-1)?.text) : undefined;
      return text !== undefined && /\s$/.test(text)
        ? "messages: final assistant content cannot end with trailing whitespace"
        : null;
    },
  },
  {
    id: "anthropic/empty-messages",
    refused: "a message without content, but for a last one of the assistant",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: (request) => {
      const index = messagesOf(request).findIndex(
        (message, at, all) =>
          contentOf(message).length === 0 && !(message.role === "assistant" && at === all.length - 1),
      );
      return index < 0
        ? null
        : `messages.${index}: all messages must have non-empty content except for the optional final assistant message`;
    },
  },
  {
    id: "anthropic/blank-texts",
    refused: "an empty text, or one of white space alone, in a message or in `system`",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: (request) => {
      const system = request.body.system;
      const texts = [
        ...(typeof system === "string" ? [["system", system]] : objectsIn(system).map(({ text }) => ["system", text])),
        ...blocksOf(request)
          .filter(({ block }) => block.type === "text")
          .map(({ block }) => ["messages", block.text]),
      ];
      const blank = texts.find(([, text]) => typeof text !== "string" || text.trim() === "");
      if (!blank) return null;
      return textOf(blank[1]) === undefined
        ? `${quote(blank[0])}: text content blocks must be non-empty`
        : `${quote(blank[0])}: text content blocks must contain non-whitespace text`;
    },
  },
  {
    id: "anthropic/call-ids",
    refused: "an id of a tool call that does not match `^[a-zA-Z0-9_-]+$`, or that two calls of a conversation have",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: (request) => {
      const seen = new Set<string>();
      for (const { path, block } of blocksOf(request)) {
        const key = block.type === "tool_result" ? "tool_use_id" : "id";
        if (block.type !== "tool_use" && block.type !== "tool_result") continue;
        const id = textOf(block[key]) ?? "";
        if (!/^[a-zA-Z0-9_-]+$/.test(id))
          return `${path}.${quote(block.type)}.${key}: String should match pattern '^[a-zA-Z0-9_-]+$'`;
        if (block.type === "tool_result") continue;
        if (seen.has(id)) return "messages: `tool_use` ids must be unique";
        seen.add(id);
      }
      return null;
    },
  },
  {
    id: "anthropic/call-names",
    refused:
      "a name of a tool, also of a past call, that does not match `^[a-zA-Z0-9_-]{1,64}$`, or that two tools have",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools",
    seen: "2026-10",
    find: (request) => {
      const tools = objectsIn(request.body.tools);
      const index = tools.findIndex(
        (tool) => isCustomTool(tool) && !/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(tool.name) ?? ""),
      );
      const names = tools.flatMap(({ name }) => textOf(name) ?? []);
      if (index >= 0) return `tools.${index}.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'`;
      if (new Set(names).size < names.length) return "tools: Tool names must be unique.";
      const past = blocksOf(request).find(
        ({ block }) => block.type === "tool_use" && !/^[a-zA-Z0-9_-]{1,64}$/.test(textOf(block.name) ?? ""),
      );
      return past ? `${past.path}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,64}$'` : null;
    },
  },
  {
    id: "anthropic/call-input",
    refused: "`input` of a tool call that is no object",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: (request) => {
      const found = blocksOf(request).find(({ block }) => block.type === "tool_use" && !isObject(block.input));
      return found ? `${found.path}.tool_use.input: Input should be a valid dictionary` : null;
    },
  },
  {
    id: "anthropic/unanswered-calls",
    refused: "tool calls that the next message does not answer at its beginning",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls",
    seen: "2026-10",
    find: (request) => {
      const messages = messagesOf(request);
      for (const [index, message] of messages.entries()) {
        const next = messages[index + 1];
        const blocks = next?.role === "user" ? contentOf(next) : [];
        const end = blocks.findIndex(({ type }) => type !== "tool_result");
        const answered = (end < 0 ? blocks : blocks.slice(0, end)).map(({ tool_use_id: id }) => id);
        const open = idsOf(message, "tool_use", "id").find((id) => !answered.includes(id));
        if (open !== undefined)
          return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${open}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
      }
      return null;
    },
  },
  {
    id: "anthropic/orphans",
    refused: "a result of a tool without its call in the message before, or two of one call",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls",
    seen: "2026-10",
    find: (request) => {
      const messages = messagesOf(request);
      for (const [index, message] of messages.entries()) {
        const called = idsOf(messages[index - 1], "tool_use", "id");
        const answered = idsOf(message, "tool_result", "tool_use_id");
        const orphan = answered.find((id) => !called.includes(id));
        if (orphan !== undefined)
          return `messages.${index}.content.0: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${orphan}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
        const twice = answered.find((id, at) => answered.indexOf(id) !== at);
        if (twice !== undefined)
          return `messages.${index}.content.1: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${twice}`;
      }
      return null;
    },
  },
  {
    id: "anthropic/calls-without-tools",
    refused: "tool calls in the conversation, and no `tools`",
    source: "aws-samples/bedrock-access-gateway#239",
    seen: "2026-04",
    find: (request) =>
      blocksOf(request).some(({ block }) => block.type === "tool_use" || block.type === "tool_result") &&
      objectsIn(request.body.tools).length === 0
        ? "Requests which include `tool_use` or `tool_result` blocks must define tools."
        : null,
  },
  {
    id: "anthropic/input-schema",
    refused:
      "an `input_schema` that is no object, combines at its top (`oneOf`, `allOf`, `anyOf`), has a list as `items`, `exclusiveMinimum: true` or `required: true`, or names of properties that do not match `^[a-zA-Z0-9_.-]{1,64}$`",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools",
    seen: "2026-10",
    find: ({ body }) => {
      for (const [index, tool] of objectsIn(body.tools).entries()) {
        const place = `tools.${index}.custom.input_schema`;
        if (!isCustomTool(tool)) continue;
        if (!isObject(tool.input_schema)) return `${place}: Field required`;
        if (tool.input_schema.type !== "object") return `${place}.type: Input should be 'object'`;
        if (["oneOf", "allOf", "anyOf"].some((key) => isSet(objectOf(tool.input_schema)[key])))
          return `${place}: input_schema does not support oneOf, allOf, or anyOf at the top level`;
        for (const { schema } of placesIn(tool.input_schema)) {
          const names = Object.keys(objectOf(schema.properties));
          if (names.some((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name)))
            return `${place}.properties: Property keys should match pattern '^[a-zA-Z0-9_.-]{1,64}$'`;
          const isOld =
            Array.isArray(schema.items) ||
            typeof schema.exclusiveMinimum === "boolean" ||
            typeof schema.exclusiveMaximum === "boolean" ||
            typeof schema.required === "boolean";
          if (isOld)
            return `${place}: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12). Learn more about tool use at https://docs.claude.com/en/docs/tool-use.`;
        }
      }
      return null;
    },
  },
  {
    id: "anthropic/tool-choice",
    refused: "`tool_choice` without tools, or of a tool that is not declared",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools",
    seen: "2026-10",
    find: ({ body }) => {
      const choice = objectOf(body.tool_choice);
      if (!isSet(choice.type)) return null;
      const names = objectsIn(body.tools).map(({ name }) => name);
      if (names.length === 0) return "tool_choice: tool_choice may only be specified while providing tools";
      return choice.type === "tool" && !names.includes(choice.name ?? "")
        ? `Tool '${textOf(choice.name) ?? ""}' not found in provided tools`
        : null;
    },
  },
  {
    id: "anthropic/forced-tools",
    models: chosenTools,
    refused: "`tool_choice` of `any` or `tool` (models that always think)",
    source: "https://platform.claude.com/docs/en/build-with-claude/thinking",
    seen: "2026-10",
    find: ({ body }) =>
      ["any", "tool"].includes(textOf(objectOf(body.tool_choice).type) ?? "")
        ? 'tool_choice: type "tool" and "any" are not supported for this model.'
        : null,
  },
  {
    id: "anthropic/structured-output",
    refused: "`output_config.format` for a model before Opus 4.1 and 4.5",
    source: "https://platform.claude.com/docs/en/build-with-claude/structured-outputs",
    seen: "2026-08",
    find: ({ body, model }) =>
      isSet(objectOf(body.output_config).format) && !structured.test(model)
        ? `'${model}' does not support output format.`
        : null,
  },
  {
    id: "anthropic/schema",
    refused:
      "a schema with an object without `additionalProperties: false`, with limits of numbers, lengths or lists, `oneOf`, `not`, `if`, or recursion",
    source: "BerriAI/litellm#20813",
    seen: "2026-10",
    find: ({ body }) => {
      const schema = objectOf(objectOf(body.output_config).format).schema;
      const fault = isObject(schema) ? findSchemaFault(schema) : null;
      return fault === null ? null : `output_config.format.schema: ${fault}`;
    },
  },
  {
    id: "anthropic/optional-parameters",
    refused: "more than 24 optional properties, or more than 16 with several types, in a schema",
    source: "https://platform.claude.com/docs/en/build-with-claude/structured-outputs",
    seen: "2026-08",
    find: ({ body }) => {
      const schema = objectOf(objectOf(body.output_config).format).schema;
      if (!isObject(schema)) return null;
      const places = placesIn(schema);
      const optional = places.reduce((count, { schema: place }) => {
        const required = Array.isArray(place.required) ? place.required : [];
        return count + Object.keys(objectOf(place.properties)).filter((name) => !required.includes(name)).length;
      }, 0);
      if (optional > 24)
        return `Schemas contains too many optional parameters (${optional}), which would make grammar compilation inefficient. Reduce the number of optional parameters in your tool schemas (limit: 24).`;
      const unions = places.filter(({ schema: place }) => isSet(place.anyOf) || Array.isArray(place.type)).length;
      return unions > 16
        ? `Schemas contains too many parameters with union types (${unions} parameters with type arrays or anyOf) (limit: 16 parameters with unions).`
        : null;
    },
  },
  {
    id: "anthropic/cache-control",
    refused: "more than four `cache_control`",
    source: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
    seen: "2026-10",
    find: (request) => {
      const { body } = request;
      const blocks = blocksOf(request).flatMap(({ block }) => [block, ...objectsIn(block.content)]);
      const places = [body, ...objectsIn(body.tools), ...objectsIn(body.system), ...blocks];
      const { length } = places.filter(({ cache_control: control }) => isObject(control));
      return length > 4 ? `A maximum of 4 blocks with cache_control may be provided. Found ${length}.` : null;
    },
  },
  {
    id: "anthropic/stop-sequences",
    refused: "a stop sequence of white space alone",
    source: "https://platform.claude.com/docs/en/api/messages",
    seen: "2026-10",
    find: ({ body }) =>
      Array.isArray(body.stop_sequences) &&
      body.stop_sequences.some((text) => typeof text === "string" && text.trim() === "")
        ? "stop_sequences: each stop sequence must contain non-whitespace"
        : null,
  },
];
