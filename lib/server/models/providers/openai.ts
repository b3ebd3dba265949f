import "server-only";
import type { Model, ModelEvent, ModelRequest } from "@/lib/core/run/ports/model";
import { type CallContext, createModel } from "../call/call";
import { ChatReader } from "../chat/chat-reader";
import { toChatRequest } from "../chat/chat-request";
import { readChatStream } from "../chat/chat-stream";
import type { ProviderConnection } from "../connection";
import { findPrice, hasListedPrices } from "../pricing/prices";

/** Loaded with the first call: it takes half a second, and most commands call no model. */
let sdk: Promise<typeof import("openai")> | undefined;

const ownUrl = "https://api.openai.com/v1";

/** OpenAI's models over the official SDK, by Chat Completions. The SDK asks once, the engine retries; what is answered is read here. */
export function createOpenAiModel({ baseUrl = ownUrl, ...connection }: ProviderConnection): Model {
  return createModel("openai", connection, (request, way) => streamChat(request, baseUrl, way));
}

async function* streamChat(
  request: ModelRequest,
  baseURL: string,
  { apiKey, wire }: CallContext,
): AsyncGenerator<Iterable<ModelEvent>, void> {
  sdk ??= import("openai");
  const { default: OpenAI } = await sdk;
  const client = new OpenAI({ apiKey, baseURL, fetch: wire.fetch, maxRetries: 0, logLevel: "off" });
  const body = {
    ...toChatRequest(request),
    ...(request.max_tokens !== undefined && { max_completion_tokens: request.max_tokens }),
  };
  const response = await client.chat.completions.create(body).asResponse();
  const reader = new ChatReader({
    turn: request.messages.length,
    sentLength: wire.sent.at(-1)?.body.length ?? 0,
    priceOf: (counts, model) =>
      hasListedPrices("openai", baseURL) ? findPrice("openai", model ?? request.model, counts) : null,
    tolerant: false,
    textCalls: null,
  });
  if (response.body) yield* readChatStream(response.body.values({ preventCancel: true }), reader);
  yield reader.finish();
}
