import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "@/lib/core/run/events/messages";
import { toolPort } from "../../tools/registry";
import { type RawServer, sendJson, sendStream, startRawServer } from "../testing/raw-server";
import { doneIn, failureIn, readAll, reasoningIn, requestOf, sentIn, textIn } from "../testing/read";
import { createGoogleModel } from "./google";
import { toGenerateRequest } from "./google-request";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const apiKey = "AIzaSyTestTestTestTestTestTestTestTest0";

async function askServer(answer: (response: ServerResponse) => void, request = requestOf()) {
  server = await startRawServer(answer);
  return readAll(createGoogleModel({ apiKey, baseUrl: server.url }), request);
}
const ask = (frames: readonly unknown[], request = requestOf()) =>
  askServer((response) => sendStream(response, frames), request);
const refuse = (status: number, body: unknown) => askServer((response) => sendJson(response, status, body));

const parts = (...given: readonly object[]) => ({ candidates: [{ content: { role: "model", parts: given } }] });
const end = (finishReason = "STOP") => ({ candidates: [{ finishReason }] });
const tools = ["calculator"].flatMap((name) => toolPort.find(name)?.spec ?? []);

describe("answers of Gemini", () => {
  it("tells thoughts from text, and counts them apart", async () => {
    const events = await ask([
      { ...parts({ text: "hm, ", thought: true }), usageMetadata: { promptTokenCount: 115 } },
      parts({ text: "yes", thought: true }, { text: "four" }),
      parts({ text: "ty" }, { executableCode: { code: "1" } }),
      {
        ...end(),
        modelVersion: "gemini-test-001",
        usageMetadata: {
          promptTokenCount: 115,
          cachedContentTokenCount: 100,
          candidatesTokenCount: 12,
          thoughtsTokenCount: 30,
        },
      },
    ]);
    expect(reasoningIn(events)).toBe("hm, yes");
    expect(textIn(events)).toBe("fourty");
    expect(doneIn(events)).toMatchObject({
      message: { content: "fourty" },
      model: "gemini-test-001",
      finishReason: "stop",
      usage: { input: 115, cached: 100, output: 42, reasoning: 30, estimated: false, cost: null },
    });
  });

  it("estimates the tokens that it did not count", async () => {
    const { usage } = doneIn(await ask([parts({ text: "12345678" }), end()]));
    expect(usage).toMatchObject({ estimated: true, cost: null });
    expect(usage.input).toBeGreaterThan(10);
  });

  it("reads parallel calls, makes missing and repeated ids, and keeps signatures", async () => {
    const events = await ask([
      parts(
        { functionCall: { name: "add", args: { a: 1 } }, thoughtSignature: "c2ln" },
        { functionCall: { id: "x", name: "add", args: { a: 2 } } },
      ),
      parts({ functionCall: { id: "x", name: "now" } }),
      end(),
    ]);
    expect(doneIn(events)).toMatchObject({ finishReason: "tool-calls" });
    expect(doneIn(events).message.toolCalls).toEqual([
      { id: "call_2_1", name: "add", arguments: '{"a":1}', providerData: { thoughtSignature: "c2ln" } },
      { id: "x", name: "add", arguments: '{"a":2}' },
      { id: "call_2_3", name: "now", arguments: "{}" },
    ]);
  });

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content-filter"],
    ["RECITATION", "content-filter"],
    ["PROHIBITED_CONTENT", "content-filter"],
    ["SOMETHING_NEW", "other"],
  ])("ends with %s", async (reason, expected) => {
    expect(doneIn(await ask([parts({ text: "a" }), end(reason)])).finishReason).toBe(expected);
  });

  it.each(["MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL"])("may be tried again after %s", async (reason) => {
    const failure = failureIn(await ask([end(reason)]));
    expect(failure).toMatchObject({ class: "server", message: expect.stringContaining(reason) });
  });

  it("reports why a prompt was blocked", async () => {
    const failure = failureIn(await ask([{ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }]));
    expect(failure).toMatchObject({ class: "invalid-request", message: expect.stringContaining("PROHIBITED_CONTENT") });
  });

  it.each([
    ["no end", [parts({ text: "so far" })]],
    ["a server's pause", [parts({ text: "so far" }), end("CONTINUATION")]],
    ["half a frame", [parts({ text: "so far" }), 'data: {"candidates": [']],
    ["no JSON", [parts({ text: "so far" }), "data: {oops\n\n"]],
  ])("keeps the text and fails for %s", async (_, frames) => {
    const events = await ask(frames);
    expect(textIn(events)).toBe("so far");
    expect(failureIn(events)).toEqual({ class: "server", message: "The answer stopped before its end." });
  });

  it("keeps the text and fails for an error inside the stream", async () => {
    const error = { code: 503, message: "The model is overloaded.", status: "UNAVAILABLE" };
    const events = await ask([parts({ text: "so far" }), { error }]);
    expect(textIn(events)).toBe("so far");
    expect(failureIn(events)).toEqual({ class: "server", status: 503, message: "The model is overloaded." });
  });
});

