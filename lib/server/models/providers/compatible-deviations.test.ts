import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { toolPort } from "../../tools/registry";
import { chunk, type RawServer, sendJson, sendStream, startRawServer } from "../testing/raw-server";
import { doneIn, droppedIn, failureIn, readAll, reasoningIn, requestOf, sentIn, textIn } from "../testing/read";
import { createCompatibleModel } from "./compatible";

// What servers were seen to do, one by one; compatible.test.ts holds what the reader promises in general.

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function ask(answer: (response: ServerResponse, body: string) => void, request: ModelRequest = requestOf()) {
  server = await startRawServer(answer);
  return readAll(createCompatibleModel({ baseUrl: `${server.url}/v1` }), request);
}
const askStream = (frames: readonly unknown[], request?: ModelRequest) =>
  ask((response) => sendStream(response, [...frames, "data: [DONE]\n\n"]), request);
const answerWell = (response: ServerResponse) => sendStream(response, [chunk({ content: "fine" }, "stop")]);

const call = (piece: object) => chunk({ tool_calls: [piece] });
const callsIn = (events: Parameters<typeof doneIn>[0]) => doneIn(events).message.toolCalls ?? [];
const tools = ["calculator"].flatMap((name) => toolPort.find(name)?.spec ?? []);

describe("tool calls", () => {
  it.each<[string, unknown[]]>([
    [
      "without an index, in pieces that their ids tell apart",
      [
        call({ id: "x", function: { name: "add", arguments: '{"a"' } }),
        call({ id: "y", function: { name: "add", arguments: '{"a"' } }),
        call({ id: "x", function: { arguments: ":1}" } }),
        call({ id: "y", function: { arguments: ":2}" } }),
      ],
    ],
    [
      "without an index, each call's later pieces without an id",
      [
        call({ id: "x", function: { name: "add", arguments: '{"a"' } }),
        call({ function: { arguments: ":1}" } }),
        call({ id: "y", function: { name: "add", arguments: '{"a"' } }),
        call({ function: { arguments: ":2}" } }),
      ],
    ],
    [
      "with null for empty fields",
      [
        chunk({ role: "assistant", content: null, tool_calls: null }),
        call({ index: 0, id: "x", function: { name: "add", arguments: null } }),
        call({ index: 0, id: null, function: { name: null, arguments: '{"a":1}' } }),
        call({ index: 1, id: "y", function: { name: "add", arguments: '{"a":2}' } }),
      ],
    ],
    [
      "two of one function at one index, in pieces, without ids",
      [
        call({ index: 0, function: { name: "add", arguments: "" } }),
        call({ index: 0, function: { arguments: '{"a":1}' } }),
        call({ index: 0, function: { name: "add", arguments: "" } }),
        call({ index: 0, function: { arguments: '{"a":2}' } }),
      ],
    ],
  ])("%s", async (_, frames) => {
    const calls = callsIn(await askStream([...frames, chunk({}, "tool_calls"), "data: [DONE]\n\n"]));
    expect(calls.map(({ name, arguments: text }) => [name, text])).toEqual([
      ["add", '{"a":1}'],
      ["add", '{"a":2}'],
    ]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it.each([undefined, "", null, 7])("get an id where the server sends %j", async (id) => {
    const [made] = callsIn(await askStream([call({ index: 0, id, function: { name: "now", arguments: "{}" } })]));
    expect(made?.id).toMatch(/^call_/);
  });

  it("get ids of their own where the server gives all the same", async () => {
    const same = ["a", "b"].map((name, index) => ({ index, id: "call", function: { name, arguments: "{}" } }));
    const calls = callsIn(await askStream([chunk({ tool_calls: same }), chunk({}, "tool_calls")]));
    expect(calls.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
  });

  it.each(["", null, "  ", {}, undefined])("read the arguments %j as none", async (given) => {
    const frames = [call({ index: 0, id: "x", function: { name: "now", arguments: given } }), chunk({}, "stop")];
    expect(callsIn(await askStream(frames))).toEqual([{ id: "x", name: "now", arguments: "{}" }]);
  });

  it.each([undefined, "stop", "tool_calls", "function_call", ""])(
    "count, though the server ends with %j",
    async (finish) => {
      const frames = [call({ index: 0, id: "x", function: { name: "now", arguments: "{}" } })];
      expect(doneIn(await askStream([...frames, chunk({}, finish)])).finishReason).toBe("tool-calls");
    },
  );

  it("are missing though the server ends with tool_calls: an answer like any other", async () => {
    const done = doneIn(await askStream([chunk({ content: "hi" }), chunk({}, "tool_calls")]));
    expect(done).toMatchObject({ finishReason: "stop", message: { role: "assistant", content: "hi" } });
  });

  it.each([
    '<tool_call>{"name":"now","arguments":{}}</tool_call>',
    '{"name":"now","parameters":{}}',
    "<function=now></function>",
  ])("stay text when they come as text: %s", async (text) => {
    const events = await askStream([...text].map((content) => chunk({ content })));
    expect(textIn(events)).toBe(text);
    expect(doneIn(events)).toMatchObject({ finishReason: "stop", message: { role: "assistant", content: text } });
  });

  it("are never forced: many servers ignore it, or answer 400", async () => {
    const body = sentIn(await ask(answerWell, requestOf({ tools }))).body;
    expect(JSON.parse(body)).toHaveProperty("tools");
    expect(body).not.toMatch(/tool_choice|parallel_tool_calls/);
  });
});

describe("refused options", () => {
  it.each([
    [400, { object: "error", message: '"auto" tool choice requires --enable-auto-tool-choice', code: 400 }],
    [400, { error: { message: "registry.ollama.ai/library/gemma3 does not support tools", type: "api_error" } }],
    [500, { error: { code: 500, message: "tools param requires --jinja flag", type: "server_error" } }],
    [422, { detail: [{ loc: ["body", "tools"], msg: "Extra inputs are not permitted" }] }],
    [501, { error: "function calling is not implemented" }],
  ])("a server that takes no tools: %i %j", async (status, error) => {
    const events = await ask(
      (response, body) => (body.includes('"tools"') ? sendJson(response, status, error) : answerWell(response)),
      requestOf({ tools }),
    );
    expect(textIn(events)).toBe("fine");
    expect(droppedIn(events)).toEqual(["tools"]);
    expect(server?.bodies).toHaveLength(2);
    expect(JSON.parse(server?.bodies[1] ?? "")).toHaveProperty("stream_options");
  });

  it.each([
    [400, { error: { message: "Unrecognized request argument supplied: stream_options" } }],
    [422, { detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }] }],
    [500, { error: "json: unknown field stream_options" }],
  ])("a server that counts no tokens: %i %j", async (status, error) => {
    const events = await ask(
      (response, body) => (body.includes("stream_options") ? sendJson(response, status, error) : answerWell(response)),
      requestOf({ tools }),
    );
    expect(textIn(events)).toBe("fine");
    expect(reasoningIn(events)).toBe("");
    expect(JSON.parse(server?.bodies[1] ?? "")).toHaveProperty("tools");
  });

  it.each([401, 429, 503])("asks once where the form is not what is wrong: %i", async (status) => {
    const events = await ask((response) => sendJson(response, status, { error: { message: "no tools for you" } }));
    expect(failureIn(events).status).toBe(status);
    expect(server?.bodies).toHaveLength(1);
  });
});

describe("errors", () => {
  it.each([
    ["nothing", 500, ""],
    ["an empty object", 500, "{}"],
    ["an empty error", 500, '{"error":{}}'],
    ["an empty detail", 422, '{"detail":[]}'],
    ["a message", 400, '{"object":"error","message":"not good","type":"BadRequestError","param":null,"code":400}'],
    ["a text", 400, '{"error":"not good"}'],
    ["a list of one", 400, '[{"error":{"code":400,"message":"not good","status":"INVALID_ARGUMENT"}}]'],
    ["plain text", 500, "not good"],
    ["a web page", 502, "<html><head><title>502 Bad Gateway</title></head></html>"],
  ])("in %s", async (_, status, text) => {
    const events = await ask((response) => response.writeHead(status).end(text));
    const failure = failureIn(events);
    expect(failure).toMatchObject({ class: status >= 500 ? "server" : "invalid-request", status });
    expect(failure.message).toMatch(text.includes("not good") ? /not good$/ : new RegExp(String(status)));
    expect(failure.message).not.toMatch(/<|\[object|undefined/);
  });

  it.each([
    [{ error: { code: 400, message: "too big", type: "exceed_context_size_error", n_prompt_tokens: 9, n_ctx: 4 } }],
    [{ object: "error", message: "This model's maximum context length is 4096 tokens. However, you requested 9000." }],
    [
      {
        error: "Trying to keep the first 9000 tokens when the model is loaded with context length of only 4096 tokens",
      },
    ],
    [{ error: { message: "input length 9000 exceeds the context window of 4096", type: "invalid_request_error" } }],
  ])("of a prompt that is too long: %j", async (body) => {
    expect(failureIn(await ask((response) => sendJson(response, 400, body))).class).toBe("context-length");
    expect(server?.bodies).toHaveLength(1);
  });

  it("in a whole answer with status 200", async () => {
    const failure = failureIn(await ask((response) => sendJson(response, 200, { error: { message: "no model" } })));
    expect(failure).toMatchObject({ class: "server", message: "no model" });
  });

  it.each([
    ["an HTML page", "text/html", "<!doctype html><title>Ollama</title>"],
    ["a page of JSON", "application/json", "null"],
    ["nothing", "text/event-stream", ""],
  ])("for %s in place of an answer", async (_, type, text) => {
    const events = await ask((response) => response.writeHead(200, { "content-type": type }).end(text));
    expect(failureIn(events).class).toBe("server");
  });
});

describe("slow servers", () => {
  it("may take their time before the first header", async () => {
    const events = await ask((response) => setTimeout(answerWell, 300, response));
    expect(textIn(events)).toBe("fine");
  });

  it("keep the line open with comments", async () => {
    const events = await ask((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": processing prompt\r\n\r\n");
      setTimeout(() => response.end('data: {"choices":[{"delta":{"content":"fine"}}]}\r\n\r\n'), 50);
    });
    expect(textIn(events)).toBe("fine");
  });
});

describe("whole answers in place of a stream", () => {
  it.each(["reasoning", "reasoning_content"])("hold thinking in %s", async (name) => {
    const message = { role: "assistant", content: "42", [name]: "hm" };
    const events = await ask((response) => sendJson(response, 200, { choices: [{ message, finish_reason: "stop" }] }));
    expect(reasoningIn(events)).toBe("hm");
    expect(doneIn(events)).toMatchObject({ message: { content: "42" }, usage: { estimated: true } });
  });
});
