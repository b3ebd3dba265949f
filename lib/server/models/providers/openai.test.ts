import { afterEach, describe, expect, it } from "vitest";
import type { Message } from "@/lib/core/run/events/messages";
import type { JsonObject } from "../json";
import {
  chunk,
  type RawServer,
  responseMessage,
  sendJson,
  sendResponse,
  sendStream,
  startRawServer,
  withoutResponses,
} from "../testing/raw-server";
import { doneIn, droppedIn, failureIn, readAll, reasoningIn, requestOf, sentIn, textIn } from "../testing/read";
import { createOpenAiModel } from "./openai";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const calculator = { name: "calculator", description: "Computes.", parameters: { type: "object", properties: {} } };

async function connect(answer: Parameters<typeof startRawServer>[0]) {
  server = await startRawServer(answer);
  return createOpenAiModel({ apiKey: "sk-test", baseUrl: `${server.url}/v1` });
}

const bodyOf = (events: Awaited<ReturnType<typeof readAll>>) => JSON.parse(sentIn(events).body);

const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" };
const call = (id: string): JsonObject => ({
  type: "function_call",
  id: `fc_${id}`,
  call_id: `call_${id}`,
  name: "calculator",
  arguments: "{}",
  status: "completed",
});
const resultOf = (id: string): Message => ({
  role: "tool",
  toolCallId: `call_${id}`,
  name: "calculator",
  content: "4",
});

describe("requests to OpenAI", () => {
  it("store nothing, and ask models that think for their reasoning", async () => {
    const model = await connect((response) => sendResponse(response, [responseMessage("ok")]));
    const body = bodyOf(await readAll(model, requestOf({ model: "gpt-6-astra", tools: [calculator] })));
    expect(body).toMatchObject({
      store: false,
      stream: true,
      include: ["reasoning.encrypted_content"],
      instructions: "Be brief.",
      input: [{ role: "user", content: "hello" }],
      tools: [{ type: "function", name: "calculator", strict: false }],
    });
    const old = bodyOf(await readAll(model, requestOf({ model: "gpt-4o" })));
    expect(old).not.toHaveProperty("include");
  });

  it("raise a limit that is lower than OpenAI takes, and say so", async () => {
    const model = await connect((response) => sendResponse(response, [responseMessage("ok")]));
    const events = await readAll(model, requestOf({ max_tokens: 5 }));
    expect(bodyOf(events).max_output_tokens).toBe(16);
    expect(droppedIn(events)).toEqual(["max_output_tokens"]);
  });

  it("send reasoning back before its call, and not to another model", async () => {
    const output = [reasoning, responseMessage("Let me see.", { phase: "commentary" }), call("a"), call("b")];
    const model = await connect((response) => sendResponse(response, output));
    const request = requestOf({ model: "gpt-6-astra", tools: [calculator] });
    const first = doneIn(await readAll(model, request));
    expect(first.finishReason).toBe("tool-calls");
    const messages = [...request.messages, first.message, resultOf("a"), resultOf("b")];
    const { input } = bodyOf(await readAll(model, { ...request, messages }));
    expect(input.slice(1)).toEqual([
      reasoning,
      { role: "assistant", content: "Let me see.", phase: "commentary" },
      { type: "function_call", call_id: "call_a", name: "calculator", arguments: "{}" },
      { type: "function_call", call_id: "call_b", name: "calculator", arguments: "{}" },
      { type: "function_call_output", call_id: "call_a", output: "4" },
      { type: "function_call_output", call_id: "call_b", output: "4" },
    ]);
    const other = bodyOf(await readAll(model, { ...request, model: "gpt-5.4-mini", messages }));
    expect(JSON.stringify(other.input)).not.toContain("rs_1");
    expect(other.input[1]).toEqual({ role: "assistant", content: "Let me see." });
  });

  it("leave out reasoning without its content: OpenAI does not have it", async () => {
    const model = await connect((response) =>
      sendResponse(response, [{ ...reasoning, encrypted_content: null }, call("a")]),
    );
    const request = requestOf({ model: "gpt-6-astra", tools: [calculator] });
    const { message } = doneIn(await readAll(model, request));
    const messages = [...request.messages, message, resultOf("a")];
    expect(JSON.stringify(bodyOf(await readAll(model, { ...request, messages })).input)).not.toContain("rs_1");
  });

  it("have ids and names of calls that OpenAI takes, each id once", async () => {
    const model = await connect((response) => sendResponse(response, [responseMessage("ok")]));
    const messages: Message[] = [];
    for (const _ of [1, 2])
      messages.push(
        {
          role: "assistant",
          content: "",
          toolCalls: [{ id: "functions.to:0", name: "functions.to b", arguments: "{}" }],
        },
        { role: "tool", toolCallId: "functions.to:0", name: "functions.to b", content: "done" },
      );
    const { input } = bodyOf(await readAll(model, requestOf({ messages })));
    const ids = input.map((item: JsonObject) => item.call_id);
    expect(ids).toEqual([ids[0], ids[0], ids[2], ids[2]]);
    expect(ids[0]).not.toBe(ids[2]);
    for (const item of input) expect(item.call_id).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(input[0].name).toBe("functions_to_b");
  });
});

