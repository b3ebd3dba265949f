import "server-only";
import type { ModelRequest } from "@/lib/core/run/ports/model";
import type { TextEvent } from "../call/answer-limits";
import { type Answer, type AnswerEvents, type CallContext, defineModel } from "../call/call";
import { withPlainCalls } from "../call/call-names";
import { readFrames } from "../call/event-stream";
import { toServerError } from "../call/failure";
import { openAnswer } from "../call/wire";
import { toOwnPartsDropped, withoutOwnParts } from "../call/written-parts";
import { ChatReader } from "../chat/chat-reader";
import { toChatRequest } from "../chat/chat-request";
import { readChatStream } from "../chat/chat-stream";
import { parseJson } from "../json";
import { ResponsesReader } from "../responses/responses-reader";
import { findRaised, toResponsesRequest } from "../responses/responses-request";
import { toStrictSchema } from "../schema/strict-schema";

/** Loaded with the first call: it takes half a second, and most commands call no model. */
let sdk: Promise<typeof import("openai")> | undefined;

/** The address of the service itself. */
export const openAiUrl = "https://api.openai.com/v1";

/** OpenAI's models over the official SDK, by the Responses API. The SDK asks once, the engine retries; what is answered is read here. */
export const createOpenAiModel = defineModel("openai", openAiUrl, { perform: stream, closeSchema: toStrictSchema });

/** Servers at other addresses that have answered by Chat Completions, and not by the Responses API. */
const chatServers = new Set<string>();
const withoutRoute: ReadonlySet<number> = new Set([404, 405, 501]);

async function* stream(request: ModelRequest, context: CallContext): AnswerEvents {
  const { baseUrl, wire } = context;
  if (chatServers.has(baseUrl)) {
    yield* streamChat(request, context);
    return;
  }
  const response = await respond(request, context);
  if (response) {
    yield* readResponse(response);
    return;
  }
  const reason = `The server has no Responses API (it answered ${wire.refusal?.status}), so it was asked by Chat Completions.`;
  wire.dropped.push({ parameter: "responses", reason });
  yield* streamChat(request, context, () => chatServers.add(baseUrl));
}

async function connect({ apiKey, baseUrl: baseURL, wire }: CallContext) {
  sdk ??= import("openai");
  const { default: OpenAI } = await sdk;
  return new OpenAI({ apiKey, baseURL, fetch: wire.fetch, maxRetries: 0, logLevel: "off" });
}

/** Null: the address is not OpenAI's own, and has no Responses API. */
async function respond(request: ModelRequest, context: CallContext): Promise<Response | null> {
  const { wire, baseUrl } = context;
  const client = await connect(context);
  wire.dropped.push(...findRaised(request));
  try {
    return await client.responses.create(toResponsesRequest(request)).asResponse();
  } catch (error) {
    const { status = 0, code, message = "" } = wire.refusal ?? {};
    if (baseUrl !== openAiUrl && withoutRoute.has(status)) return null;
    const plain = code === "invalid_encrypted_content" ? withoutOwnParts(request) : null;
    if (!plain) throw error;
    // Another key or another organisation wrote it.
    wire.dropped.push(toOwnPartsDropped({ message }));
    return await client.responses.create(toResponsesRequest(plain)).asResponse();
  }
}

async function* readResponse(response: Response): AnswerEvents {
  const reader = new ResponsesReader();
  if (!response.body) throw toServerError("The server ended without an answer.");
  const opened = await openAnswer(response.body.values({ preventCancel: true }));
  if ("whole" in opened) yield reader.readWhole(parseJson(opened.whole) ?? null);
  else
    for await (const frames of readFrames(opened.stream)) {
      yield readEvents(frames, reader);
      if (reader.isComplete) break;
    }
  yield [reader.finish()];
}

function* readEvents(frames: readonly string[], reader: ResponsesReader): Generator<TextEvent | Answer, void> {
  for (const frame of frames) {
    if (frame.trim() === "" || frame.trim() === "[DONE]") continue;
    const event = parseJson(frame);
    if (event === undefined) throw toServerError(`The server sent no JSON: ${frame.slice(0, 200)}`);
    yield* reader.read(event);
    if (reader.isComplete) return;
  }
}

/** An id of a call. https://platform.openai.com/docs/api-reference/chat/create */
const chatCallId = /^[\w.:-]{1,40}$/;

/** From GPT-5.5 on, tools are taken by Chat Completions only from models that do not think. */
const withoutEffort = /set reasoning_effort to 'none'/;

async function* streamChat(request: ModelRequest, context: CallContext, onAnswer?: () => void): AnswerEvents {
  const client = await connect(context);
  const body = {
    ...toChatRequest(request, {
      messages: withPlainCalls(request.messages, chatCallId),
      format: request.output_schema && { schema: toStrictSchema(request.output_schema).schema, strict: true },
    }),
    ...(request.max_tokens !== undefined && { max_completion_tokens: request.max_tokens }),
  };
  const create = async (asked: typeof body): Promise<Response> => {
    try {
      return await client.chat.completions.create(asked).asResponse();
    } catch (error) {
      const { message = "" } = context.wire.refusal ?? {};
      if (asked.reasoning_effort !== undefined || !withoutEffort.test(message)) throw error;
      context.wire.dropped.push({ parameter: "reasoning_effort", reason: message });
      return await create({ ...asked, reasoning_effort: "none" });
    }
  };
  const response = await create(body);
  onAnswer?.();
  const reader = new ChatReader(request.messages.length, { tolerant: false, textCalls: null });
  if (response.body) yield* readChatStream(response.body.values({ preventCancel: true }), reader);
  yield reader.finish();
}
