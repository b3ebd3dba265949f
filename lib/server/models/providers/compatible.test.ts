import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Message } from "@/lib/core/run/events/messages";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { toolPort } from "../../tools/registry";
import { chunk, type RawServer, sendJson, sendStream, startRawServer } from "../testing/raw-server";
import { doneIn, droppedIn, failureIn, readAll, reasoningIn, requestOf, textIn } from "../testing/read";
import { createCompatibleModel } from "./compatible";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Asks a server that answers as given. */
async function ask(
  answer: (response: ServerResponse, body: string, nth: number) => void,
  request: ModelRequest = requestOf(),
) {
  server = await startRawServer(answer);
  return readAll(createCompatibleModel({ baseUrl: `${server.url}/v1/`, apiKey: "" }), request);
}
const askStream = (frames: readonly unknown[], request?: ModelRequest) =>
  ask((response) => sendStream(response, [...frames, "data: [DONE]\n\n"]), request);

const call = (piece: object) => chunk({ tool_calls: [piece] });
const callsIn = (events: Parameters<typeof doneIn>[0]) =>
  doneIn(events).message.toolCalls?.map(({ name, arguments: text }) => [name, text]);

describe("tool calls as servers stream them", () => {
  const both = [
    ["add", '{"a":1}'],
    ["add", '{"a":2}'],
  ];

  it.each<[string, unknown[]]>([
    [
      "all at index 0, each whole, with ids",
      [
        call({ index: 0, id: "x", function: { name: "add", arguments: '{"a":1}' } }),
        call({ index: 0, id: "y", function: { name: "add", arguments: '{"a":2}' } }),
      ],
    ],
    [
      "all at index 0, each whole, without ids",
      [
        call({ index: 0, function: { name: "add", arguments: '{"a":1}' } }),
        call({ index: 0, function: { name: "add", arguments: '{"a":2}' } }),
      ],
    ],
    [
      "without an index, in one chunk",
      [
        chunk({
          tool_calls: [
            { id: "x", function: { name: "add", arguments: '{"a":1}' } },
            { id: "y", function: { name: "add", arguments: '{"a":2}' } },
          ],
        }),
      ],
    ],
    [
      "without an index or an id, one chunk each",
      [
        call({ function: { name: "add", arguments: '{"a":1}' } }),
        call({ function: { name: "add", arguments: '{"a":2}' } }),
      ],
    ],
    [
      "in pieces, later ones with empty name and id",
      [
        call({ index: 0, id: "x", function: { name: "add", arguments: "" } }),
        call({ index: 0, id: "", function: { name: "", arguments: '{"a"' } }),
        call({ index: 1, id: "y", function: { name: "add", arguments: '{"a"' } }),
        call({ index: 0, function: { arguments: ":1}" } }),
        call({ index: 1, function: { arguments: ":2}" } }),
      ],
    ],
    [
      "with arguments as objects",
      [
        call({ index: 0, function: { name: "add", arguments: { a: 1 } } }),
        call({ index: 1, function: { name: "add", arguments: { a: 2 } } }),
      ],
    ],
    [
      "with the name repeated in every piece",
      [
        call({ index: 0, id: "x", function: { name: "add", arguments: '{"a"' } }),
        call({ index: 0, id: "x", function: { name: "add", arguments: ":1}" } }),
        call({ index: 1, id: "y", function: { name: "add", arguments: '{"a":2}' } }),
      ],
    ],
  ])("%s", async (_, frames) => {
    const events = await askStream([...frames, chunk({}, "stop"), "data: [DONE]\n\n"]);
    expect(callsIn(events)).toEqual(both);
    const ids = doneIn(events).message.toolCalls?.map(({ id }) => id) ?? [];
    expect(new Set(ids.filter((id) => id !== "")).size).toBe(2);
    expect(doneIn(events).finishReason).toBe("tool-calls");
  });

  it("reads empty arguments as an empty object", async () => {
    expect(callsIn(await askStream([call({ index: 0, function: { name: "now" } }), chunk({}, "tool_calls")]))).toEqual([
      ["now", "{}"],
    ]);
  });

  it("makes ids that differ from turn to turn", async () => {
    const frames = [call({ index: 0, function: { name: "now" } })];
    const request = requestOf();
    const first = doneIn(await askStream(frames, request)).message;
    const again = { ...request, messages: [...request.messages, first] };
    const second = doneIn(await askStream(frames, again)).message;
    expect(second.toolCalls?.[0]?.id).not.toBe(first.toolCalls?.[0]?.id);
  });

  it("refuses half a call instead of passing it on", async () => {
    const frames = [call({ index: 0, function: { name: "add", arguments: '{"a":1, "b": "ha' } })];
    expect(failureIn(await askStream([...frames, chunk({}, "tool_calls")]))).toMatchObject({ class: "server" });
    expect(failureIn(await askStream([...frames, chunk({}, "length")]))).toMatchObject({ class: "invalid-request" });
  });

  it("passes arguments on that are whole but no JSON: the model sees the tool's complaint", async () => {
    expect(callsIn(await askStream([call({ index: 0, function: { name: "add", arguments: "{'a': 1}" } })]))).toEqual([
      ["add", "{'a': 1}"],
    ]);
  });
});

