import { LLMock } from "@copilotkit/aimock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Message } from "@/lib/core/run/events/messages";
import type { Model } from "@/lib/core/run/ports/model";
import { toolPort } from "../../tools/registry";
import type { ProviderConnection } from "../call/call";
import { startRawServer } from "../testing/raw-server";
import { doneIn, failureIn, readAll, requestOf, sentIn, textIn } from "../testing/read";
import { createAnthropicModel } from "./anthropic";
import { createCompatibleModel } from "./compatible";
import { createGoogleModel } from "./google";
import { createOpenAiModel } from "./openai";

interface Case {
  provider: string;
  /** The path after the server's address. */
  path: string;
  endpoint: string;
  create(connection: ProviderConnection): Model;
  /** Where a request's body holds what was asked for. */
  places: Record<"tools" | "limit" | "temperature" | "schema", string>;
}

const chat = {
  path: "/v1",
  endpoint: "/v1/chat/completions",
  places: {
    tools: "tools",
    limit: "max_tokens",
    temperature: "temperature",
    schema: "response_format.json_schema.schema",
  },
};

const cases: Case[] = [
  {
    provider: "openai",
    path: "/v1",
    endpoint: "/v1/responses",
    create: createOpenAiModel,
    places: { tools: "tools", limit: "max_output_tokens", temperature: "temperature", schema: "text.format.schema" },
  },
  { ...chat, provider: "compatible", create: createCompatibleModel },
  {
    provider: "anthropic",
    path: "",
    endpoint: "/v1/messages",
    create: createAnthropicModel,
    places: { ...chat.places, schema: "output_config.format.schema" },
  },
  {
    provider: "google",
    path: "",
    endpoint: "/v1beta/models/test-model:streamGenerateContent?alt=sse",
    create: createGoogleModel,
    places: {
      tools: "tools[0].functionDeclarations",
      limit: "generationConfig.maxOutputTokens",
      temperature: "generationConfig.temperature",
      schema: "generationConfig.responseJsonSchema",
    },
  },
];

const apiKey = "sk-test-secret-0123456789";
const tools = ["calculator", "current_time"].flatMap((name) => toolPort.find(name)?.spec ?? []);

