import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Model } from "@/lib/core/run/ports/model";
import type { ProviderConnection } from "../call/call";
import { chunk, type RawServer, sendJson, sendStream, startRawServer, withoutResponses } from "../testing/raw-server";
import { doneIn, failureIn, readAll, requestOf, responseIn, textIn } from "../testing/read";
import { createAnthropicModel } from "./anthropic";
import { createCompatibleModel } from "./compatible";
import { createGoogleModel } from "./google";
import { createOpenAiModel } from "./openai";

// Status 200, and yet no answer: what must never look like a success.

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

type Create = (connection: ProviderConnection) => Model;
const providers: [name: string, create: Create][] = [
  ["openai", createOpenAiModel],
  ["compatible", createCompatibleModel],
  ["anthropic", createAnthropicModel],
  ["google", createGoogleModel],
];

async function ask(create: Create, answer: Parameters<typeof startRawServer>[0]) {
  server = await startRawServer(answer);
  return readAll(create({ apiKey: "sk-test-secret", baseUrl: server.url }), requestOf());
}

const sendText = (response: ServerResponse, type: string, text: string): void => {
  response.writeHead(200, { "content-type": type });
  response.end(text);
};

const bodies = [
  { error: { message: "no such model", type: "server_error" } },
  { error: "no such model" },
  { type: "error", error: { type: "api_error", message: "no such model" } },
  { object: "error", message: "no such model", type: "InternalServerError" },
  { detail: [{ loc: ["body", "model"], msg: "no such model" }] },
  { detail: "no such model" },
  [{ error: { message: "no such model", status: "INTERNAL" } }],
];

describe.each(providers)("an error body with status 200 fails the call of %s with its text", (_, create) => {
  it.each(bodies)("as JSON: %j", async (body) => {
    const events = await ask(create, (response) => sendJson(response, 200, body));
    expect(failureIn(events).message).toContain("no such model");
  });

  it.each(bodies)("labelled as a stream, without a data field: %j", async (body) => {
    const events = await ask(create, (response) =>
      sendText(response, "text/event-stream", `\n${JSON.stringify(body, null, 2)}\n`),
    );
    expect(failureIn(events).message).toContain("no such model");
  });

  it("keeps the body for the reader of the step, and shows no key", async () => {
    const events = await ask(create, (response) => sendJson(response, 200, { error: "bad key sk-test-secret" }));
    expect(failureIn(events).message).toBe("bad key [key]");
    expect(JSON.stringify(events)).not.toContain("sk-test-secret");
  });

  it("classifies it by the status that the body names", async () => {
    const error = { code: 429, message: "slow down", status: "RESOURCE_EXHAUSTED" };
    const failure = failureIn(await ask(create, (response) => sendJson(response, 200, { error })));
    expect(failure).toMatchObject({ class: "rate-limit", message: "slow down", status: 429 });
  });

  it.each(["{}", "[]", '{"choices":[]}', '{"candidates":[]}', "{", "null", ""])(
    "never succeeds with %j in place of an answer",
    async (text) => {
      for (const type of ["application/json", "text/event-stream"]) {
        expect(failureIn(await ask(create, (response) => sendText(response, type, text))).class).toBe("server");
        await server?.close();
      }
    },
  );
});

describe.each(providers.slice(0, 2))("a stream of %s", (_, create) => {
  it.each(bodies.slice(0, -1))("fails with the text of an error event before its end: %j", async (body) => {
    const events = await ask(create, (response) => sendStream(response, [body, "data: [DONE]\n\n"]));
    expect(failureIn(events).message).toContain("no such model");
  });

  it.each([
    ["an end alone", ["data: [DONE]\n\n"]],
    ["usage alone", [{ choices: [], usage: { prompt_tokens: 1, completion_tokens: 0 } }, "data: [DONE]\n\n"]],
    ["events without choices", [{ id: "x" }, { choices: null }, "data: [DONE]\n\n"]],
  ])("is no success with %s", async (_name, frames) => {
    expect(failureIn(await ask(create, (response) => sendStream(response, frames))).class).toBe("server");
  });

  it("succeeds with an empty answer in a choice", async () => {
    const answer = [chunk({ role: "assistant", content: "" }), chunk({}, "stop"), "data: [DONE]\n\n"];
    const events = await ask(
      create,
      withoutResponses((response) => sendStream(response, answer)),
    );
    expect(doneIn(events)).toMatchObject({ finishReason: "stop", message: { content: "" } });
  });

  it("keeps the words of an event that is neither answer nor error, where no answer follows", async () => {
    const events = await ask(create, (response) => sendJson(response, 200, { code: 7, message: "model is loading" }));
    if (create === createCompatibleModel) expect(failureIn(events).message).toContain("model is loading");
    expect(failureIn(events).class).toBe("server");
  });
});

it("a field named detail beside an answer is no error", async () => {
  const events = await ask(createCompatibleModel, (response) =>
    sendStream(response, [{ ...chunk({ content: "fine" }, "stop"), detail: "cached", error: null }]),
  );
  expect(textIn(events)).toBe("fine");
});

it("the raw answer of a refused call is the body", async () => {
  const body = { error: { message: "no such model" } };
  expect(responseIn(await ask(createOpenAiModel, (response) => sendJson(response, 200, body)))).toEqual(body);
});