describe("streams that differ", () => {
  it.each([
    ["CRLF", 'data: {"choices":[{"delta":{"content":"hi"}}]}\r\n\r\ndata: [DONE]\r\n\r\n'],
    [
      "comments and empty data",
      ': ping\n\ndata:\n\ndata: {"choices":[{"delta":{"content":"hi"}}]}\n\n: ping\n\ndata: [DONE]\n\n',
    ],
    ["no [DONE] and no last blank line", 'data: {"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}'],
    ["no role, no finish reason", 'data: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n'],
    [
      "a role with null content first",
      'data: {"choices":[{"delta":{"role":"assistant","content":null}}]}\n\ndata: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n',
    ],
    ["no space after the colon", 'data:{"choices":[{"delta":{"content":"hi"}}]}\n\ndata:[DONE]\n\n'],
    [
      "chunks without choices",
      'data: {"choices":[]}\n\ndata: {}\n\ndata: null\n\ndata: {"choices":[{"delta":{"content":"hi"}}]}\n\ndata: [DONE]\n\n',
    ],
  ])("%s", async (_, text) => {
    const events = await ask((response) => sendStream(response, [text]));
    expect(textIn(events)).toBe("hi");
    expect(doneIn(events)).toMatchObject({ finishReason: "stop", usage: { estimated: true, cost: null } });
  });

  it("takes a JSON answer in place of a stream", async () => {
    const message = {
      role: "assistant",
      content: "whole",
      tool_calls: [{ id: "a", function: { name: "now", arguments: "{}" } }],
    };
    const events = await ask((response) =>
      sendJson(response, 200, {
        model: "m",
        choices: [{ message, finish_reason: "stop" }],
        usage: { prompt_tokens: 3, completion_tokens: 4 },
      }),
    );
    expect(textIn(events)).toBe("whole");
    expect(doneIn(events)).toMatchObject({
      finishReason: "tool-calls",
      model: "m",
      usage: { input: 3, output: 4, estimated: false },
    });
  });

  it("takes the last of several usages, with what was cached and thought", async () => {
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 5,
      prompt_tokens_details: { cached_tokens: 4 },
      completion_tokens_details: { reasoning_tokens: 2 },
    };
    const events = await askStream([
      { ...chunk({ content: "a" }), usage: { prompt_tokens: 9, completion_tokens: 1 } },
      { ...chunk({ content: "b" }), usage: null },
      { choices: [], usage },
    ]);
    expect(doneIn(events).usage).toMatchObject({ input: 9, output: 5, cached: 4, reasoning: 2, estimated: false });
  });

  it.each([
    [
      "reasoning_content",
      [chunk({ reasoning_content: "hm, " }), chunk({ reasoning_content: "yes" }), chunk({ content: "42" })],
    ],
    ["reasoning", [chunk({ reasoning: "hm, yes" }), chunk({ content: "42" })]],
    ["both names at once", [chunk({ reasoning: "hm, yes", reasoning_content: "hm, yes" }), chunk({ content: "42" })]],
    ["tags in one piece", [chunk({ content: "<think>hm, yes</think>\n\n42" })]],
    ["tags in many pieces", [..."\n<think>hm, yes</think>\n\n42"].map((content) => chunk({ content }))],
  ])("reads thinking from %s", async (_, frames) => {
    const events = await askStream([...frames, chunk({}, "stop")]);
    expect(reasoningIn(events)).toBe("hm, yes");
    expect(textIn(events)).toBe("42");
    expect(doneIn(events).message.content).toBe("42");
  });

  it("leaves tags in the middle of an answer alone", async () => {
    expect(textIn(await askStream([chunk({ content: "Write <think> like this" })]))).toBe("Write <think> like this");
    expect(textIn(await askStream([chunk({ content: "<thi" }), chunk({ content: "s>" })]))).toBe("<this>");
    expect(textIn(await askStream([chunk({ content: "<thin" })]))).toBe("<thin");
  });

  it.each([
    [
      "an error frame",
      'data: {"error":{"code":500,"message":"out of memory","type":"server_error"}}\n\n',
      "server",
      "out of memory",
    ],
    ["an error text", 'data: {"error":"boom"}\n\n', "server", "boom"],
    [
      "vLLM's error object",
      'data: {"object":"error","message":"rate limited","code":429}\n\n',
      "rate-limit",
      "rate limited",
    ],
    ["a field of its own", 'error: {"message":"model crashed"}\n\n', "server", "model crashed"],
    ["an event named error", 'event: error\ndata: {"error":{"message":"lost"}}\n\n', "server", "lost"],
    ["no JSON", "data: {oops\n\n", "server", "{oops"],
    [
      "a context error",
      'data: {"error":{"code":400,"message":"the request exceeds the available context size"}}\n\n',
      "context-length",
      "context",
    ],
  ])("keeps the text and fails for %s", async (_, frame, expected, message) => {
    const events = await askStream([chunk({ content: "so far" }), frame]);
    expect(textIn(events)).toBe("so far");
    expect(failureIn(events).class).toBe(expected);
    expect(failureIn(events).message).toContain(message);
  });

  it("fails for an empty stream", async () => {
    expect(failureIn(await askStream([]))).toMatchObject({ class: "server" });
  });
});

