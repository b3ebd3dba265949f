import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Model } from "@/lib/core/run/ports/model";
import type { ProviderConnection } from "../call/call";
import { chunk, type RawServer, sendJson, sendStream, startRawServer } from "../testing/raw-server";
import { failureIn, readAll, reasoningIn, requestOf, textIn } from "../testing/read";
import { createAnthropicModel } from "./anthropic";
import { createCompatibleModel } from "./compatible";
import { createGoogleModel } from "./google";
import { createOpenAiModel } from "./openai";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serve(answer: (response: ServerResponse) => void): Promise<string> {
  server = await startRawServer(answer);
  return server.url;
}

const tenMillion = "0123456789".repeat(1_000_000);
/** Sends the frame again and again; resolves when the client has left. */
function sendForever(response: ServerResponse, frame: string): Promise<void> {
  return new Promise((resolve) => {
    let isOpen = true;
    response.once("close", () => {
      isOpen = false;
      resolve();
    });
    const send = (): void => {
      while (isOpen && response.write(frame));
      if (isOpen) response.once("drain", send);
    };
    send();
  });
}
const frameOf = (delta: object): string => `data: ${JSON.stringify(chunk(delta))}\n\n`;
const compatible = (url: string): Model => createCompatibleModel({ baseUrl: `${url}/v1`, apiKey: "" });

const providers: [string, string, (connection: ProviderConnection) => Model][] = [
  ["openai", "/v1", createOpenAiModel],
  ["compatible", "/v1", createCompatibleModel],
  ["anthropic", "", createAnthropicModel],
  ["google", "", createGoogleModel],
];

describe("an answer that does not end", () => {
  it.each([
    ["text", "content", textIn],
    ["reasoning", "reasoning_content", reasoningIn],
  ] as const)("is ended at 4 million characters of %s, which are kept", async (type, field, read) => {
    let left: Promise<void> | undefined;
    const url = await serve((response) => {
      left = sendForever(response, frameOf({ [field]: "x".repeat(10_000) }));
    });
    const events = await readAll(compatible(url), requestOf());
    expect(read(events)).toHaveLength(4_000_000);
    expect(failureIn(events)).toMatchObject({
      class: "answer-limit",
      message: expect.stringContaining(`more than 4000000 characters of ${type}`),
    });
    await left;
  });

  it("is ended when it begins like a tool call in the text", async () => {
    const tools = [{ name: "now", description: "", parameters: { type: "object" } }];
    const url = await serve((response) => {
      response.write(frameOf({ content: "<tool_call>" }));
      void sendForever(response, frameOf({ content: "x".repeat(10_000) }));
    });
    const events = await readAll(compatible(url), requestOf({ tools }));
    expect(textIn(events)).toHaveLength(4_000_000);
    expect(failureIn(events).class).toBe("answer-limit");
  });

  it("is ended when a server does not heed max_tokens", async () => {
    let left: Promise<void> | undefined;
    const url = await serve((response) => {
      left = sendForever(response, frameOf({ content: "word " }));
    });
    const events = await readAll(compatible(url), requestOf({ max_tokens: 10 }));
    expect(textIn(events).length).toBeLessThan(2_000);
    expect(failureIn(events)).toMatchObject({ class: "answer-limit", message: expect.stringContaining("max_tokens") });
    await left;
  });

  it("is ended when the arguments of a tool call do not", async () => {
    const call = { index: 0, id: "a", function: { name: "now", arguments: "x".repeat(100_000) } };
    const url = await serve((response) => void sendForever(response, frameOf({ tool_calls: [call] })));
    expect(failureIn(await readAll(compatible(url), requestOf()))).toMatchObject({ class: "answer-limit" });
  });

  it.each(providers)("is ended when a line of the stream does not: %s", async (_, path, create) => {
    const url = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: ");
      void sendForever(response, "x".repeat(60_000));
    });
    const model = create({ baseUrl: `${url}${path}`, apiKey: "k" });
    const failure = failureIn(await readAll(model, requestOf()));
    expect(failure).toMatchObject({
      class: "answer-limit",
      message: expect.stringContaining("a line of more than 12000000"),
    });
  });

  it("is ended when it comes at once", async () => {
    const url = await serve((response) =>
      sendJson(response, 200, { choices: [{ message: { content: `${tenMillion}${tenMillion}` } }] }),
    );
    expect(failureIn(await readAll(compatible(url), requestOf()))).toMatchObject({ class: "answer-limit" });
  });

  it("is cut to its limit when it comes at once and is a little too long", async () => {
    const url = await serve((response) =>
      sendJson(response, 200, { choices: [{ message: { content: tenMillion }, finish_reason: "stop" }] }),
    );
    const events = await readAll(compatible(url), requestOf());
    expect(textIn(events)).toBe(tenMillion.slice(0, 4_000_000));
    expect(failureIn(events).class).toBe("answer-limit");
  });

  it("is refused with the beginning of a body that has no end", async () => {
    let left: Promise<void> | undefined;
    const url = await serve((response) => {
      response.writeHead(500, { "content-type": "text/plain" });
      left = sendForever(response, "x".repeat(60_000));
    });
    expect(failureIn(await readAll(compatible(url), requestOf()))).toMatchObject({ class: "server", status: 500 });
    await left;
  });
});

describe("a stream that ends too early", () => {
  it("is a cut answer when neither finish_reason nor [DONE] came; its text is kept", async () => {
    const url = await serve((response) => sendStream(response, [chunk({ content: "half an an" })]));
    const events = await readAll(compatible(url), requestOf());
    expect(textIn(events)).toBe("half an an");
    expect(failureIn(events)).toMatchObject({ message: "The answer stopped before its end." });
  });

  it("is a failure when an error line and [DONE] come in one packet", async () => {
    const url = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(`${frameOf({ content: "so far" })}error: {"message":"out of memory"}\n\ndata: [DONE]\n\n`);
    });
    const events = await readAll(compatible(url), requestOf());
    expect(textIn(events)).toBe("so far");
    expect(failureIn(events).message).toContain("out of memory");
  });
});
