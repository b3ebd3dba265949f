import { describe, expect, test } from "vitest";
import type { Json } from "../../flow/flow";
import { sampleNode } from "../testing/run.samples";
import { toSpanId, toTraceId } from "./ids";
import { toAttributes, toNano } from "./otlp";
import { toRequestAttributes } from "./request";
import { toCallId } from "./to-span";

/** The attributes of a call that was sent with this body. */
function requestOf(body: Json, content = false): Record<string, unknown> {
  const request = { provider: "x", url: "", body: { text: JSON.stringify(body) } };
  const attributes = toRequestAttributes(sampleNode(1, "llm_call", { request }), content);
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

describe("settings of a request", () => {
  test.each<[string, Json, Record<string, unknown>]>([
    [
      "OpenAI",
      { temperature: 0.2, top_p: 0.9, max_completion_tokens: 50, seed: 7, stop: ["END"], stream: true },
      {
        "gen_ai.request.temperature": 0.2,
        "gen_ai.request.top_p": 0.9,
        "gen_ai.request.max_tokens": { int: 50 },
        "gen_ai.request.seed": { int: 7 },
        "gen_ai.request.stop_sequences": ["END"],
        "gen_ai.request.stream": true,
      },
    ],
    [
      "Anthropic",
      { max_tokens: 9, stop_sequences: ["a", "b"], stream: false },
      {
        "gen_ai.request.max_tokens": { int: 9 },
        "gen_ai.request.stop_sequences": ["a", "b"],
        "gen_ai.request.stream": false,
      },
    ],
    [
      "Google",
      { generationConfig: { topP: 0, maxOutputTokens: 0, stopSequences: [] } },
      {
        "gen_ai.request.top_p": 0,
        "gen_ai.request.max_tokens": { int: 0 },
        "gen_ai.request.stop_sequences": [],
      },
    ],
    ["of the wrong types", { temperature: "hot", seed: null, stop: "END", stream: 1, generationConfig: [] }, {}],
    ["in no object", ["temperature", 1], {}],
  ])("%s", (_, body, expected) => expect(requestOf(body)).toEqual(expected));

  const tool = { name: "add", description: "Adds" };
  const schema = { type: "object" };
  test.each<[string, Json]>([
    ["OpenAI", { type: "function", function: { ...tool, parameters: schema } }],
    ["Anthropic", { ...tool, input_schema: schema }],
    ["Google", { functionDeclarations: [{ ...tool, parametersJsonSchema: schema }] }],
  ])("tools of %s are written alike, and only with content", (_, offered) => {
    const definition = { type: "function", ...tool, parameters: schema };
    expect(requestOf({ tools: [offered] }, true)).toEqual({ "gen_ai.tool.definitions": JSON.stringify([definition]) });
    expect(requestOf({ tools: [offered] })).toEqual({});
  });

  test("what is no tool is left out", () => {
    expect(requestOf({ tools: [null, 7, {}, { function: {} }, { functionDeclarations: [{}] }] }, true)).toEqual({});
  });
});

test("attributes: a value of each type, and none for what has no value", () => {
  const input = {
    a: "",
    b: false,
    c: 0.5,
    d: { int: 3 },
    e: ["x"],
    f: undefined,
    g: Number.NaN,
    h: { int: 0.5 },
    i: [],
  };
  expect(toAttributes(input)).toEqual([
    { key: "a", value: { stringValue: "" } },
    { key: "b", value: { boolValue: false } },
    { key: "c", value: { doubleValue: 0.5 } },
    { key: "d", value: { intValue: "3" } },
    { key: "e", value: { arrayValue: { values: [{ stringValue: "x" }] } } },
    { key: "i", value: { arrayValue: { values: [] } } },
  ]);
  expect(toAttributes({ a: { int: 2 ** 53 }, b: Number.POSITIVE_INFINITY })).toEqual([]);
});

test.each([
  [1_700_000_000_123, "1700000000123000000"],
  [1_700_000_000_123.25, "1700000000123250000"],
  [1, "1000000"],
  [0, "0"],
  [-5, "0"],
  [Number.NaN, "0"],
  [1e13, "0"],
])("%d ms are %s ns", (ms, ns) => expect(toNano(ms)).toBe(ns));

describe("ids", () => {
  test.each([
    ["018f4e9a-7c1b-4d2e-9a3f-0123456789ab", "018f4e9a7c1b4d2e9a3f0123456789ab"],
    ["018F4E9A-7C1B-4D2E-9A3F-0123456789AB", "018f4e9a7c1b4d2e9a3f0123456789ab"],
  ])("the UUID %s is the id of its trace", (id, traceId) => expect(toTraceId(id)).toBe(traceId));

  test.each(["", "x", "00000000-0000-0000-0000-000000000000", "018f4e9a7c1b4d2e9a3f0123456789a", "😀", "__proto__"])(
    "the id %j of another form has a valid trace id, always the same",
    (id) => {
      expect(toTraceId(id)).toMatch(/^(?!0{32})[\da-f]{32}$/);
      expect(toTraceId(id)).toBe(toTraceId(id));
      expect(toTraceId(id)).not.toBe(toTraceId(`${id}2`));
    },
  );

  test("spans of a run differ, and so do the same steps of two runs", () => {
    const ids = ["a", "b"].flatMap((run) => [1, 2, 0x7fffffff].map((step) => toSpanId(run, step)));
    expect(new Set(ids).size).toBe(6);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{16}$/);
  });

  test.each([
    ["a#llm-2#tool-1", "call_x"],
    ["a#llm-2#tool-2", "call_y"],
    ["a#llm-2#tool-3", undefined],
    ["a#llm-2#tool-0", undefined],
    ["a#tool-1#llm-1", undefined],
    ["a", undefined],
  ])("the tool call %s has the id %s", (path, callId) => {
    expect(toCallId(sampleNode(1, "tool_call", { path }), ["call_x", "call_y"])).toBe(callId);
  });
});