describe("requests that servers refuse", () => {
  const answer = (response: ServerResponse) => sendStream(response, [chunk({ content: "fine" }, "stop")]);
  const tools = ["calculator"].flatMap((name) => toolPort.find(name)?.spec ?? []);

  it("asks again without stream_options", async () => {
    const events = await ask((response, body) =>
      body.includes("stream_options")
        ? sendJson(response, 422, {
            detail: [{ loc: ["body", "stream_options"], msg: "Extra inputs are not permitted" }],
          })
        : answer(response),
    );
    expect(textIn(events)).toBe("fine");
    expect(events.filter((event) => event.type === "sent").map((event) => event.body)).toEqual(server?.bodies);
    expect(server?.bodies).toHaveLength(2);
  });

  it("calls again without tools, and records it", async () => {
    const events = await ask(
      (response, body) =>
        body.includes('"tools"')
          ? sendJson(response, 400, { error: { message: "registry/gemma does not support tools" } })
          : answer(response),
      requestOf({ tools }),
    );
    expect(textIn(events)).toBe("fine");
    expect(droppedIn(events)).toEqual(["tools"]);
    expect(server?.bodies).toHaveLength(2);
  });

  it("leaves out both where both are refused, and no more", async () => {
    const events = await ask((response, body) => {
      if (body.includes("stream_options")) sendJson(response, 400, { error: "unknown field" });
      else if (body.includes('"tools"')) sendJson(response, 500, { error: { message: "tools need --jinja" } });
      else answer(response);
    }, requestOf({ tools }));
    expect(textIn(events)).toBe("fine");
    expect(server?.bodies).toHaveLength(3);
  });

  it.each([
    ["a nested error", { error: { message: "bad model" } }, "bad model"],
    ["an empty error", { error: {} }, "400"],
    ["a flat message", { object: "error", message: "bad model" }, "bad model"],
    ["a detail", { detail: "bad model" }, "bad model"],
    ["a list of details", { detail: [{ loc: ["body", "model"], msg: "is bad" }] }, "body.model: is bad"],
  ])("stops and tells the reason of %s", async (_, body, message) => {
    const failure = failureIn(await ask((response) => sendJson(response, 400, body)));
    expect(failure).toMatchObject({ class: "invalid-request", status: 400 });
    expect(failure.message).toContain(message);
    expect(server?.bodies).toHaveLength(1);
  });

  it.each([
    "tool_calls[0].function.arguments: not a JSON object",
    "Invalid schema for function 'calculator': additionalProperties is required",
    "messages: tool call without a result",
  ])("keeps the tools where something else is wrong with them: %s", async (message) => {
    const events = await ask((response) => sendJson(response, 400, { error: { message } }), requestOf({ tools }));
    expect(failureIn(events).message).toContain(message);
    expect(server?.bodies).toHaveLength(1);
  });

  it.each([
    "The `reasoning_content` in the thinking mode must be passed back to the API.",
    "thinking is enabled but reasoning_content is missing in assistant tool call message at index 2",
  ])("sends empty thoughts for messages of another model where they are wanted: %s", async (message) => {
    const messages: Message[] = [
      { role: "user", content: "sum" },
      { role: "assistant", content: "", toolCalls: [{ id: "a", name: "calculator", arguments: "{}" }] },
      { role: "tool", toolCallId: "a", name: "calculator", content: "4" },
    ];
    const events = await ask(
      (response, body) =>
        body.includes("reasoning_content") ? answer(response) : sendJson(response, 400, { error: { message } }),
      requestOf({ messages, tools }),
    );
    expect(textIn(events)).toBe("fine");
    expect(server?.bodies).toHaveLength(2);
    expect(JSON.parse(server?.bodies[1] ?? "")).toMatchObject({
      messages: [{}, { role: "assistant", reasoning_content: "" }, {}],
      tools: [expect.anything()],
    });
  });

  it("never asks again for a prompt that is too long", async () => {
    const error = { code: 400, type: "exceed_context_size_error", message: "too big", n_prompt_tokens: 9, n_ctx: 4 };
    expect(failureIn(await ask((response) => sendJson(response, 400, { error })))).toMatchObject({
      class: "context-length",
    });
    expect(server?.bodies).toHaveLength(1);
  });

  it("shows no web page", async () => {
    const failure = failureIn(
      await ask((response) => response.writeHead(502).end("<!DOCTYPE html><h1>Bad gateway</h1>")),
    );
    expect(failure).toMatchObject({ class: "server", status: 502 });
    expect(failure.message).not.toContain("<");
  });
});

