import "server-only";
import type { Json } from "@/lib/core/flow/flow";
import { countOf, isObject, type JsonObject, textOf } from "../../../json";
import { isSet, objectOf, objectsIn, placesIn } from "../read-body";
import type { ReceivedRequest, StrictRule } from "../strict-rule";

const signatures = "https://ai.google.dev/gemini-api/docs/thought-signatures";
const calling = "https://ai.google.dev/gemini-api/docs/function-calling";
const reference = "https://ai.google.dev/api/generate-content";

const contentsOf = ({ body }: ReceivedRequest): JsonObject[] => objectsIn(body.contents);
const partsOf = (content: JsonObject | undefined): JsonObject[] => objectsIn(content?.parts);
const callsIn = (content: JsonObject | undefined): JsonObject[] =>
  partsOf(content).filter(({ functionCall }) => isSet(functionCall));
const responsesIn = (content: JsonObject | undefined): JsonObject[] =>
  partsOf(content).filter(({ functionResponse }) => isSet(functionResponse));
const configOf = ({ body }: ReceivedRequest): JsonObject => objectOf(body.generationConfig);
const declarationsOf = ({ body }: ReceivedRequest): JsonObject[] =>
  objectsIn(body.tools).flatMap(({ functionDeclarations }) => objectsIn(functionDeclarations));

const isEmptyList = (value: Json): boolean => Array.isArray(value) && value.length === 0;

const dataFields = [
  "text",
  "functionCall",
  "functionResponse",
  "inlineData",
  "fileData",
  "executableCode",
  "codeExecutionResult",
];

/** Where the turn of the user begins that is being answered: older calls are not looked at. */
const currentTurn = (contents: readonly JsonObject[]): number =>
  contents.findLastIndex((content) => content.role !== "model" && responsesIn(content).length === 0);

const knownKeywords = new Set([
  ...["type", "format", "title", "description", "nullable", "enum", "maxItems", "minItems", "properties", "required"],
  ...["minProperties", "maxProperties", "minLength", "maxLength", "pattern", "example", "anyOf", "propertyOrdering"],
  ...["default", "items", "minimum", "maximum"],
]);

