import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { createDemoModel } from "../demo/demo";
import { priceList } from "../pricing/prices";
import { chunk, type RawServer, sendJson, sendStream, startRawServer, withoutResponses } from "../testing/raw-server";
import { doneIn, droppedIn, readAll, requestOf, responseIn } from "../testing/read";
import { createAnthropicModel } from "./anthropic";
import { createCompatibleModel } from "./compatible";
import { createGoogleModel } from "./google";
import { createOpenAiModel } from "./openai";

const apiKey = "sk-test-secret-0123456789";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const serve = async (answer: Parameters<typeof startRawServer>[0]): Promise<string> => {
  server = await startRawServer(answer);
  return server.url;
};

/** With a field that no adapter knows. */
const chatUsage = {
  prompt_tokens: 9,
  completion_tokens: 4,
  completion_tokens_details: { reasoning_tokens: 1 },
  x_new: { a: 1 },
};

describe("the response of the provider is kept", () => {
  test.each([
    ["openai", createOpenAiModel],
    ["compatible", createCompatibleModel],
  ])("a stream of chunks, as one answer: %s", async (_, create) => {
    const frames = [
      { ...chunk({ role: "assistant", content: "Hel" }), system_fingerprint: "fp", service_tier: "flex" },
      chunk({ content: "lo" }),
      chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "now", arguments: '{"a":' } }] }),
      chunk({ tool_calls: [{ index: 0, function: { arguments: "1}" } }] }),
      chunk({}, "tool_calls"),
      { choices: [], usage: chatUsage },
      "data: [DONE]\n\n",
    ];
    const url = await serve(withoutResponses((response) => sendStream(response, frames)));
    const events = await readAll(create({ apiKey, baseUrl: `${url}/v1` }), requestOf());
    expect(responseIn(events)).toEqual({
      id: "chatcmpl-1",
      object: "chat.completion",
      model: "served-model",
      system_fingerprint: "fp",
      service_tier: "flex",
      usage: chatUsage,
      choices: [
        {
          index: 0,
          finish_reason: "tool_calls",
          message: {
            role: "assistant",
            content: "Hello",
            tool_calls: [{ id: "c", type: "function", function: { name: "now", arguments: '{"a":1}' } }],
          },
        },
      ],
    });
  });

  test("thinking in tags, as it came", async () => {
    const url = await serve((response) => sendStream(response, [chunk({ content: "<think>hm</think>yes" }, "stop")]));
    const events = await readAll(createCompatibleModel({ baseUrl: `${url}/v1` }), requestOf());
    expect(doneIn(events).message.content).toBe("yes");
    expect(JSON.stringify(responseIn(events))).toContain("<think>hm</think>yes");
  });

  test("an answer that came at once, as it is", async () => {
    const answer = {
      id: "1",
      extra: true,
      choices: [{ finish_reason: "stop", message: { content: "fine", mood: "good" } }],
      usage: chatUsage,
    };
    const url = await serve((response) => sendJson(response, 200, answer));
    const events = await readAll(createCompatibleModel({ baseUrl: `${url}/v1` }), requestOf());
    expect(responseIn(events)).toEqual(answer);
  });

  test("Anthropic's events, as one message", async () => {
    const streamEvents = [
      {
        type: "message_start",
        message: { id: "m", model: "claude", role: "assistant", content: [], usage: { input_tokens: 3, x_tier: "a" } },
      },
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
      { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "s" } },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "y" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "es" } },
      { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "t", name: "now", input: {} } },
      { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"a":1}' } },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { input_tokens: null, output_tokens: 7 } },
      { type: "message_stop" },
    ];
    const url = await serve((response) =>
      sendStream(
        response,
        streamEvents.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
      ),
    );
    const events = await readAll(createAnthropicModel({ apiKey, baseUrl: url }), requestOf());
    expect(responseIn(events)).toEqual({
      id: "m",
      model: "claude",
      role: "assistant",
      stop_reason: "tool_use",
      usage: { input_tokens: 3, x_tier: "a", output_tokens: 7 },
      content: [
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: "yes" },
        { type: "tool_use", id: "t", name: "now", input: { a: 1 } },
      ],
    });
  });

  test("Google's chunks, as one answer", async () => {
    const part = (given: object, finishReason?: string) => ({
      responseId: "r",
      modelVersion: "gemini",
      candidates: [{ content: { role: "model", parts: [given] }, ...(finishReason && { finishReason }) }],
      usageMetadata: { promptTokenCount: 5, trafficType: "x" },
    });
    const url = await serve((response) =>
      sendStream(response, [
        part({ text: "hm", thought: true }),
        part({ text: "y" }),
        { ...part({ text: "es" }, "STOP"), usageMetadata: { candidatesTokenCount: 2 } },
      ]),
    );
    const events = await readAll(createGoogleModel({ apiKey, baseUrl: url }), requestOf());
    expect(responseIn(events)).toEqual({
      responseId: "r",
      modelVersion: "gemini",
      usageMetadata: { promptTokenCount: 5, trafficType: "x", candidatesTokenCount: 2 },
      candidates: [
        {
          finishReason: "STOP",
          content: { role: "model", parts: [{ text: "hm", thought: true }, { text: "yes" }] },
        },
      ],
    });
  });

  test("a refusal's body, without the key", async () => {
    const url = await serve((response) =>
      sendJson(response, 400, { error: { message: `bad ${apiKey}`, hint: "look here" } }),
    );
    const events = await readAll(createCompatibleModel({ apiKey, baseUrl: `${url}/v1` }), requestOf());
    expect(responseIn(events)).toEqual({ error: { message: "bad [key]", hint: "look here" } });
  });

  test("an answer that repeats the key, without it", async () => {
    const url = await serve((response) => sendStream(response, [chunk({ content: `It is ${apiKey}.` }, "stop")]));
    const events = await readAll(createCompatibleModel({ apiKey, baseUrl: `${url}/v1` }), requestOf());
    expect(doneIn(events).response).not.toContain(apiKey);
  });

  test("the demo is marked as simulated", async () => {
    expect(responseIn(await readAll(createDemoModel(0), requestOf()))).toMatchObject({ simulated: true });
  });
});