it("keeps the connection of an answer that ends some time after its [DONE]", async () => {
  let open: ServerResponse | undefined;
  server = await startRawServer((response) => {
    open = response;
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(chunk({ content: "fine" }, "stop"))}\n\ndata: [DONE]\n\n`);
  });
  const model = createCompatibleModel({ baseUrl: `${server.url}/v1` });
  await vi.waitFor(async () => {
    expect(textIn(await readAll(model, requestOf()))).toBe("fine");
    open?.end();
    const [first, ...rest] = server?.requests.map(({ socket }) => socket) ?? [];
    expect(rest).toContain(first);
  });
});

it.each(["localhost:11434/v1", "", "file:///etc/passwd", "nonsense"])("refuses %j as a base URL", async (baseUrl) => {
  const events = await readAll(createCompatibleModel({ baseUrl }), requestOf());
  expect(events).toHaveLength(1);
  expect(failureIn(events)).toMatchObject({ class: "invalid-request", message: expect.stringContaining("http://") });
});

describe("what strict templates get", () => {
  it("one system message first, merged neighbours, arguments that are JSON", async () => {
    const messages: Message[] = [
      { role: "system", content: "one" },
      { role: "user", content: "a" },
      { role: "system", content: "two" },
      { role: "user", content: "b" },
      { role: "assistant", content: "", toolCalls: [{ id: "x", name: "now", arguments: "{broken" }] },
      { role: "tool", toolCallId: "x", name: "now", content: "error" },
    ];
    await askStream([chunk({ content: "ok" })], requestOf({ messages }));
    const body = JSON.parse(server?.bodies[0] ?? "");
    expect(body.messages).toEqual([
      { role: "system", content: "one\n\ntwo" },
      { role: "user", content: "a\n\nb" },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "x", type: "function", function: { name: "now", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "x", content: "error" },
    ]);
    expect(server?.requests[0]?.url).toBe("/v1/chat/completions");
    expect(server?.requests[0]?.headers.authorization).toBeUndefined();
  });
});

it("a text is shown at once, also when it ends like the beginning of this server's secret", async () => {
  vi.stubEnv("SWARMLOOM_SECRET", "n0123456789abcdef0123456789abcdef");
  server = await startRawServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${JSON.stringify(chunk({ content: "Once upon" }))}\n\n`);
  });
  const model = createCompatibleModel({ baseUrl: `${server.url}/v1`, apiKey: "key-of-the-provider" });
  for await (const event of model.stream(requestOf())) {
    if (event.type !== "text") continue;
    expect(event.text).toBe("Once upon");
    break;
  }
  vi.unstubAllEnvs();
});