export const googleRules: readonly StrictRule[] = [
  {
    id: "google/contents",
    refused: "no `contents`, a content without parts, or a part without data, such as an empty text",
    source: reference,
    seen: "2026-10",
    find: (request) => {
      const contents = contentsOf(request);
      if (contents.length === 0) return "* GenerateContentRequest.contents: contents is not specified\n";
      for (const [index, content] of contents.entries()) {
        const parts = partsOf(content);
        if (parts.length === 0)
          return `* GenerateContentRequest.contents[${index}].parts: contents.parts must not be empty.\n`;
        const empty = parts.findIndex((part) => !dataFields.some((key) => isSet(part[key]) && part[key] !== ""));
        if (empty >= 0)
          return `* GenerateContentRequest.contents[${index}].parts[${empty}].data: required oneof field 'data' must have one initialized field\n`;
      }
      return null;
    },
  },
  {
    id: "google/roles",
    refused: "another role than `user` and `model`",
    source: reference,
    seen: "2026-10",
    find: (request) => {
      const wrong = contentsOf(request).find(({ role }) => isSet(role) && role !== "user" && role !== "model");
      return wrong
        ? `Role '${textOf(wrong.role) ?? ""}' is not supported. Please use a valid role: SYSTEM, SYSTEM_1, USER, ASSISTANT, DEVELOPER, CONTEXT, USER_CONTEXT, MODEL, USER.`
        : null;
    },
  },
  {
    id: "google/last-role",
    refused: "a conversation that ends with the model",
    source: reference,
    seen: "2026-10",
    find: (request) =>
      contentsOf(request).at(-1)?.role === "model"
        ? "Please ensure that single turn requests end with a user role or the role field is empty."
        : null,
  },
  {
    id: "google/call-turns",
    refused: "a turn with function calls that follows neither the user nor a function response",
    source: calling,
    seen: "2026-10",
    find: (request) => {
      const contents = contentsOf(request);
      return contents.some(
        (content, index) => callsIn(content).length > 0 && (index === 0 || contents[index - 1]?.role === "model"),
      )
        ? "Please ensure that function call turn comes immediately after a user turn or after a function response turn."
        : null;
    },
  },
  {
    id: "google/response-turns",
    refused: "function responses that do not follow their calls, or are not as many",
    source: calling,
    seen: "2026-10",
    find: (request) => {
      const contents = contentsOf(request);
      for (const [index, content] of contents.entries()) {
        const [called, answered] = [callsIn(contents[index - 1]).length, responsesIn(content).length];
        if (answered > 0 && called === 0)
          return "Please ensure that function response turn comes immediately after a function call turn.";
        if (called > 0 && answered !== called)
          return "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
      }
      return null;
    },
  },
  {
    id: "google/call-values",
    refused: "`args` or `response` that is no object; a response without a name",
    source: reference,
    seen: "2026-10",
    find: (request) => {
      for (const [index, content] of contentsOf(request).entries())
        for (const part of partsOf(content)) {
          const [call, response] = [part.functionCall, part.functionResponse];
          if (isObject(call) && isSet(call.args) && !isObject(call.args))
            return `Invalid value at 'contents[${index}].parts[0].function_call.args' (type.googleapis.com/google.protobuf.Struct)`;
          if (!isObject(response)) continue;
          if (!isObject(response.response))
            return `Invalid value at 'contents[${index}].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), "text"`;
          if (textOf(response.name) === undefined)
            return `* GenerateContentRequest.contents[${index}].parts[0].function_response.name: Name cannot be empty.\n`;
        }
      return null;
    },
  },
  {
    id: "google/thought-signatures",
    models: /gemini-[3-9]/,
    refused: "the first call of a step of the current turn without its `thoughtSignature` (Gemini 3 and later)",
    source: signatures,
    seen: "2026-10",
    find: (request) => {
      const contents = contentsOf(request);
      const index = contents.findIndex(
        (content, at) =>
          at > currentTurn(contents) && callsIn(content).length > 0 && !isSet(callsIn(content)[0]?.thoughtSignature),
      );
      const name = textOf(objectOf(callsIn(contents[index])[0]?.functionCall).name) ?? "";
      return index < 0
        ? null
        : `Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance. Additional data, function call \`default_api:${name}\` , position ${index + 1}. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.`;
    },
  },
  {
    id: "google/foreign-signatures",
    models: /gemini-[3-9]/,
    refused: "a `thoughtSignature` that it did not write",
    source: signatures,
    seen: "2026-10",
    find: (request) => {
      const known = /^(?:strict-signature-|skip_thought_signature_validator$|context_engineering_is_the_way_to_go$)/;
      const foreign = contentsOf(request)
        .flatMap(partsOf)
        .find(({ thoughtSignature }) => typeof thoughtSignature === "string" && !known.test(thoughtSignature));
      return foreign ? "Corrupted thought signature." : null;
    },
  },
  {
    id: "google/function-names",
    refused: "a name of a function that does not match `^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$`, or that two have",
    source: "google-gemini/gemini-cli#2966",
    seen: "2026-03",
    find: (request) => {
      const names = declarationsOf(request).map(({ name }) => textOf(name) ?? "");
      const index = names.findIndex((name) => !/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(name));
      if (index >= 0)
        return `* GenerateContentRequest.tools[0].function_declarations[${index}].name: Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-), with a maximum length of 64.\n`;
      const twice = names.find((name, at) => names.indexOf(name) !== at);
      return twice === undefined ? null : `Duplicate function declaration found: ${twice}`;
    },
  },
  {
    id: "google/empty-tools",
    refused: "a tool without declarations",
    source: reference,
    seen: "2026-10",
    find: ({ body }) =>
      objectsIn(body.tools).some((tool) => Object.values(tool).every(isEmptyList))
        ? "* GenerateContentRequest.tools[0].tool_type: required one_of 'tool_type' must have one initialized field\n"
        : null,
  },
  {
    id: "google/two-schemas",
    refused: "`parameters` beside `parametersJsonSchema`",
    source: reference,
    seen: "2026-10",
    find: (request) =>
      declarationsOf(request).some((declared) => isSet(declared.parameters) && isSet(declared.parametersJsonSchema))
        ? "* GenerateContentRequest.tools[0].function_declarations[0]: parameters and parameters_json_schema are mutually exclusive\n"
        : null,
  },
  {
    id: "google/schema-keywords",
    refused:
      "a keyword in `parameters` or `responseSchema` that is none of OpenAPI 3.0; `parametersJsonSchema` and `responseJsonSchema` take JSON Schema",
    source: "google-gemini/gemini-cli#5450",
    seen: "2026-10",
    find: (request) => {
      const schemas = [
        ...declarationsOf(request).map(({ parameters }) => parameters),
        configOf(request).responseSchema,
      ];
      for (const schema of schemas.filter(isObject))
        for (const { schema: place } of placesIn(schema)) {
          const unknown = Object.keys(place).find((key) => !knownKeywords.has(key));
          if (unknown !== undefined)
            return `Invalid JSON payload received. Unknown name "${unknown}" at 'tools[0].function_declarations[0].parameters': Cannot find field.`;
        }
      return null;
    },
  },
  {
    id: "google/schema-values",
    refused:
      "in the parameters of a function: a list without `items`, an empty text in `enum`, `required` of a property that is not there",
    source: "microsoft/azure-devops-mcp#139",
    seen: "2026-10",
    find: (request) => {
      for (const [index, declared] of declarationsOf(request).entries()) {
        const parameters = isObject(declared.parametersJsonSchema)
          ? declared.parametersJsonSchema
          : declared.parameters;
        if (!isObject(parameters)) continue;
        for (const { path, schema } of placesIn(parameters)) {
          const place = `* GenerateContentRequest.tools[0].function_declarations[${index}].parameters${path && `.${path}`}`;
          if (schema.type === "array" && !isSet(schema.items)) return `${place}.items: missing field.\n`;
          if (Array.isArray(schema.enum) && schema.enum.includes("")) return `${place}.enum[0]: cannot be empty\n`;
          const names = Object.keys(objectOf(schema.properties));
          const missing =
            Array.isArray(schema.required) &&
            schema.required.find((name) => typeof name === "string" && !names.includes(name));
          if (isSet(missing || undefined)) return `${place}.required[0]: property is not defined\n`;
        }
      }
      return null;
    },
  },
  {
    id: "google/format-beside-tools",
    models: /gemini-(?:1|2)/,
    refused: "`responseMimeType: application/json` beside functions (before Gemini 3)",
    source: "googleapis/python-genai#867",
    seen: "2026-03",
    find: (request) =>
      configOf(request).responseMimeType === "application/json" && declarationsOf(request).length > 0
        ? "Function calling with a response mime type: 'application/json' is unsupported"
        : null,
  },
  {
    id: "google/schema-without-format",
    refused: "a schema for the answer without `responseMimeType: application/json`, or two of them",
    source: reference,
    seen: "2026-10",
    find: (request) => {
      const { responseMimeType: type, responseSchema: open, responseJsonSchema: json } = configOf(request);
      if (isSet(open) && isSet(json)) return "response_schema and response_json_schema are mutually exclusive";
      return (isSet(open) || isSet(json)) && type !== "application/json" && type !== "text/x.enum"
        ? "* GenerateContentRequest.generation_config.response_mime_type: response_schema is only supported with application/json or text/x.enum\n"
        : null;
    },
  },
  {
    id: "google/temperature",
    refused: "`temperature` outside 0 to 2",
    source: reference,
    seen: "2026-10",
    find: (request) => {
      const { temperature } = configOf(request);
      return typeof temperature === "number" && (temperature < 0 || temperature > 2)
        ? "* GenerateContentRequest.generation_config.temperature: temperature must be in the range [0.0, 2.0].\n"
        : null;
    },
  },
  {
    id: "google/max-output-tokens",
    refused: "`maxOutputTokens` below 1, or more than the model writes",
    source: reference,
    seen: "2026-10",
    find: (request) => {
      const { maxOutputTokens: tokens } = configOf(request);
      const most = /gemini-(?:1|2\.0)/.test(request.model) ? 8192 : 65_536;
      if (typeof tokens !== "number") return null;
      if (tokens < 1)
        return "* GenerateContentRequest.generation_config.max_output_tokens: max_output_tokens must be positive.\n";
      return tokens > most
        ? `Unable to submit request because it has a maxOutputTokens value of ${tokens} but the supported range is from 1 (inclusive) to ${most + 1} (exclusive). Update the value and try again.`
        : null;
    },
  },
  {
    id: "google/thinking",
    refused: "`thinkingBudget` beside `thinkingLevel`; `thinkingLevel` before Gemini 3",
    source: "https://ai.google.dev/gemini-api/docs/thinking",
    seen: "2026-10",
    find: (request) => {
      const { thinkingBudget: budget, thinkingLevel: level } = objectOf(configOf(request).thinkingConfig);
      if (isSet(budget) && isSet(level)) return "thinking_budget and thinking_level are not supported together.";
      return isSet(level) && /gemini-[12]/.test(request.model)
        ? "Thinking level is not supported for this model."
        : null;
    },
  },
  {
    id: "google/candidates",
    models: /gemini-[3-9]/,
    refused: "`candidateCount` above 1 (Gemini 3 and later)",
    source: reference,
    seen: "2026-10",
    find: (request) =>
      countOf(configOf(request).candidateCount) > 1 ? "Multiple candidates is not enabled for this model" : null,
  },
  {
    id: "google/gemma",
    models: /gemma-3/,
    refused: "`systemInstruction`, functions and JSON for Gemma 3",
    source: "https://ai.google.dev/gemma/docs/core/gemma_on_gemini_api",
    seen: "2026-10",
    find: (request) => {
      const { model, body } = request;
      if (isSet(body.systemInstruction)) return `Developer instruction is not enabled for models/${model}`;
      if (declarationsOf(request).length > 0) return `Function calling is not enabled for models/${model}`;
      return isSet(configOf(request).responseMimeType) ? `JSON mode is not enabled for models/${model}` : null;
    },
  },
];