describe("what Gemini refuses", () => {
  const retry = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "17.5s" };
  it.each([
    [429, { status: "RESOURCE_EXHAUSTED", details: [{ "@type": "x" }, retry] }, "quota", "rate-limit", 17_500],
    [400, { status: "INVALID_ARGUMENT" }, "API key not valid. Please pass a valid API key.", "auth", undefined],
    [400, { status: "INVALID_ARGUMENT" }, "API key expired. Please renew the API key.", "auth", undefined],
    [401, { status: "UNAUTHENTICATED" }, "Request had invalid credentials.", "auth", undefined],
    [403, { status: "PERMISSION_DENIED" }, "Method doesn't allow unregistered callers.", "auth", undefined],
    [404, { status: "NOT_FOUND" }, "models/gemini-0 is not found for API version v1beta", "not-found", undefined],
    [
      400,
      { status: "INVALID_ARGUMENT" },
      "The input token count (9) exceeds the maximum number of tokens allowed (4).",
      "context-length",
      undefined,
    ],
    [400, { status: "INVALID_ARGUMENT" }, "Request contains an invalid argument.", "invalid-request", undefined],
    [503, { status: "UNAVAILABLE" }, "The model is overloaded.", "server", undefined],
    [504, { status: "DEADLINE_EXCEEDED" }, "Deadline expired.", "timeout", undefined],
  ])("%i %j %s", async (status, rest, message, expected, retryAfterMs) => {
    const error = { code: status, message, ...rest };
    const failure = { class: expected, status, message, ...(retryAfterMs !== undefined && { retryAfterMs }) };
    expect(failureIn(await refuse(status, { error }))).toEqual(failure);
    await server?.close();
    expect(failureIn(await refuse(status, [{ error }]))).toEqual(failure);
    expect(server?.bodies).toHaveLength(1);
  });

  it("tries once, and no event holds the key", async () => {
    const events = await refuse(500, { error: { code: 500, message: `no, ${apiKey}`, status: "INTERNAL" } });
    expect(server?.bodies).toHaveLength(1);
    expect(server?.requests[0]?.headers["x-goog-api-key"]).toBe(apiKey);
    expect(JSON.stringify(events)).not.toContain(apiKey);
  });
});

const conversation: Message[] = [
  { role: "system", content: "one" },
  { role: "system", content: "two" },
  { role: "assistant", content: "earlier" },
  { role: "user", content: " " },
  { role: "user", content: "add" },
  {
    role: "assistant",
    content: "",
    toolCalls: [
      { id: "a", name: "x", arguments: '{"n":1}', providerData: { thoughtSignature: "c2ln" } },
      { id: "b", name: "y", arguments: "{broken" },
    ],
  },
  { role: "tool", toolCallId: "a", name: "x", content: "1" },
  { role: "tool", toolCallId: "b", name: "y", content: "bad arguments", isError: true },
  { role: "user", content: "and?" },
];

describe("what Gemini is asked", () => {
  it("puts system text apart and the results of parallel calls into one user content", async () => {
    const events = await ask(
      [parts({ text: "ok" }), end()],
      requestOf({ messages: conversation, tools, max_tokens: 9 }),
    );
    const body = JSON.parse(sentIn(events).body);
    expect(sentIn(events).body).toBe(server?.bodies[0]);
    expect(sentIn(events).url).toBe(`${server?.url}/v1beta/models/test-model:streamGenerateContent?alt=sse`);
    expect(body.systemInstruction).toEqual({ parts: [{ text: "one\n\ntwo" }] });
    expect(body.generationConfig).toEqual({ maxOutputTokens: 9 });
    expect(body.tools).toEqual([
      {
        functionDeclarations: [
          { name: "calculator", description: tools[0]?.description, parametersJsonSchema: tools[0]?.parameters },
        ],
      },
    ]);
    expect(body.contents).toEqual([
      { role: "user", parts: [{ text: "(no input)" }] },
      { role: "model", parts: [{ text: "earlier" }] },
      { role: "user", parts: [{ text: "(no input)" }, { text: "add" }] },
      {
        role: "model",
        parts: [
          { functionCall: { id: "a", name: "x", args: { n: 1 } }, thoughtSignature: "c2ln" },
          { functionCall: { id: "b", name: "y", args: {} } },
        ],
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "a", name: "x", response: { output: "1" } } },
          { functionResponse: { id: "b", name: "y", response: { error: "bad arguments" } } },
        ],
      },
      { role: "user", parts: [{ text: "and?" }] },
    ]);
  });

  it.each([
    ["gemini-3.8-flash", "skip_thought_signature_validator"],
    ["gemini-flash-latest", "skip_thought_signature_validator"],
    ["gemini-2.5-pro", undefined],
    ["gemini-pro-1.5", undefined],
  ])("marks the first of the unsigned calls, where %s wants it", (model, expected) => {
    const toolCalls = ["a", "b"].map((id) => ({ id, name: "x", arguments: "{}" }));
    const messages: Message[] = [{ role: "assistant", content: "", toolCalls }];
    const { contents } = toGenerateRequest(requestOf({ model, messages }));
    const call = (id: string) => ({ functionCall: { id, name: "x", args: {} } });
    expect(contents).toEqual([
      { role: "user", parts: [{ text: "(no input)" }] },
      { role: "model", parts: [{ ...call("a"), ...(expected && { thoughtSignature: expected }) }, call("b")] },
    ]);
  });

  const output_schema = { type: "object", properties: { title: { type: "string" } } };
  it.each([
    ["gemini-3.8-flash", tools],
    ["gemini-2.5-flash", []],
  ])("binds the answer of %s to the schema", (model, offered) => {
    const { config } = toGenerateRequest(requestOf({ model, tools: offered, output_schema }));
    expect(config).toMatchObject({ responseMimeType: "application/json", responseJsonSchema: output_schema });
    expect(config?.systemInstruction).toEqual({ parts: [{ text: "Be brief." }] });
  });

  it("asks an old model in words for the format: it takes no schema beside tools", () => {
    const { config } = toGenerateRequest(requestOf({ model: "gemini-2.5-flash", tools, output_schema }));
    expect(config).not.toHaveProperty("responseJsonSchema");
    expect(config).not.toHaveProperty("responseMimeType");
    expect(JSON.stringify(config?.systemInstruction)).toContain(
      JSON.stringify(JSON.stringify(output_schema)).slice(1, -1),
    );
  });
});