describe.each(cases)("the provider $provider", ({ provider, path, endpoint, create, places }) => {
  let mock: LLMock;
  beforeEach(async () => {
    mock = new LLMock({ port: 0, host: "127.0.0.1", chunkSize: 8 });
    await mock.start();
  });
  afterEach(() => {
    vi.useRealTimers();
    return mock.stop();
  });
  const connect = (given: ProviderConnection = {}) => create({ apiKey, baseUrl: `${mock.url}${path}`, ...given });

  it("reports the sent request, streams the answer in chunks and counts tokens", async () => {
    const answer = "The quick brown fox jumps over the lazy dog, twice.";
    mock.onMessage("hello", {
      content: answer,
      usage: { prompt_tokens: 21, completion_tokens: 12, input_tokens: 21, output_tokens: 12 },
    });
    const events = await readAll(connect(), requestOf());
    expect(events[0]).toMatchObject({ type: "sent", provider, url: `${mock.url}${endpoint}` });
    expect(events.filter((event) => event.type === "sent")).toHaveLength(1);
    expect(events.filter((event) => event.type === "text").length).toBeGreaterThan(3);
    expect(textIn(events)).toBe(answer);
    const done = doneIn(events);
    expect(done.message).toMatchObject({ role: "assistant", content: answer });
    expect(done.finishReason).toBe("stop");
    expect(done.usage).toMatchObject({ input: 21, output: 12, calls: 1, estimated: false, cost: null });
    expect(done.simulated).toBeUndefined();
  });

  it("yields `sent` before the provider answers", async () => {
    const silentServer = await startRawServer(() => {});
    const stream = create({ apiKey, baseUrl: `${silentServer.url}${path}` }).stream(requestOf());
    const iterator = stream[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toMatchObject({ type: "sent" });
    await iterator.return?.();
    await silentServer.close();
  });

  it("makes the round trip of a tool call", async () => {
    mock.on(
      { userMessage: "sum", hasToolResult: false },
      { toolCalls: [{ id: "call_one", name: "calculator", arguments: '{"expression":"6*7"}' }] },
    );
    mock.on({ userMessage: "sum", hasToolResult: true }, { content: "It is 42." });
    const model = connect();
    const request = requestOf({ user: "sum", tools });
    const first = doneIn(await readAll(model, request));
    expect(first.finishReason).toBe("tool-calls");
    const [call] = first.message.toolCalls ?? [];
    expect(call).toMatchObject({ id: "call_one", name: "calculator" });
    expect(JSON.parse(call?.arguments ?? "")).toEqual({ expression: "6*7" });
    const messages: Message[] = [
      ...request.messages,
      first.message,
      { role: "tool", toolCallId: "call_one", name: "calculator", content: "6*7 = 42" },
    ];
    expect(textIn(await readAll(model, { ...request, messages }))).toBe("It is 42.");
  });

  it("reads two tool calls of one turn, in their order", async () => {
    mock.onMessage("two", {
      toolCalls: [
        { id: "call_a", name: "calculator", arguments: '{"expression":"1+1"}' },
        { id: "call_b", name: "current_time", arguments: '{"time_zone":"Europe/Berlin"}' },
      ],
    });
    const { message } = doneIn(await readAll(connect(), requestOf({ user: "two", tools })));
    expect(message.toolCalls?.map((call) => [call.id, call.name, JSON.parse(call.arguments)])).toEqual([
      ["call_a", "calculator", { expression: "1+1" }],
      ["call_b", "current_time", { time_zone: "Europe/Berlin" }],
    ]);
  });

  it("keeps every character, however the bytes are cut", async () => {
    const answer = 'Grüße 你好 👩‍👩‍👧 \u0000? <b>&amp;</b> "quoted" \\ end';
    mock.onMessage("hello", { content: answer }, { chunkSize: 1 });
    expect(textIn(await readAll(connect(), requestOf()))).toBe(answer);
  });

  it("takes an empty answer for an answer", async () => {
    mock.onMessage("hello", { content: "" });
    expect(doneIn(await readAll(connect(), requestOf())).message).toMatchObject({ role: "assistant", content: "" });
  });

  it.each([
    [401, "auth"],
    [403, "auth"],
    [404, "not-found"],
    [400, "invalid-request"],
    [429, "rate-limit"],
    [500, "server"],
    [529, "server"],
  ])("answers %i with a failure of class %s", async (status, expected) => {
    mock.onMessage("hello", { error: { message: `refused: key ${apiKey} is no good`, type: "some_error" }, status });
    const events = await readAll(connect(), requestOf());
    const failure = failureIn(events);
    expect(failure).toMatchObject({ class: expected, status });
    expect(failure.message).toContain("refused: key [key] is no good");
    expect(JSON.stringify(events)).not.toContain(apiKey);
  });

  it.each(["x", "9-letters"])(
    "leaves texts whole for a key as short as %j, and sends it in a header only",
    async (short) => {
      const message = "the maximum is 9-letters, except for x";
      mock.onMessage("hello", { error: { message, type: "some_error" }, status: 400 });
      const refused = await readAll(connect({ apiKey: short }), requestOf());
      expect(failureIn(refused).message).toContain(message);
      expect(JSON.stringify(refused)).toContain(message);
      mock.onMessage("again", { content: "Nothing of the request's headers." });
      const answered = await readAll(connect({ apiKey: "9-letters" }), requestOf({ user: "again" }));
      expect(textIn(answered)).toBe("Nothing of the request's headers.");
      expect(JSON.stringify(answered)).not.toContain("9-letters");
    },
  );

  it("tells a prompt that is too long from other bad requests", async () => {
    const message = "This model's maximum context length is 8192 tokens, your prompt has 9000.";
    mock.onMessage("hello", { error: { message, code: "context_length_exceeded" }, status: 400 });
    expect(failureIn(await readAll(connect(), requestOf())).class).toBe("context-length");
  });

  it("passes on how long to wait, asks once, and answers the next call", async () => {
    mock.on(
      { userMessage: "hello", sequenceIndex: 0 },
      { error: { message: "slow down" }, status: 429, retryAfter: 7 },
    );
    mock.on({ userMessage: "hello", sequenceIndex: 1 }, { content: "now" });
    const model = connect();
    expect(failureIn(await readAll(model, requestOf()))).toMatchObject({ class: "rate-limit", retryAfterMs: 7000 });
    expect(mock.getRequests()).toHaveLength(1);
    expect(textIn(await readAll(model, requestOf()))).toBe("now");
    expect(mock.getRequests()).toHaveLength(2);
  });

  it.each([500, 502, 503])("does not try again by itself after %i", async (status) => {
    mock.onMessage("hello", { error: { message: "out of order" }, status });
    expect(failureIn(await readAll(connect(), requestOf()))).toMatchObject({ class: "server", status });
    expect(mock.getRequests()).toHaveLength(1);
  });

  it("reports an answer that reached its limit, and keeps the received text", async () => {
    mock.onMessage("hello", { content: "Once upon a", finishReason: "length" });
    expect(doneIn(await readAll(connect(), requestOf({ max_tokens: 3 })))).toMatchObject({
      finishReason: "length",
      message: { content: "Once upon a" },
    });
  });

  it("fails when the stream is cut in the middle, keeping what came", async () => {
    mock.onMessage(
      "hello",
      { content: "one two three four five six seven eight nine ten" },
      { truncateAfterChunks: provider === "openai" ? 9 : 4, streamingProfile: { ttft: 20, tps: 40, jitter: 0 } },
    );
    const events = await readAll(connect(), requestOf());
    expect(textIn(events)).not.toBe("");
    expect(["network", "server"]).toContain(failureIn(events).class);
  });

  it("ends without any wait when it is cancelled while the provider is silent", async () => {
    const controller = new AbortController();
    const server = await startRawServer((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": still thinking\n\n", () => setImmediate(() => controller.abort()));
    });
    const model = create({ apiKey, baseUrl: `${server.url}${path}` });
    // No timer fires: an end that waited for one would never come.
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    const events = await readAll(model, requestOf({ signal: controller.signal }));
    vi.useRealTimers();
    expect(failureIn(events).class).toBe("cancelled");
    await expect.poll(() => server.requests[0]?.socket.destroyed).toBe(true);
    await server.close();
  });

  it("sends nothing when it is cancelled before it begins", async () => {
    const events = await readAll(connect(), requestOf({ signal: AbortSignal.abort() }));
    expect(events).toEqual([{ type: "failed", failure: expect.objectContaining({ class: "cancelled" }) }]);
    expect(mock.getRequests()).toHaveLength(0);
  });

  it("gives a silent provider up after the idle time", async () => {
    const server = await startRawServer(() => {});
    const events = await readAll(create({ apiKey, baseUrl: `${server.url}${path}`, idleMs: 80 }), requestOf());
    expect(failureIn(events)).toMatchObject({ class: "timeout" });
    await server.close();
  });

  it("gives a provider up that falls silent in the middle", async () => {
    mock.onMessage(
      "hello",
      { content: "one two three four five six" },
      { streamingProfile: { ttft: 10, tps: 5, jitter: 0 } },
    );
    const events = await readAll(connect({ idleMs: 120 }), requestOf());
    expect(failureIn(events)).toMatchObject({ class: "timeout" });
  });

  it("ends when it is cancelled in the middle of the answer, long before its end, keeping what came", async () => {
    const streamingProfile = { ttft: 10, tps: 50, jitter: 0 };
    const content = "and so on ".repeat(500);
    mock.onMessage("hello", { content }, { streamingProfile });
    const controller = new AbortController();
    const events = [];
    for await (const event of connect().stream(requestOf({ signal: controller.signal }))) {
      events.push(event);
      if (event.type === "text") controller.abort();
    }
    expect(textIn(events)).not.toBe("");
    expect(textIn(events).length).toBeLessThan(content.length / 10);
    expect(failureIn(events).class).toBe("cancelled");
  });

  it("takes a refused connection for a network failure", async () => {
    const server = await startRawServer(() => {});
    await server.close();
    const events = await readAll(create({ apiKey, baseUrl: `${server.url}${path}` }), requestOf());
    expect(failureIn(events).class).toBe("network");
  });

  it("names equal calls by equal keys where the provider reads them, in characters that a header may have", async () => {
    const server = await startRawServer((response) => response.writeHead(500).end());
    const model = create({ apiKey, baseUrl: `${server.url}${path}` });
    for (const idempotencyKey of ["r:Zoë\n→#llm-1:1", "r:Zoë\n→#llm-1:1", "r:Zoë\n→#llm-1:2", undefined])
      await readAll(model, requestOf(idempotencyKey === undefined ? {} : { idempotencyKey }));
    const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
    await server.close();
    if (provider === "google") return expect(keys).toEqual([undefined, undefined, undefined, undefined]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0], expect.any(String), undefined]);
    expect(keys[2]).not.toBe(keys[0]);
  });

  it("shows the body byte for byte as the server received it, and no key in it", async () => {
    const server = await startRawServer((response) => response.writeHead(500).end("<html>oops</html>"));
    const request = requestOf({ user: 'ümläut \u2028 "x"', tools, temperature: 0.5, max_tokens: 77 });
    const events = await readAll(create({ apiKey, baseUrl: `${server.url}${path}` }), request);
    expect(server.bodies).toEqual([sentIn(events).body]);
    const body = JSON.parse(sentIn(events).body);
    expect(`${sentIn(events).url} ${sentIn(events).body}`).toContain("test-model");
    expect(body).toHaveProperty(places.temperature, 0.5);
    expect(body).toHaveProperty(places.limit, 77);
    expect(body).toHaveProperty(places.tools, [expect.anything(), expect.anything()]);
    expect(JSON.stringify(server.requests[0]?.headers)).toContain(apiKey);
    expect(JSON.stringify(events)).not.toContain(apiKey);
    expect(failureIn(events).message).not.toContain("<html>");
    await server.close();
  });

  it("sends no option that is not set", async () => {
    mock.onMessage("hello", { content: "ok" });
    const body = JSON.parse(sentIn(await readAll(connect(), requestOf())).body);
    for (const place of [places.temperature, places.tools, places.schema]) expect(body).not.toHaveProperty(place);
    // Anthropic alone wants a limit in every request.
    expect(JSON.stringify(body).match(/max_?(?:completion_?|output_?)?tokens/gi) ?? []).toEqual(
      provider === "anthropic" ? ["max_tokens"] : [],
    );
  });

  it("sends the output schema", async () => {
    mock.onMessage("hello", { content: '{"title":"x"}' });
    const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
    const body = JSON.parse(sentIn(await readAll(connect(), requestOf({ output_schema: schema }))).body);
    expect(body).toHaveProperty(places.schema, expect.objectContaining(schema));
  });
});
