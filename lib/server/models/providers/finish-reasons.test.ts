import type { ServerResponse } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import type { Model } from "@/lib/core/run/ports/model";
import type { ProviderConnection } from "../call/call";
import {
  chunk,
  type RawServer,
  responseMessage,
  sendResponse,
  sendStream,
  startRawServer,
  withoutResponses,
} from "../testing/raw-server";
import { doneIn, failureIn, readAll, requestOf, textIn } from "../testing/read";
import { createAnthropicModel } from "./anthropic";
import { createCompatibleModel } from "./compatible";
import { createGoogleModel } from "./google";
import { createOpenAiModel } from "./openai";

let server: RawServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function ask(create: (connection: ProviderConnection) => Model, answer: (response: ServerResponse) => void) {
  server = await startRawServer(answer);
  return readAll(create({ apiKey: "sk-test-secret", baseUrl: server.url }), requestOf());
}

const sendChat = (response: ServerResponse, reason: string) =>
  sendStream(response, [chunk({ content: "Half" }), chunk({}, reason), "data: [DONE]\n\n"]);

const sendChatOnly = (response: ServerResponse, reason: string) =>
  withoutResponses(() => sendChat(response, reason))(response, "", 1);

const sendHalf = (response: ServerResponse, reason: string) =>
  sendResponse(response, [responseMessage("Half")], { status: "incomplete", incomplete_details: { reason } });

const sendMessages = (response: ServerResponse, reason: string) =>
  sendStream(
    response,
    [
      { type: "message_start", message: { id: "m", model: "m", content: [], usage: { input_tokens: 1 } } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "Half" } },
      { type: "message_delta", delta: { stop_reason: reason }, usage: { output_tokens: 1 } },
      { type: "message_stop" },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
  );

const sendGemini = (response: ServerResponse, finishReason: string) =>
  sendStream(response, [{ candidates: [{ content: { role: "model", parts: [{ text: "Half" }] }, finishReason }] }]);

describe("an incomplete answer is marked, with the provider's own reason", () => {
  it.each([
    ["openai", createOpenAiModel, sendHalf, "max_output_tokens", "length"],
    ["openai", createOpenAiModel, sendHalf, "content_filter", "content-filter"],
    ["openai", createOpenAiModel, sendHalf, "a_new_reason", "other"],
    ["openai by Chat Completions", createOpenAiModel, sendChatOnly, "length", "length"],
    ["openai by Chat Completions", createOpenAiModel, sendChatOnly, "content_filter", "content-filter"],
    ["compatible", createCompatibleModel, sendChat, "length", "length"],
    ["compatible", createCompatibleModel, sendChat, "MAX_TOKENS", "length"],
    ["compatible", createCompatibleModel, sendChat, "model_length", "length"],
    ["compatible", createCompatibleModel, sendChat, "content_filter", "content-filter"],
    ["compatible", createCompatibleModel, sendChat, "SAFETY", "content-filter"],
    ["compatible", createCompatibleModel, sendChat, "abort", "other"],
    ["compatible", createCompatibleModel, sendChat, "eos_token", "stop"],
    ["compatible", createCompatibleModel, sendChat, "COMPLETE", "stop"],
    ["anthropic", createAnthropicModel, sendMessages, "max_tokens", "length"],
    ["anthropic", createAnthropicModel, sendMessages, "model_context_window_exceeded", "length"],
    ["anthropic", createAnthropicModel, sendMessages, "refusal", "content-filter"],
    ["anthropic", createAnthropicModel, sendMessages, "pause_turn", "other"],
    ["google", createGoogleModel, sendGemini, "MAX_TOKENS", "length"],
    ["google", createGoogleModel, sendGemini, "SAFETY", "content-filter"],
    ["google", createGoogleModel, sendGemini, "RECITATION", "content-filter"],
    ["google", createGoogleModel, sendGemini, "IMAGE_SAFETY", "content-filter"],
    ["google", createGoogleModel, sendGemini, "LANGUAGE", "other"],
  ] as const)("%s", async (_, create, send, reason, finishReason) => {
    const events = await ask(create, (response) => send(response, reason));
    expect(textIn(events)).toBe("Half");
    expect(doneIn(events)).toMatchObject({ finishReason, providerReason: reason });
  });

  it("a refusal of an OpenAI model in place of content is filtered", async () => {
    const refusal = "I can't help with that.";
    for (const answer of [
      withoutResponses((response) => sendStream(response, [chunk({ refusal }), chunk({}, "stop"), "data: [DONE]\n\n"])),
      (response: ServerResponse) =>
        sendResponse(response, [responseMessage("", { content: [{ type: "refusal", refusal }] })]),
    ]) {
      const events = await ask(createOpenAiModel, (response) => answer(response, "", 1));
      expect(doneIn(events)).toMatchObject({ finishReason: "content-filter", providerReason: "refusal" });
      expect(textIn(events)).toBe(refusal);
      await server?.close();
    }
  });

  it("a blocked prompt has no answer at all: Gemini's call fails with the reason", async () => {
    const events = await ask(createGoogleModel, (response) =>
      sendStream(response, [{ promptFeedback: { blockReason: "SAFETY" } }]),
    );
    expect(failureIn(events).message).toContain("blocked the prompt (SAFETY)");
  });
});
