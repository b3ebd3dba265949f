import "server-only";
import type { JsonObject } from "../../../json";
import { parameters } from "./chat-bodies";
import { type ServiceExamples, without } from "./rule-example";

const [current, older, gemma] = ["gemini-3-flash-preview", "gemini-2.5-flash", "gemma-3-27b-it"];

const contentOf = (role: string, ...parts: readonly JsonObject[]): JsonObject => ({ role, parts });
const user = contentOf("user", { text: "What is 17 * 3?" });
const answer = contentOf("model", { text: "It is 51." });
const call = { functionCall: { name: "calculate", args: { sum: "17 * 3" } }, thoughtSignature: "strict-signature-1" };
const response = { functionResponse: { name: "calculate", response: { result: "51" } } };
const [calling, responding] = [contentOf("model", call), contentOf("user", response)];
const declared = { name: "calculate", description: "Calculates.", parametersJsonSchema: parameters };
const json = { responseMimeType: "application/json" };

const bodyOf = (...contents: readonly JsonObject[]): JsonObject => ({
  contents: contents.length > 0 ? contents : [user],
});
const askedWith = (fields: JsonObject): JsonObject => ({ ...bodyOf(), ...fields });
const withConfig = (generationConfig: JsonObject): JsonObject => askedWith({ generationConfig });
const withFunctions = (...functionDeclarations: readonly JsonObject[]): JsonObject =>
  askedWith({ tools: [{ functionDeclarations }] });
const withParameter = (schema: JsonObject): JsonObject =>
  withFunctions({ ...declared, parametersJsonSchema: { ...parameters, properties: { sum: schema } } });

const whole: JsonObject = {
  systemInstruction: { parts: [{ text: "Be brief." }] },
  contents: [
    user,
    contentOf("model", { text: "A sum.", thought: true }, call, without(call, "thoughtSignature")),
    contentOf("user", response, response),
  ],
  tools: [{ functionDeclarations: [declared] }],
  generationConfig: { temperature: 0.2, maxOutputTokens: 8192, thinkingConfig: { includeThoughts: true } },
};

export const googleExamples: ServiceExamples = {
  broken: [
    ["google/contents", older, { contents: [] }],
    ["google/contents", older, bodyOf(contentOf("user"))],
    ["google/contents", older, bodyOf(contentOf("user", { text: "" }))],
    ["google/roles", older, bodyOf(contentOf("system", { text: "Be brief." }), user)],
    ["google/last-role", older, bodyOf(user, answer)],
    ["google/call-turns", older, bodyOf(calling, responding)],
    ["google/call-turns", older, bodyOf(user, answer, calling, responding)],
    ["google/response-turns", older, bodyOf(user, responding)],
    ["google/response-turns", older, bodyOf(user, calling, contentOf("user", response, response))],
    ["google/response-turns", older, bodyOf(user, calling, user)],
    [
      "google/call-values",
      older,
      bodyOf(user, contentOf("model", { functionCall: { name: "calculate", args: "17 * 3" } }), responding),
    ],
    [
      "google/call-values",
      older,
      bodyOf(user, calling, contentOf("user", { functionResponse: { name: "calculate", response: "51" } })),
    ],
    ["google/call-values", older, bodyOf(user, calling, contentOf("user", { functionResponse: { response: {} } }))],
    [
      "google/thought-signatures",
      current,
      bodyOf(user, contentOf("model", without(call, "thoughtSignature")), responding),
    ],
    [
      "google/foreign-signatures",
      current,
      bodyOf(user, contentOf("model", { ...call, thoughtSignature: "AAAA" }), responding),
    ],
    ["google/function-names", older, withFunctions({ ...declared, name: "7 sums" })],
    ["google/function-names", older, withFunctions(declared, declared)],
    ["google/empty-tools", older, askedWith({ tools: [{}] })],
    ["google/empty-tools", older, withFunctions()],
    ["google/two-schemas", older, withFunctions({ ...declared, parameters })],
    ["google/schema-keywords", older, withFunctions({ name: "calculate", parameters: { ...parameters, $schema: "" } })],
    ["google/schema-keywords", older, withConfig({ ...json, responseSchema: { type: "string", const: "51" } })],
    ["google/schema-values", older, withParameter({ type: "array" })],
    ["google/schema-values", older, withParameter({ type: "string", enum: ["", "sum"] })],
    ["google/schema-values", older, withParameter({ type: "object", properties: {}, required: ["sum"] })],
    ["google/format-beside-tools", older, { ...withFunctions(declared), generationConfig: json }],
    ["google/schema-without-format", older, withConfig({ responseJsonSchema: parameters })],
    [
      "google/schema-without-format",
      older,
      withConfig({ ...json, responseJsonSchema: parameters, responseSchema: parameters }),
    ],
    ["google/temperature", older, withConfig({ temperature: 2.5 })],
    ["google/max-output-tokens", older, withConfig({ maxOutputTokens: 0 })],
    ["google/max-output-tokens", older, withConfig({ maxOutputTokens: 65_537 })],
    ["google/max-output-tokens", "gemini-2.0-flash", withConfig({ maxOutputTokens: 8193 })],
    ["google/thinking", current, withConfig({ thinkingConfig: { thinkingBudget: 0, thinkingLevel: "low" } })],
    ["google/thinking", older, withConfig({ thinkingConfig: { thinkingLevel: "low" } })],
    ["google/candidates", current, withConfig({ candidateCount: 2 })],
    ["google/gemma", gemma, askedWith({ systemInstruction: { parts: [{ text: "Be brief." }] } })],
    ["google/gemma", gemma, withFunctions(declared)],
    ["google/gemma", gemma, withConfig(json)],
  ],
  right: [
    [
      "a whole request",
      current,
      {
        ...whole,
        generationConfig: { ...json, responseJsonSchema: parameters, thinkingConfig: { thinkingLevel: "low" } },
      },
    ],
    ["a whole request to an older model", older, whole],
    ["a schema for the answer", older, withConfig({ ...json, responseSchema: parameters, candidateCount: 2 })],
    [
      "a call of an older turn without its signature",
      current,
      bodyOf(user, contentOf("model", without(call, "thoughtSignature")), responding, answer, user),
    ],
    ["contents without a role", older, bodyOf(without(user, "role"), calling, without(responding, "role"))],
    ["a tool that Google runs itself", older, askedWith({ tools: [{ googleSearch: {} }] })],
    ["a question to Gemma 3", gemma, bodyOf(user, answer, user)],
  ],
};
