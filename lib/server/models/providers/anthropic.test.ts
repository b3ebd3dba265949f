import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "@/lib/core/run/events/messages";
import { chunk, type RawServer, sendStream, startRawServer } from "../testing/raw-server";
import { doneIn, failureIn, readAll, reasoningIn, requestOf, sentIn, textIn } from "../testing/read";
import { createAnthropicModel } from "./anthropic";
import { toMessagesRequest } from "./anthropic-request";
import { createOpenAiModel } from "./openai";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Event = Readonly<Record<string, unknown>>;
const sendEvents = (response: ServerResponse, events: readonly Event[]) =>
  sendStream(
    response,
    events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );
const start = (usage: object) => ({
  type: "message_start",
  message: { id: "m", model: "claude-test", content: [], usage },
});
const end = (usage: object, reason = "end_turn") => [
  { type: "message_delta", delta: { stop_reason: reason }, usage },
  { type: "message_stop" },
];

async function ask(events: readonly Event[]) {
  server = await startRawServer((response) => sendEvents(response, events));
  return readAll(createAnthropicModel({ apiKey: "sk-ant-test", baseUrl: server.url }), requestOf());
}

describe("answers of Anthropic", () => {
  it("counts cached input as input, and thinking apart", async () => {
    const events = await ask([
      start({ input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 5, output_tokens: 1 }),
      { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "hm" } },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "ping" },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "yes" } },
      { type: "a_new_kind_of_event" },
      ...end({ output_tokens: 42, output_tokens_details: { thinking_tokens: 30 } }),
    ]);
    expect(textIn(events)).toBe("yes");
    expect(reasoningIn(events)).toBe("hm");
    expect(doneIn(events)).toMatchObject({
      model: "claude-test",
      usage: { input: 115, cached: 100, output: 42, reasoning: 30, estimated: false },
    });
  });

  it("fails inside the stream, keeping the text", async () => {
    const events = await ask([
      start({ input_tokens: 1 }),
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "so far" } },
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    ]);
    expect(textIn(events)).toBe("so far");
    expect(failureIn(events)).toMatchObject({ class: "server", message: "Overloaded" });
  });

  it.each([
    ["max_tokens", "length"],
    ["refusal", "content-filter"],
    ["stop_sequence", "stop"],
    ["something_new", "other"],
  ])("ends with %s", async (reason, expected) => {
    expect(doneIn(await ask([start({ input_tokens: 1 }), ...end({ output_tokens: 1 }, reason)])).finishReason).toBe(
      expected,
    );
  });
});

describe("what Anthropic is asked", () => {
  it("puts system text apart and the results of parallel calls into one user turn", () => {
    const messages: Message[] = [
      { role: "system", content: "one" },
      { role: "system", content: "two" },
      { role: "assistant", content: "earlier" },
      { role: "user", content: " " },
      {
        role: "assistant",
        content: "",
        toolCalls: [
          { id: "a", name: "x", arguments: '{"n":1}' },
          { id: "b", name: "y", arguments: "{broken" },
        ],
      },
      { role: "tool", toolCallId: "a", name: "x", content: "1" },
      { role: "tool", toolCallId: "b", name: "y", content: "bad arguments", isError: true },
      { role: "user", content: "and?" },
    ];
    const body = toMessagesRequest(requestOf({ messages, model: "claude-sonnet-5" }));
    expect(body.system).toBe("one\n\ntwo");
    expect(body.max_tokens).toBe(32_000);
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "(no input)" }] },
      { role: "assistant", content: [{ type: "text", text: "earlier" }] },
      { role: "user", content: [{ type: "text", text: "(no input)" }] },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", name: "x", input: { n: 1 } },
          { type: "tool_use", id: "b", name: "y", input: {} },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a", content: "1" },
          { type: "tool_result", tool_use_id: "b", content: "bad arguments", is_error: true },
          { type: "text", text: "and?" },
        ],
      },
    ]);
  });
});

describe("the tools that Anthropic is told of", () => {
  const spec = { name: "now", description: "The time.", parameters: { type: "object", properties: {} } };
  const messages: Message[] = [
    { role: "user", content: "go" },
    {
      role: "assistant",
      content: "",
      toolCalls: [
        { id: "a", name: "x", arguments: "{}" },
        { id: "b", name: "x", arguments: "{}" },
      ],
    },
    { role: "tool", toolCallId: "a", name: "x", content: "1" },
    { role: "tool", toolCallId: "b", name: "y", content: "2" },
    { role: "user", content: "and?" },
  ];
  const past = (name: string) => ({ name, description: "", input_schema: { type: "object" } });

  it("are those of past calls, forbidden, where no others are offered", () => {
    const body = toMessagesRequest(requestOf({ messages }));
    expect(body.tools).toEqual([past("x"), past("y")]);
    expect(body.tool_choice).toEqual({ type: "none" });
  });

  it("are the offered ones alone where there are any", () => {
    const body = toMessagesRequest(requestOf({ messages, tools: [spec] }));
    expect(body.tools).toEqual([{ name: "now", description: "The time.", input_schema: spec.parameters }]);
    expect(body).not.toHaveProperty("tool_choice");
  });

  it("are none where none was ever called", () => {
    const body = toMessagesRequest(requestOf());
    expect(body).not.toHaveProperty("tools");
    expect(body).not.toHaveProperty("tool_choice");
  });
});

describe("requests to OpenAI and their answers", () => {
  it("limits by max_completion_tokens and reads cached and reasoning tokens", async () => {
    const usage = {
      prompt_tokens: 50,
      completion_tokens: 20,
      total_tokens: 70,
      prompt_tokens_details: { cached_tokens: 30 },
      completion_tokens_details: { reasoning_tokens: 15 },
    };
    server = await startRawServer((response) =>
      sendStream(response, [
        chunk({ role: "assistant", content: "ok" }),
        chunk({}, "length"),
        { choices: [], usage },
        "data: [DONE]\n\n",
      ]),
    );
    const model = createOpenAiModel({ apiKey: "sk-test", baseUrl: `${server.url}/v1` });
    const events = await readAll(model, requestOf({ max_tokens: 20 }));
    const body = JSON.parse(sentIn(events).body);
    expect(body).toMatchObject({ max_completion_tokens: 20, stream_options: { include_usage: true } });
    expect(body).not.toHaveProperty("max_tokens");
    expect(doneIn(events)).toMatchObject({
      finishReason: "length",
      model: "served-model",
      usage: { input: 50, output: 20, cached: 30, reasoning: 15, calls: 1, estimated: false, cost: null },
    });
  });

  it("fails for an error inside the stream", async () => {
    server = await startRawServer((response) =>
      sendStream(response, [
        chunk({ content: "so far" }),
        { error: { message: "The server had an error", type: "server_error" } },
      ]),
    );
    const events = await readAll(createOpenAiModel({ apiKey: "sk-test", baseUrl: `${server.url}/v1` }), requestOf());
    expect(textIn(events)).toBe("so far");
    expect(failureIn(events)).toMatchObject({ class: "server", message: "The server had an error" });
  });
});
