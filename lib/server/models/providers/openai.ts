import "server-only";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import { type AnswerEvents, type CallContext, defineModel } from "../call/call";
import { ChatReader } from "../chat/chat-reader";
import { toChatRequest } from "../chat/chat-request";
import { readChatStream } from "../chat/chat-stream";

/** Loaded with the first call: it takes half a second, and most commands call no model. */
let sdk: Promise<typeof import("openai")> | undefined;

/** The address of the service itself. */
export const openAiUrl = "https://api.openai.com/v1";

/** OpenAI's models over the official SDK, by Chat Completions. The SDK asks once, the engine retries; what is answered is read here. */
export const createOpenAiModel = defineModel("openai", openAiUrl, { perform: streamChat });

async function* streamChat(request: ModelRequest, { apiKey, baseUrl: baseURL, wire }: CallContext): AnswerEvents {
  sdk ??= import("openai");
  const { default: OpenAI } = await sdk;
  const client = new OpenAI({ apiKey, baseURL, fetch: wire.fetch, maxRetries: 0, logLevel: "off" });
  const body = {
    ...toChatRequest(request),
    ...(request.max_tokens !== undefined && { max_completion_tokens: request.max_tokens }),
  };
  const response = await client.chat.completions.create(body).asResponse();
  const reader = new ChatReader(request.messages.length, { tolerant: false, textCalls: null });
  if (response.body) yield* readChatStream(response.body.values({ preventCancel: true }), reader);
  yield reader.finish();
}
