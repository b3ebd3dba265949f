import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { toolPort } from "../../tools/registry";
import {
  chunk,
  type RawServer,
  responseMessage,
  sendJson,
  sendResponse,
  sendStream,
  startRawServer,
} from "../testing/raw-server";
import { doneIn, readAll, reasoningIn, requestOf, responseIn, textIn } from "../testing/read";
import { createAnthropicModel } from "./anthropic";
import { createCompatibleModel } from "./compatible";
import { createGoogleModel } from "./google";
import { createOpenAiModel } from "./openai";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Answer = (response: ServerResponse, body: string) => void;

async function ask(answer: Answer, request: ModelRequest = requestOf(), create = createCompatibleModel) {
  server = await startRawServer(answer);
  return readAll(create({ apiKey: "sk-test-secret", baseUrl: server.url }), request);
}
const frames =
  (...given: unknown[]): Answer =>
  (response) =>
    sendStream(response, given);
const stream =
  (...frames: unknown[]): Answer =>
  (response) =>
    sendStream(response, [...frames, "data: [DONE]\n\n"]);

const tools = ["calculator"].flatMap((name) => toolPort.find(name)?.spec ?? []);
const withTools = requestOf({ tools });
const call = (piece: object) => chunk({ tool_calls: [piece] });
const now = { name: "now", arguments: "{}" };
const whole = { index: 0, id: "x", function: now };

describe("deviations that are corrected are noted once each", () => {
  it.each<[name: string, answer: Answer, notes: RegExp[]]>([
    ["none", stream(call(whole), chunk({}, "tool_calls")), []],
    ["none in text", stream(chunk({ content: "fine" }, "stop")), []],
    [
      "missing ids",
      stream(call({ index: 0, function: now }), call({ index: 1, function: now }), chunk({}, "tool_calls")),
      [/without an id/],
    ],
    ["the same id twice", stream(call(whole), chunk({ tool_calls: [whole] }), chunk({}, "tool_calls")), []],
    [
      "one id for two calls",
      stream(
        chunk({ tool_calls: [whole, { index: 1, id: "x", function: { name: "later", arguments: "{}" } }] }),
        chunk({}, "tool_calls"),
      ),
      [/same id/],
    ],
    ["a missing index", stream(call({ id: "x", function: now }), chunk({}, "tool_calls")), [/without an index/]],
    [
      "a reused index",
      stream(call(whole), call({ index: 0, id: "y", function: now }), chunk({}, "tool_calls")),
      [/same index/],
    ],
    [
      "arguments as an object",
      stream(call({ ...whole, function: { name: "now", arguments: {} } }), chunk({}, "tool_calls")),
      [/as an object/],
    ],
    [
      "no arguments",
      stream(call({ ...whole, function: { name: "now", arguments: "" } }), chunk({}, "tool_calls")),
      [/without arguments/],
    ],
    ["finish_reason stop with calls", stream(call(whole), chunk({}, "stop")), [/does not announce/]],
    ["finish_reason tool_calls without calls", stream(chunk({ content: "hi" }, "tool_calls")), [/there are none/]],
    ["a missing finish_reason", stream(chunk({ content: "hi" })), [/without a finish_reason/]],
    [
      "JSON for a stream",
      (response) =>
        sendJson(response, 200, {
          choices: [
            { message: { content: "hi", tool_calls: [{ id: "x", function: now }] }, finish_reason: "tool_calls" },
          ],
        }),
      [/one JSON body/],
    ],
    [
      "several at once",
      stream(call({ function: { name: "now", arguments: {} } }), chunk({}, "stop")),
      [/without an index/, /as an object/, /without an id/, /does not announce/],
    ],
  ])("%s", async (_, answer, notes) => {
    const done = doneIn(await ask(answer));
    expect(done.notes).toEqual(
      notes.map((message) => ({ code: "provider-deviation", message: expect.stringMatching(message) })),
    );
  });

  it("of Gemini, too", async () => {
    const functionCall = { id: "x", name: "now", args: {} };
    const parts = [{ functionCall }, { functionCall }];
    const answer = frames({ candidates: [{ content: { role: "model", parts }, finishReason: "STOP" }] });
    expect(doneIn(await ask(answer, requestOf(), createGoogleModel)).notes).toMatchObject([
      { code: "provider-deviation", message: expect.stringContaining("same id") },
    ]);
  });
});

const hermes = '<tool_call>\n{"name": "calculator", "arguments": {"expression": "17 * 3"}}\n</tool_call>';
const inPieces = (text: string) => [...text].map((content) => chunk({ content }));