describe("what a model thought", () => {
  const tools = ["calculator"].flatMap((name) => toolPort.find(name)?.spec ?? []);
  const call = { index: 0, id: "a", function: { name: "calculator", arguments: "{}" } };
  const details = [
    { type: "reasoning.text", index: 0, text: "Hm", signature: null },
    { type: "reasoning.text", index: 0, text: "m.", signature: "s" },
    { type: "reasoning.encrypted", index: 1, data: "AAA" },
  ];

  it.each([
    ["reasoning_content", [{ reasoning_content: "Hm" }, { reasoning_content: "m." }], { reasoning_content: "Hmm." }],
    ["reasoning", [{ reasoning: "Hm" }, { reasoning: "m." }], { reasoning: "Hmm." }],
    [
      "reasoning_details, as they are",
      details.map((detail) => ({ reasoning: detail.text ?? "", reasoning_details: [detail] })),
      {
        reasoning_details: [
          { type: "reasoning.text", index: 0, text: "Hmm.", signature: "s" },
          { type: "reasoning.encrypted", index: 1, data: "AAA" },
        ],
      },
    ],
  ])("goes back with its call under its own name: %s", async (_, pieces, fields) => {
    const first = await askStream([
      ...pieces.map((piece) => chunk(piece)),
      chunk({ tool_calls: [call] }, "tool_calls"),
    ]);
    expect(reasoningIn(first)).toBe("Hmm.");
    const messages: Message[] = [
      { role: "user", content: "sum" },
      doneIn(first).message,
      { role: "tool", toolCallId: "a", name: "calculator", content: "4" },
    ];
    await server?.close();
    await ask((response) => sendStream(response, [chunk({ content: "4" }, "stop")]), requestOf({ messages, tools }));
    const [, sent] = JSON.parse(server?.bodies[0] ?? "").messages;
    expect(sent).toMatchObject({ role: "assistant", ...fields, tool_calls: [{ id: "a" }] });
    await server?.close();
    const other = requestOf({ messages, tools, model: "another-model" });
    await ask((response) => sendStream(response, [chunk({ content: "4" }, "stop")]), other);
    expect(server?.bodies[0]).not.toContain("reasoning");
  });

  it("is kept apart from the text where both come as parts", async () => {
    const thinking = [{ type: "thinking", thinking: [{ type: "text", text: "Hmm." }] }];
    const events = await askStream([
      chunk({ content: thinking }),
      chunk({ content: [{ type: "text", text: "It is " }] }),
      chunk({ content: "4." }, "stop"),
    ]);
    expect(reasoningIn(events)).toBe("Hmm.");
    expect(doneIn(events).message.content).toBe("It is 4.");
  });

  it("is no part of the answer where its beginning was in the prompt", async () => {
    const events = await askStream([
      chunk({ content: "I add them.\n</thi" }),
      chunk({ content: "nk>\n\nIt is 4." }, "stop"),
    ]);
    expect(doneIn(events).message.content).toBe("It is 4.");
    expect(doneIn(events).notes?.[0]?.message).toContain("thinking");
    const prose = await askStream([chunk({ content: "A tag such as </think> ends it.\nYes." }, "stop")]);
    expect(doneIn(prose).message.content).toBe("A tag such as </think> ends it.\nYes.");
  });

  it("has ids of calls as Mistral wants them", async () => {
    const messages: Message[] = [
      { role: "user", content: "sum" },
      { role: "assistant", content: "", toolCalls: [{ id: "call_0123456789", name: "calculator", arguments: "{}" }] },
      { role: "tool", toolCallId: "call_0123456789", name: "calculator", content: "4" },
    ];
    const request = requestOf({ messages, tools, model: "mistral-large-latest" });
    await ask((response) => sendStream(response, [chunk({ content: "4" }, "stop")]), request);
    const [, calling, result] = JSON.parse(server?.bodies[0] ?? "").messages;
    expect(calling.tool_calls[0].id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(result.tool_call_id).toBe(calling.tool_calls[0].id);
  });
});

it("a sign of life is no silence", async () => {
  server = await startRawServer((response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    let lines = 0;
    const timer = setInterval(() => {
      response.write(": keep-alive\n\n");
      if (++lines < 8) return;
      clearInterval(timer);
      response.end(`data: ${JSON.stringify(chunk({ content: "fine" }, "stop"))}\n\n`);
    }, 60);
  });
  const model = createCompatibleModel({ baseUrl: `${server.url}/v1`, idleMs: 240 });
  expect(textIn(await readAll(model, requestOf()))).toBe("fine");
});
