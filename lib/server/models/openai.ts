import "server-only";
import type { Model, ModelEvent, ModelRequest } from "@/lib/core/run/model";
import { runCall } from "./call";
import { ChatReader } from "./chat-reader";
import { toChatRequest } from "./chat-request";
import type { Connection } from "./connection";
import { parseJson } from "./json";
import { findPrice } from "./prices";
import type { Wire } from "./wire";

const ownUrl = "https://api.openai.com/v1";

/** OpenAI's models over the official SDK, by Chat Completions. The SDK's own retries are off: the engine retries. */
export function createOpenAiModel({ apiKey = "", baseUrl = ownUrl, idleMs }: Connection): Model {
  const price = isOwn(baseUrl);
  return {
    stream: (request) =>
      runCall({
        provider: "openai",
        signal: request.signal,
        secrets: [apiKey],
        ...(idleMs !== undefined && { idleMs }),
        perform: (wire, signal) => streamChat(request, { apiKey, baseUrl, price, wire, signal }),
      }),
  };
}

/** Prices are known for OpenAI's own service, not for whoever else speaks its language. */
const isOwn = (url: string): boolean => URL.canParse(url) && /(?:^|\.)openai\.com$/.test(new URL(url).hostname);

interface Way {
  apiKey: string;
  baseUrl: string;
  price: boolean;
  wire: Wire;
  signal: AbortSignal;
}

async function* streamChat(request: ModelRequest, way: Way): AsyncGenerator<ModelEvent, void> {
  const { apiKey, baseUrl: baseURL, wire, signal } = way;
  // Loaded with the first call: it takes half a second, and most commands ask nobody.
  const { default: OpenAI } = await import("openai");
  const client = new OpenAI({ apiKey, baseURL, fetch: wire.fetch, maxRetries: 0, logLevel: "off" });
  const body = {
    ...toChatRequest(request),
    ...(request.max_tokens !== undefined && { max_completion_tokens: request.max_tokens }),
  };
  const stream = await client.chat.completions.create(body, { signal });
  const reader = new ChatReader({
    turn: request.messages.length,
    sentLength: wire.sent.at(-1)?.body.length ?? 0,
    priceOf: (counts, model) => (way.price ? findPrice("openai", model ?? request.model, counts) : null),
    tolerant: false,
  });
  for await (const chunk of stream) yield* reader.read(parseJson(JSON.stringify(chunk)) ?? null);
  yield* reader.finish();
}
