import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "@/lib/core/run/events/messages";
import { type RawServer, sendStream, startRawServer } from "../testing/raw-server";
import { doneIn, failureIn, readAll, reasoningIn, requestOf, textIn } from "../testing/read";
import { createAnthropicModel } from "./anthropic";
import { toMessagesRequest } from "./anthropic-request";

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
  const past = (name: string) => ({ name, description: "", input_schema: { type: "object", properties: {} } });

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

it("sends thinking back with its signature, before its call, and not to another model", async () => {
  const frames = [
    { type: "message_start", message: { id: "m", model: "m", content: [], usage: { input_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "", signature: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hmm." } },
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "Eq" } },
    { type: "content_block_start", index: 1, content_block: { type: "redacted_thinking", data: "AAA" } },
    { type: "content_block_start", index: 2, content_block: { type: "text", text: "Let me see." } },
    {
      type: "content_block_start",
      index: 3,
      content_block: { type: "tool_use", id: "toolu_1", name: "sum", input: {} },
    },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  server = await startRawServer((response) =>
    sendStream(
      response,
      frames.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
    ),
  );
  const model = createAnthropicModel({ apiKey: "sk-test", baseUrl: server.url });
  const request = requestOf({ tools: [{ name: "sum", description: "", parameters: { type: "object" } }] });
  const { message } = doneIn(await readAll(model, request));
  const messages: Message[] = [
    ...request.messages,
    message,
    { role: "tool", toolCallId: "toolu_1", name: "sum", content: "4" },
  ];
  const [, turn] = toMessagesRequest({ ...request, messages }).messages;
  expect(turn?.content).toEqual([
    { type: "thinking", thinking: "Hmm.", signature: "Eq" },
    { type: "redacted_thinking", data: "AAA" },
    { type: "text", text: "Let me see." },
    { type: "tool_use", id: "toolu_1", name: "sum", input: {} },
  ]);
  const [, other] = toMessagesRequest({ ...request, model: "claude-other", messages }).messages;
  expect(other?.content).toMatchObject([{ type: "text" }, { type: "tool_use" }]);
});

it("has ids and names of calls that Claude takes", () => {
  const messages: Message[] = [
    {
      role: "assistant",
      content: "",
      toolCalls: [{ id: "functions.transfer_to_b:0", name: "transfer_to_b", arguments: "{}" }],
    },
    { role: "tool", toolCallId: "functions.transfer_to_b:0", name: "transfer_to_b", content: "done" },
  ];
  const [, calling, result] = toMessagesRequest(requestOf({ messages })).messages;
  const id = expect.stringMatching(/^[a-zA-Z0-9_-]+$/);
  expect(calling?.content).toMatchObject([{ type: "tool_use", id }]);
  expect(result?.content).toMatchObject([{ type: "tool_result", tool_use_id: id }]);
});