describe("a tool call in the text", () => {
  it.each([
    ["Hermes", hermes],
    ["Qwen", "<function=calculator>\n<parameter=expression>\n17 * 3\n</parameter>\n</function>"],
    ["Mistral", '[TOOL_CALLS] [{"name":"calculator","arguments":{"expression":"17 * 3"}}]'],
    ["Llama", '<|python_tag|>{"name":"calculator","parameters":{"expression":"17 * 3"}}'],
    ["bare JSON", '{"name":"calculator","parameters":{"expression":"17 * 3"}}'],
    ["fenced JSON", '```json\n{"name":"calculator","arguments":{"expression":"17 * 3"}}\n```'],
  ])("of %s is read, never shown as words, and noted", async (_, text) => {
    const events = await ask(stream(...inPieces(`<think>hm</think>${text}`), chunk({}, "stop")), withTools);
    expect(reasoningIn(events)).toBe("hm");
    expect(textIn(events)).toBe("");
    const done = doneIn(events);
    expect(done).toMatchObject({
      finishReason: "tool-calls",
      message: { content: "", toolCalls: [{ id: "call_2_1", name: "calculator" }] },
      notes: [{ code: "provider-deviation", message: expect.stringContaining("came as text") }],
    });
    expect(JSON.parse(done.message.toolCalls?.[0]?.arguments ?? "")).toEqual({ expression: "17 * 3" });
    expect(responseIn(events)).toMatchObject({ choices: [{ message: { content: `<think>hm</think>${text}` } }] });
  });

  it("keeps the words before it, also in a whole answer", async () => {
    const message = { role: "assistant", content: `I calculate.\n${hermes}` };
    const events = await ask(
      (response) => sendJson(response, 200, { choices: [{ message, finish_reason: "stop" }] }),
      withTools,
    );
    expect(textIn(events)).toBe("I calculate.\n");
    expect(doneIn(events).message).toMatchObject({ content: "I calculate.\n", toolCalls: [{ name: "calculator" }] });
  });

  it.each<[string, string]>([
    ["of a tool that is not offered", hermes.replace("calculator", "shell")],
    ["whose arguments are no object", hermes.replace(/\{"expression.*?\}/, "[17]")],
    ["that is cut", hermes.slice(0, 60)],
    ["with words after it", `${hermes}\nThat is how it is done.`],
  ])("%s stays text, with a warning", async (_, text) => {
    const events = await ask(stream(...inPieces(text), chunk({}, "stop")), withTools);
    expect(textIn(events)).toBe(text);
    expect(doneIn(events)).toMatchObject({ finishReason: "stop", notes: [{ code: "tool-call-in-text" }] });
    expect(doneIn(events).message).not.toHaveProperty("toolCalls");
  });

  it("that is cut by the output limit stays text, with both warnings to come", async () => {
    const events = await ask(stream(chunk({ content: hermes.slice(0, 60) }), chunk({}, "length")), withTools);
    expect(doneIn(events)).toMatchObject({ finishReason: "length", notes: [{ code: "tool-call-in-text" }] });
  });

  it("is never read where no tools are offered, or the server refused them", async () => {
    expect(textIn(await ask(stream(chunk({ content: hermes }, "stop"))))).toBe(hermes);
    await server?.close();
    const events = await ask(
      (response, body) =>
        body.includes('"tools"')
          ? sendJson(response, 400, { error: { message: "does not support tools" } })
          : stream(chunk({ content: hermes }, "stop"))(response, body),
      withTools,
    );
    expect(textIn(events)).toBe(hermes);
    expect(doneIn(events).notes).toMatchObject([{ code: "tool-call-in-text" }]);
  });

  it("stays text beside calls of the server's own", async () => {
    const events = await ask(
      stream(chunk({ content: hermes }), call({ index: 0, id: "x", function: now }), chunk({}, "tool_calls")),
      withTools,
    );
    expect(doneIn(events).message).toMatchObject({ content: hermes, toolCalls: [{ id: "x", name: "now" }] });
  });

  it("as JSON stays text where the agent answers with JSON", async () => {
    const text = '{"name":"calculator","arguments":{"expression":"1"}}';
    const output_schema = { type: "object" };
    const events = await ask(stream(chunk({ content: text }, "stop")), requestOf({ tools, output_schema }));
    expect(doneIn(events).message).toEqual({ role: "assistant", content: text });
  });

  it.each([
    ["openai", createOpenAiModel, (response: ServerResponse) => sendResponse(response, [responseMessage(hermes)])],
    [
      "anthropic",
      createAnthropicModel,
      stream(
        ...[
          { type: "message_start", message: { id: "m", model: "m", content: [], usage: {} } },
          { type: "content_block_start", index: 0, content_block: { type: "text", text: hermes } },
          { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} },
          { type: "message_stop" },
        ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
      ),
    ],
    [
      "google",
      createGoogleModel,
      frames({ candidates: [{ content: { role: "model", parts: [{ text: hermes }] }, finishReason: "STOP" }] }),
    ],
  ] as const)("of %s is a warning alone: its calls come as calls", async (_, create, answer) => {
    const done = doneIn(await ask(answer, withTools, create));
    expect(done.message).toEqual({ role: "assistant", content: hermes });
    expect(done.notes).toMatchObject([{ code: "tool-call-in-text" }]);
  });
});