describe("what was left out is told with the request", () => {
  const output_schema = { type: "object" };

  test("a schema that a server refuses, with its words", async () => {
    const url = await serve((response, body) =>
      body.includes("response_format")
        ? sendJson(response, 400, { error: { message: "response_format is not supported" } })
        : sendStream(response, [chunk({ content: "{}" }, "stop")]),
    );
    const events = await readAll(createCompatibleModel({ baseUrl: `${url}/v1` }), requestOf({ output_schema }));
    const sent = events.filter((event) => event.type === "sent");
    expect(sent.map(({ dropped }) => dropped?.length ?? 0)).toEqual([0, 1]);
    expect(sent[1]?.dropped?.[0]).toMatchObject({
      parameter: "response_format",
      reason: expect.stringContaining("response_format is not supported"),
    });
  });

  test("a schema that an older Gemini does not take beside tools", async () => {
    const url = await serve((response) => sendJson(response, 500, {}));
    const tools = [{ name: "now", description: "", parameters: {} }];
    const model = createGoogleModel({ apiKey, baseUrl: url });
    const ask = (given: object) => readAll(model, requestOf({ output_schema, ...given }));
    expect(droppedIn(await ask({ model: "gemini-2.5-flash", tools }))).toEqual(["responseJsonSchema"]);
    expect(droppedIn(await ask({ model: "gemini-2.5-flash" }))).toEqual([]);
    expect(droppedIn(await ask({ model: "gemini-3.8-flash", tools }))).toEqual([]);
  });
});

test("the date of the prices belongs to the version that is installed", () => {
  // The package exports `dist` only; its version is in the folder above.
  const entry = createRequire(import.meta.url).resolve("@pydantic/genai-prices");
  const { version } = JSON.parse(readFileSync(path.join(path.dirname(entry), "../package.json"), "utf8"));
  expect(priceList.source).toBe(`@pydantic/genai-prices ${version}`);
  expect(priceList.date).toMatch(/^\d{4}-\d\d-\d\d$/);
});