describe("answers of OpenAI", () => {
  it("have their tokens counted: cached, written to the cache, and of reasoning", async () => {
    const usage = {
      input_tokens: 50,
      output_tokens: 20,
      input_tokens_details: { cached_tokens: 30, cache_write_tokens: 10 },
      output_tokens_details: { reasoning_tokens: 15 },
    };
    const model = await connect((response) => sendResponse(response, [responseMessage("ok")], { usage }));
    expect(doneIn(await readAll(model, requestOf()))).toMatchObject({
      finishReason: "stop",
      model: "served-model",
      usage: { input: 50, output: 20, cached: 30, reasoning: 15, calls: 1, estimated: false, cost: null },
    });
  });

  it("keep two messages apart, and take a text that no piece of the stream had", async () => {
    const output = [responseMessage("First.", { phase: "commentary" }), responseMessage("Second.")];
    const model = await connect((response) => {
      const whole = { id: "r", object: "response", status: "completed", model: "m", output };
      sendStream(response, [
        { type: "response.output_text.delta", output_index: 0, delta: "First." },
        { type: "response.completed", response: whole },
      ]);
    });
    const events = await readAll(model, requestOf());
    expect(textIn(events)).toBe("First.\n\nSecond.");
    expect(doneIn(events).message.content).toBe("First.\n\nSecond.");
  });

  it("may come as one JSON body", async () => {
    const model = await connect((response) =>
      sendJson(response, 200, { object: "response", status: "completed", output: [responseMessage("Whole.")] }),
    );
    expect(textIn(await readAll(model, requestOf()))).toBe("Whole.");
  });

  it("have reasoning in paragraphs", async () => {
    const model = await connect((response) =>
      sendStream(response, [
        { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 0 },
        { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "One." },
        { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 1 },
        { type: "response.reasoning_summary_text.delta", output_index: 0, delta: "Two." },
        { type: "response.completed", response: { status: "completed", output: [responseMessage("ok")] } },
      ]),
    );
    expect(reasoningIn(await readAll(model, requestOf()))).toBe("One.\n\nTwo.");
  });

  it.each([
    [{ type: "error", code: "server_error", message: "It broke." }, "server"],
    [{ type: "error", code: "rate_limit_exceeded", message: "It broke." }, "rate-limit"],
    [
      {
        type: "response.failed",
        response: { status: "failed", error: { code: "server_error", message: "It broke." } },
      },
      "server",
    ],
    [
      {
        type: "response.failed",
        response: { status: "failed", error: { code: "insufficient_quota", message: "It broke." } },
      },
      "quota",
    ],
    [{ error: { message: "It broke.", type: "server_error" } }, "server"],
  ])("fail with the error inside the stream, keeping what came: %j", async (event, failureClass) => {
    const model = await connect((response) =>
      sendStream(response, [{ type: "response.output_text.delta", output_index: 0, delta: "so far" }, event]),
    );
    const events = await readAll(model, requestOf());
    expect(textIn(events)).toBe("so far");
    expect(failureIn(events)).toMatchObject({ class: failureClass, message: "It broke." });
  });

  it("fail where a call is cut off at the limit", async () => {
    const model = await connect((response) =>
      sendResponse(response, [{ ...call("a"), arguments: '{"a":', status: "incomplete" }], {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
      }),
    );
    expect(failureIn(await readAll(model, requestOf()))).toMatchObject({
      class: "invalid-request",
      message: expect.stringContaining("Raise max_tokens"),
    });
  });
});

describe("a server at another address without a Responses API", () => {
  const chat = withoutResponses((response) =>
    sendStream(response, [
      chunk({ role: "assistant", content: "ok" }),
      chunk({}, "stop"),
      { choices: [], usage: { prompt_tokens: 5, completion_tokens: 2 } },
      "data: [DONE]\n\n",
    ]),
  );

  it("is asked by Chat Completions, from the second call on at once", async () => {
    const model = await connect(chat);
    const first = await readAll(model, requestOf({ max_tokens: 20 }));
    expect(textIn(first)).toBe("ok");
    expect(droppedIn(first)).toEqual(["responses"]);
    const again = await readAll(model, requestOf({ max_tokens: 20 }));
    expect(textIn(again)).toBe("ok");
    expect(droppedIn(again)).toEqual([]);
    expect(bodyOf(again)).toMatchObject({ max_completion_tokens: 20, stream_options: { include_usage: true } });
    expect(server?.requests.map(({ url }) => url)).toEqual([
      "/v1/responses",
      "/v1/chat/completions",
      "/v1/chat/completions",
    ]);
  });

  it("is asked by the Responses API again where it refused the model, not the way", async () => {
    const model = await connect((response) =>
      sendJson(response, 404, { error: { message: "The model does not exist.", code: "model_not_found" } }),
    );
    for (const _ of [1, 2])
      expect(failureIn(await readAll(model, requestOf()))).toMatchObject({ class: "not-found", status: 404 });
    expect(server?.requests.map(({ url }) => url)).toEqual([
      "/v1/responses",
      "/v1/chat/completions",
      "/v1/responses",
      "/v1/chat/completions",
    ]);
  });
});
